"""A name that clashes is another one in what is added; the user's file stays as it is."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_lift.gate.gating import gate
from pytest_lift.gate.regression import keep
from pytest_lift.requirements.requirement import Requirements
from pytest_lift.source.program import Program, SourceFile
from pytest_lift.source.syntax import parse
from pytest_lift.suite.collection import DEFAULT_NAMING, Naming
from pytest_lift.suite.joining import Joined, joined
from pytest_lift.suite.splice import merge_tests
from pytest_lift.suite.suite import Edit, Suite, suite_of
from pytest_lift.suite.user_code import refusals

PATH = "tests/test_a.py"
USERS = '''\
"""The user's own."""
import pytest
from pkg.other import load   # by hand


@pytest.fixture
def number():
    return load( 3 )


def helper(x):
    return open(x)


class TestTheirs:
    def test_method(self, number):
        assert number==3


def test_theirs(number):
    assert helper(number)
'''
SOURCE = "def f(x=0):\n    return x + 1\n\n\ndef load(x):\n    return x\n\n\ndef open(x):\n    return x\n"
PROGRAM = Program(("pkg",), ("pkg",), ("",), {"pkg/a.py": SourceFile("pkg/a.py", "pkg.a", SOURCE)})


def one_test(body: str, name: str = "test_ours", parameters: str = "") -> str:
    return f'def {name}({parameters}):\n    """It does."""\n    {body}\n'


def added(imports: str, tests: str, base: str = USERS) -> Joined:
    found = joined(base, merge_tests(base, [imports], tests), DEFAULT_NAMING)
    assert found is not None
    left = [line for line in found.text.splitlines() if line in base.splitlines()]
    assert all(line in left for line in base.splitlines())
    return found


def let_in(imports: str, tests: str, base: str = USERS) -> Suite:
    """What the gate makes of an edit of the user's file; their test is theirs and unchanged."""
    before = suite_of("tests", {PATH: base})
    edit = Edit({PATH: merge_tests(base, [imports], tests)})
    assert refusals(before, edit), "it clashes"
    after = gate(edit, before, Requirements(), PROGRAM).suite
    assert {t.node: before.source(t) for t in before.tests()}.items() <= {
        t.node: after.source(t) for t in after.tests()
    }.items()
    return after


@pytest.mark.parametrize(
    ("imports", "tests", "line", "body"),
    [
        ("from pkg.a import load", "assert load(3) == 3", "from pkg.a import load as a_load", "assert a_load(3) == 3"),
        ("from pkg.a import open", "assert open(3) == 3", "from pkg.a import open as a_open", "assert a_open(3) == 3"),
        ("from pkg.a import f as helper", "assert helper( 3 ) == 4  # so", "from pkg.a import f as a_helper", "assert a_helper( 3 ) == 4  # so"),
        ("import pkg.a as load", "assert load.f(1) == 2", "import pkg.a as load_module", "assert load_module.f(1) == 2"),
    ],
)  # fmt: skip
def test_an_import_whose_name_is_taken_has_another(
    imports: str, tests: str, line: str, body: str
) -> None:
    after = let_in(imports, one_test(tests))
    assert line in after.files[PATH].text.splitlines()
    assert [body in after.source(test) for test in after.owned_tests()] == [True]


def test_a_helper_and_a_fixture_whose_names_are_taken_have_others() -> None:
    tests = (
        "def helper(x):\n    return f(x)\n\n\n"
        "# our own\n@pytest.fixture\ndef number():\n    return helper(4)\n\n\n"
        + one_test("assert helper(number) == 6", parameters="number")
        + '\n\n@pytest.mark.usefixtures("number")\n'
        + one_test("assert f(1) == 2", "test_more")
    )
    text = let_in("from pkg.a import f", tests).files[PATH].text
    assert "def helper_2(x):" in text
    assert "# our own\n@pytest.fixture\ndef number_2():\n    return helper_2(4)" in text
    assert "def test_ours(number_2):" in text
    assert "assert helper_2(number_2) == 6" in text
    assert '@pytest.mark.usefixtures("number_2")' in text


def test_a_test_of_the_name_of_one_of_the_user_s_gets_a_number() -> None:
    after = let_in("from pkg.a import f", one_test("assert f(1) == 2", "test_theirs"))
    assert [test.name for test in after.owned_tests()] == ["test_theirs_2"]
    assert [test.name for test in after.user_tests()] == ["test_method", "test_theirs"]


def test_what_cannot_have_another_name_is_left_out_and_the_rest_stays() -> None:
    """A local name beside the global one is not told apart."""
    tests = (
        one_test("load = load(3)\n    assert load", "test_odd") + "\n\n" + one_test("assert f(1)")
    )
    before = suite_of("tests", {PATH: USERS})
    text = merge_tests(USERS, ["from pkg.a import f, load"], tests)
    gated = gate(Edit({PATH: text}), before, Requirements(), PROGRAM)
    assert [test.name for test in gated.suite.owned_tests()] == ["test_ours"]
    assert [f.tests for f in gated.refused] == [(f"{PATH}::test_odd",)]
    assert "needs a name that the file has for something else" in gated.refused[0].what


def test_what_falls_with_it_falls_too() -> None:
    tests = "def make():\n    open = open(1)\n    return open\n\n\n" + one_test("assert make()")
    found = joined(
        USERS, merge_tests(USERS, ["from pkg.a import open"], tests + "X = 1\n"), DEFAULT_NAMING
    )
    assert found is not None
    assert {*found.left_out} == {"make", "test_ours"}
    assert "X = 1" in found.text


def test_a_method_is_added_to_a_class_of_the_user_s() -> None:
    edited = USERS.replace(
        "        assert number==3\n",
        "        assert number==3\n\n    def test_ours(self):\n        assert f(1) == 2\n",
    )
    found = joined(USERS, merge_tests(edited, ["from pkg.a import f, load"], ""), DEFAULT_NAMING)
    assert found is not None
    assert "assert number==3\n\n    def test_ours(self):\n" in found.text
    assert "from pkg.a import f, load as a_load\n" in found.text


def test_names_in_f_strings_are_changed_too() -> None:
    body = 'assert f"{load(1)} {load!r:>{load}} load" == (\n        f"{load}" f"{2}")'
    text = added("from pkg.a import load", one_test(body)).text
    assert ast.unparse(ast.parse(text).body[-1]) == ast.unparse(
        ast.parse(one_test(body).replace("load", "a_load").replace("} a_load", "} load")).body[0]
    )


def test_a_dotted_import_takes_no_name_from_one_of_its_kind() -> None:
    base = "import pkg.other\n\n\ndef test_theirs():\n    assert pkg.other\n"
    found = added("import pkg.a", one_test("assert pkg.a.f(1) == 2"), base)
    assert found.renamed == {}
    taken = joined("pkg = 3\n", "import pkg.a\n\npkg = 3\n", DEFAULT_NAMING)
    assert taken is None, "there is no other name for it"


def test_what_no_one_can_read_is_not_joined() -> None:
    assert joined("def f(:\n", "x = 1\n", DEFAULT_NAMING) is None
    assert joined(USERS, "def f(:\n", DEFAULT_NAMING) is None
    assert joined(USERS, USERS, DEFAULT_NAMING) is None


def test_a_fixture_that_other_files_may_ask_for_keeps_its_name() -> None:
    before = suite_of("tests", {"tests/conftest.py": USERS})
    text = merge_tests(USERS, ["import pytest"], "@pytest.fixture\ndef number():\n    return 4\n")
    gated = gate(Edit({"tests/conftest.py": text}), before, Requirements(), PROGRAM)
    assert gated.suite.files == before.files
    assert gated.refused


def test_an_edit_that_changes_what_the_user_wrote_is_refused_as_a_whole() -> None:
    before = suite_of("tests", {PATH: USERS})
    text = merge_tests(
        USERS.replace("load( 3 )", "load(4)"), ["from pkg.a import f"], one_test("assert f(1) == 2")
    )
    gated = gate(Edit({PATH: text}), before, Requirements(), PROGRAM)
    assert gated.suite.files == before.files
    assert gated.refused


def test_an_edit_that_takes_a_name_from_an_accepted_test_gets_another_itself() -> None:
    """And what it drops comes back."""
    base = "from pkg.a import f\n\n\n" + one_test("assert f(1) == 2")
    accepted = Suite("tests").apply(Edit({PATH: base}))
    text = "from pkg.b import f\n\n\n" + one_test("assert f(1) == 7", "test_new")
    kept = keep(accepted.apply(Edit({PATH: text})), accepted, accepted)
    assert [test.name for test in kept.suite.owned_tests()] == ["test_ours", "test_new"]
    assert "from pkg.b import f as b_f" in kept.suite.files[PATH].text
    assert "assert b_f(1) == 7" in kept.suite.files[PATH].text


def test_what_sets_accepted_tests_aside_is_not_added() -> None:
    base = "from pkg.a import f\n\n\n" + one_test("assert f(1) == 2")
    accepted = Suite("tests").apply(Edit({PATH: base}))
    head = "import pytest\nfrom pkg.b import f\n\npytestmark = pytest.mark.skip(reason='x')\n\n\n"
    text = head + one_test("assert f(1) == 7", "test_new")
    kept = keep(accepted.apply(Edit({PATH: text})), accepted, accepted)
    assert kept.suite.files == accepted.files


@pytest.mark.parametrize(
    ("base", "edited"),
    [
        ("class TestA:\n  def test_a(self):\n    assert 1\n",
         "class TestA:\n    def test_b(self):\n        assert 2\n"),
        ("class TestA:\n\tdef test_a(self):\n\t\tassert 1\n",
         "class TestA:\n    def test_b(self):\n        assert 2\n"),
        ("class TestA:\n        def test_a(self):\n            assert 1\n",
         "class TestA:\n    @x\n    def test_b(self):\n        assert 2 == '''\n    a'''\n"),
    ],
)  # fmt: skip
def test_a_method_is_indented_as_its_class_is(base: str, edited: str) -> None:
    """Else it would be a function in the last method of the user's, or no Python."""
    found = joined(base, edited, DEFAULT_NAMING)
    assert found is not None
    assert found.text.startswith(base)
    (theirs,), (ours,) = parse(base).body, parse(edited).body
    (after,) = parse(found.text).body
    assert isinstance(theirs, ast.ClassDef)
    assert isinstance(ours, ast.ClassDef)
    assert isinstance(after, ast.ClassDef)
    assert list(map(ast.dump, after.body)) == list(map(ast.dump, [*theirs.body, *ours.body]))


def test_a_test_of_the_tool_s_is_replaced_at_its_own_indentation() -> None:
    base = "class TestA:\n  def test_a(self):\n    assert 1\n\n  x = 1\n"
    edited = "class TestA:\n    def test_a(self):\n        assert 2\n"
    found = joined(base, edited, DEFAULT_NAMING, ours=["TestA::test_a"])
    assert found is not None
    assert found.text == "class TestA:\n  def test_a(self):\n      assert 2\n\n  x = 1\n"


@pytest.mark.parametrize(
    ("naming", "base", "edited", "name"),
    [
        (Naming(functions=("*_test",)), "def a_test():\n    assert 1\n", "def a_test():\n    assert 2\n", "another_2_a_test"),
        (Naming(classes=("*Tests",)), "ATests = 1\n", "class ATests:\n    def test_a(self):\n        assert 1\n", "Another2ATests"),
    ],
)  # fmt: skip
def test_the_new_name_of_a_test_is_one_that_pytest_collects(
    naming: Naming, base: str, edited: str, name: str
) -> None:
    found = joined(base, edited, naming)
    assert found is not None
    assert [*found.renamed.values()] == [name]


def test_a_statement_that_shares_a_line_comes_alone() -> None:
    """With the whole line, `a` would be another one for the user."""
    tests = "a = 2; b = 2\n\n\n" + one_test("assert a == b")
    found = added("", tests, "a = 1\n\n\ndef f():\n    return a\n")
    assert [line for line in found.text.splitlines() if "=" in line] == [
        *("a = 1", "a_2 = 2", "b = 2", "    assert a_2 == b"),
    ]


def test_what_a_decorator_passes_by_keyword_keeps_its_name() -> None:
    """As hypothesis does: the parameter is no fixture then."""
    helper = "def number():\n    return 2\n\n\n@given(number=integers())\n"
    tests = helper + one_test("assert number", parameters="number") + "\n\nX = 1\n"
    found = joined(USERS, merge_tests(USERS, [], tests), DEFAULT_NAMING)
    assert found is not None
    assert [*found.left_out] == ["test_ours"]


def test_the_name_of_a_method_is_none_of_the_module() -> None:
    tests = (
        "def helper(x):\n    return 2\n\n\nclass TestOurs:\n    def helper(self):\n"
        "        return helper( 1 )  # so\n\n    def test_a(self):\n        assert self.helper() == 2\n"
    )
    text = added("", tests).text
    assert "    def helper(self):\n        return helper_2( 1 )  # so\n" in text
    assert "assert self.helper() == 2" in text


def test_a_method_that_needs_what_is_left_out_is_left_out() -> None:
    edited = USERS.replace(
        "        assert number==3\n",
        "        assert number==3\n\n    def test_ours(self):\n        assert make()\n",
    )
    tests = "def make():\n    open = open(1)\n    return open\n\n\nX = 1\n"
    found = joined(USERS, merge_tests(edited, ["from pkg.a import open"], tests), DEFAULT_NAMING)
    assert found is not None
    assert {*found.left_out} == {"make", "TestTheirs::test_ours"}


def test_what_would_change_the_annotations_of_the_user_s_code_is_not_imported() -> None:
    base = "def helper(x: int) -> list[int]:\n    return [x]\n\n\n" + one_test(
        "assert helper(1)", "test_theirs"
    )
    after = let_in(
        "from __future__ import annotations\nfrom pkg.a import f",
        one_test("assert f(1) == 2"),
        base,
    )
    assert "__future__" not in after.files[PATH].text
    assert [test.name for test in after.owned_tests()] == ["test_ours"]
    plain = base.replace("x: int) -> list[int]", "x)")
    edit = merge_tests(plain, ["from __future__ import annotations"], one_test("assert 1"))
    assert not refusals(suite_of("tests", {PATH: plain}), Edit({PATH: edit}))


FILES = st.lists(
    st.sampled_from(
        [
            "# a comment",
            "",
            "import os  # why",
            "from pkg.a import load, f as g",
            "x = {'a' : 1}; y = 2",
            "T = '''\n\nimport re\n  '''",
            "@deco(\n  1)\ndef test_theirs( a,b ):\n  # inside\n  assert a==b",
            "class TestTheirs:\n  '''Doc.'''\n\n  x = 1\n  def test_one(self): pass  # so\n  # last",
            "if x:\n    def helper(): return 1\nelse:\n    helper = None",
            "async def number():\n\tawait x\n\t# tab",
            "try:\n    import c\nexcept ImportError:\n    c = None",
            'if __name__ == "__main__":\n    x()',
        ]
    ),
    max_size=6,
)
ADDED = st.lists(
    st.sampled_from(
        [
            "import os.path",
            "from pkg.a import load",
            "from pkg.b import load",
            "from __future__ import annotations",
            "x = 5",
            "def helper():\n    return load(x)",
            "def test_ours(number):\n    assert helper() == number",
            "class TestTheirs:\n    def test_two(self):\n        assert x\n\n    def test_one(self):\n        pass",
            "class TestOurs:\n    def test_one(self):\n        assert helper()",
            "@pytest.fixture\ndef number():\n    return x",
        ]
    ),
    unique=True,
    min_size=1,
    max_size=5,
)


@given(FILES, ADDED, st.sampled_from(["\n", "\r\n"]), st.sampled_from(["", "\ufeff"]))
@settings(max_examples=150, deadline=None)
def test_every_line_and_every_statement_of_a_file_stays(
    parts: list[str], new: list[str], end: str, mark: str
) -> None:
    base = mark + ("\n".join(parts) + "\n" * bool(parts)).replace("\n", end)
    ours = "\n\n\n".join(sorted(new, key=lambda part: "__future__" not in part)) + "\n"
    found = joined(base, ours, DEFAULT_NAMING)
    if found is None:
        return
    lines = iter(found.text.removeprefix(mark).splitlines())
    assert all(line in lines for line in base.removeprefix(mark).splitlines() if line)
    assert found.text.count("\n") == found.text.count(end) or not base.count("\n")
    assert found.text.startswith(mark)
    left = iter(_statements(found.text))
    assert all(one in left for one in _statements(base))
    compile(found.text.encode(), "test_x.py", "exec", dont_inherit=True)


def _statements(text: str) -> list[str]:
    """Those of the module; of classes the name, and their own."""
    found: list[str] = []
    for node in parse(text).body:
        is_class = isinstance(node, ast.ClassDef)
        found += [node.name, *map(ast.dump, node.body)] if is_class else [ast.dump(node)]
    return found


NAMES = st.sampled_from(["load", "open", "number", "helper", "test_theirs", "f", "tmp_path", "len"])


@given(
    st.lists(NAMES, unique=True, max_size=4),
    st.lists(NAMES, unique=True, max_size=3),
    st.lists(st.tuples(NAMES, NAMES), min_size=1, max_size=3),
)
@settings(max_examples=40, deadline=None)
def test_whatever_is_added_means_what_it_meant(
    imports: list[str], helpers: list[str], uses: list[tuple[str, str]]
) -> None:
    """Each name of a new test leads to the same thing as in the edit, and so do the user's."""
    tests = [f"def {name}(x):\n    return {name!r}\n" for name in helpers if name not in imports]
    tests += [
        one_test(f"assert ({one}, {two}, f'{{{one}}}')", f"test_{n}")
        for n, (one, two) in enumerate(uses)
    ]
    lines = [f"from pkg.a import {name}" for name in imports]
    edited = merge_tests(USERS, ["\n".join(lines)], "\n\n\n".join(tests))
    found = joined(USERS, edited, DEFAULT_NAMING)
    if found is None:
        return
    before = suite_of("tests", {PATH: USERS})
    assert refusals(before, Edit({PATH: found.text})) == ()
    assert not found.left_out
    back = {new: old for old, new in found.renamed.items()}
    for n, (one, two) in enumerate(uses):
        renamed = next(d for d in ast.parse(found.text).body if getattr(d, "name", "") == f"test_{n}")  # fmt: skip
        names = [x.id for x in ast.walk(renamed) if isinstance(x, ast.Name)]
        assert sorted(back.get(x, x) for x in names) == sorted([one, one, two])
        taken = {"load", "open", "number", "helper", "test_theirs"}
        for name in {one, two} & {*imports, *helpers}:
            assert found.renamed.get(name, name) in names
            assert name in found.renamed or name not in taken


def test_real_files_are_joined_with_themselves_changed() -> None:
    """Every name of a real suite of ours taken by another meaning: what is added parses."""
    text = Path(__file__).read_text("utf-8")
    other = "\n".join(f"{n.name} = 1" for n in ast.parse(text).body if hasattr(n, "name"))
    found = joined(other + "\n", other + "\n" + text.replace("from __future__ import annotations\n", ""), DEFAULT_NAMING)  # fmt: skip
    assert found is not None
    assert "def test_real_files_are_joined_with_themselves_changed_2" in found.text


@pytest.mark.parametrize("pattern", ["number", "[*number]", "{**number}", "[1 as number]"])
def test_a_pattern_that_captures_a_name_of_the_file_is_left_out(pattern: str) -> None:
    helper = f"def taken(x):\n    match x:\n        case {pattern}:\n            return number"
    tests = f"{helper}\n\n\nmatch 1:\n    case {pattern}:\n        pass\n"
    found = joined(USERS, f"{USERS}\n\nLAST = 3\n\n\n{tests}", DEFAULT_NAMING)
    assert found is not None
    assert "LAST = 3" in found.text
    assert "\nmatch" not in found.text
    assert "number" in found.left_out
