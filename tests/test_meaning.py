"""What a formatter changes does not count for the owner of a test; what changes its meaning does."""

from __future__ import annotations

import ast
import json
import random
import subprocess
import sys
from pathlib import Path

import black
import isort
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_lift.source.syntax import digest
from pytest_lift.suite.ownership import parse_ownership
from pytest_lift.suite.suite import Edit, Suite, hashes, suite_of
from pytest_lift.suite.test_file import parse_test_file

PATH = "tests/test_x.py"
HEAD = "import pytest\n\n\n"
TEST = '''\
@pytest.mark.req("A-1")
def test_it(tmp_path):
    """It works."""
    assert f(1, [2, 3], name='x') == "y"
'''


def meant(text: str) -> list[str]:
    """The hashes of the functions of a file, in order."""
    return list(hashes.of_functions(text).values())


def in_function(body: str) -> str:
    lines = "".join(f"    {line}\n" if line else "\n" for line in body.split("\n"))
    return f"def test_it():\n{lines}"


def ruff(text: str, *options: str) -> str:
    command = [sys.executable, "-m", "ruff", "format", "--isolated", "-q", *options, "-"]
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=True)
    return done.stdout


def blackened(text: str, **options: object) -> str:
    return black.format_str(text, mode=black.Mode(**options))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("assert 'a' == f(1,)", 'assert "a" == f(1)'),
        ("assert (f(1) == 2)", "assert f(1) == 2"),
        ("x = [1,\n     2,]", "x = [1, 2]"),
        ("x = 'one two'", "x = (\n    'one '\n    'two'\n)"),
        ("x = f'{a} two'", 'x = (\n    f"{a} "\n    "two"\n)'),
        ("x = f'one' f'{a}'", 'x = f"one{a}"'),
        ("x = f'one'", "x = 'one'"),
        ("x = u'one'", "x = 'one'"),
        ("x = F'{a!r:>{w}}'", 'x = f"{a!r:>{w}}"'),
        ("x = 0XABCDEF, 1E5, 10J", "x = 0xABCDEF, 1e5, 10j"),
        ("x = B'\\xAB', '\\xAB'", "x = b'\\xab', '\\xab'"),
        ("del (a, b)", "del a, b"),
        ("del (a), (b)", "del a, b"),
        ("for (a, b) in c: pass", "for a, b in c:\n    pass"),
        ("a = 1; b = 2", "a = 1\nb = 2"),
        ("with (open(a)) as b, (c): pass", "with (\n    open(a) as b,\n    c,\n):\n    pass"),
        ("assert a, \\\n    b", "assert a, b"),
        ("return (yield a)", "return (yield a)"),
        ("class A():\n    '''  Says\n        so.  '''", 'class A:\n    """Says\n    so."""'),
        ("x = a[(1, 2)]", "x = a[1, 2]"),
        ("'''It.\n\n  :req: A-1\n:req: A-2\n'''", '"""It.\n    :req: A-1\n    :req: A-2"""'),
        ("import b, a", "import a\nimport b"),
        ("from a import d\nfrom a import c", "from a import c, d"),
        ("import a.c\nimport a.b", "import a.b\nimport a.c"),
        ("f(1)  # noqa: E501", "f(1)"),
        ("f(1)  # type: ignore[call]", "f(1)"),
        ("#why\nf(1)", "#  why\nf(1)"),
    ],
)
def test_two_spellings_are_one(one: str, other: str) -> None:
    assert meant(in_function(one)) == meant(in_function(other))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("x = 1", "x = 2"),
        ("x = 1", "x = 1.0"),
        ("x = 1", "x = True"),
        ("x = 'a'", "x = b'a'"),
        ("x = 'a'", "x = a"),
        ("x = 'a  b'", "x = 'a b'"),
        ("x = f'{a}'", "x = f'{a!r}'"),
        ("x = f'{a}'", "x = f'{a:>3}'"),
        ("x = f'{a}b'", "x = f'{a}' + 'b'"),
        ("x = '{a}'", "x = f'{a}'"),
        ("x = (1,)", "x = 1"),
        ("x = [1]", "x = (1,)"),
        ("x = a < b", "x = a <= b"),
        ("x = -a", "x = +a"),
        ("x = not (a and b)", "x = not a and b"),
        ("f(a, b)", "f(b, a)"),
        ("f(a=1)", "f(b=1)"),
        ("f(*a)", "f(**a)"),
        ("import a\nimport b", "import a\nimport c"),
        ("from a import x\nfrom b import x", "from b import x\nfrom a import x"),
        ("from a import *\nfrom b import x", "from b import x\nfrom a import *"),
        ("from a import x", "from .a import x"),
        ("from . import x", "from .. import x"),
        ("import a as b", "import a"),
        ("import a.b", "import a.c"),
        ("import a\nf()\nimport b", "import b\nf()\nimport a"),
        ("f(1)", "f(1)  # it was wrong before"),
        ("f(1)  # one", "f(1)  # two"),
        ("global a", "global b"),
        ("return", "return 0"),
        ("'''A docstring.'''", "'''A doc string.'''"),
        ("'''It.\n\n:req: A-1'''", "'''It. :req: A-1'''"),
        ("x = {**a}", "x = {None: a}"),
        ("async def f(): pass", "def f(): pass"),
        ("lambda a, /, b: 0", "lambda a, b: 0"),
        ("lambda *, a: 0", "lambda a: 0"),
        ("with a: pass", "with a as b: pass"),
        ("try: f()\nexcept A: pass", "try: f()\nexcept* A: pass"),
    ],
)
def test_another_meaning_is_another_hash(one: str, other: str) -> None:
    assert meant(in_function(one)) != meant(in_function(other))


def test_decorators_count() -> None:
    other = TEST.replace("A-1", "A-2")
    assert meant(HEAD + TEST) != meant(HEAD + other)


def test_the_hash_is_the_same_in_every_version_of_python() -> None:
    text = in_function(
        "'''Says\n  so.'''\nimport b, a.c\nx = f'{a!r:>{w}} b' u'c'  # why\n"
        "async with a as b: pass\nmatch x:\n    case {'a': [*_], **k}: pass"
    )
    assert meant(text)[0] == "707bffe36aab2a7c"


def test_no_python_has_no_functions_and_its_text_as_the_file() -> None:
    assert hashes.of_functions("def f(:\n") == {}
    assert hashes.of_file("def f(:\n") == digest("def f(:\n")


def test_what_is_nested_deeply_has_a_hash() -> None:
    text = in_function("x = " + "+".join(["1"] * 900))
    assert len(meant(text)) == 1
    assert meant(text) != meant(text.replace("x", "y"))


REAL = sorted(Path(__file__).parent.glob("test_*.py"))[::40]


@pytest.mark.parametrize("path", REAL, ids=lambda path: path.stem)
def test_formatters_leave_the_hashes_of_real_suites(path: Path) -> None:
    text = path.read_text("utf-8")
    known, whole = meant(text), hashes.of_file(text)
    spellings = {
        ruff(text, "--line-length", "60", "--config", 'format.quote-style="single"'),
        blackened(text, line_length=50, magic_trailing_comma=False),
        blackened(text, preview=True, line_length=70, string_normalization=False),
        isort.code(text, force_single_line=True, force_sort_within_sections=True),
        ast.unparse(ast.parse(text)) if "#" not in text else text,
    }
    assert spellings - {text}, "no formatter changed anything"
    for other in spellings:
        assert meant(other) == known
        assert hashes.of_file(other) == whole


# ---- properties: any test of a grammar, in any spelling, with any change of its meaning

NAMES = st.sampled_from(["a", "b", "value", "tmp_path", "Größe"])
TEXTS = st.text(st.sampled_from("ab'\"\\ \n\té{}#%"), max_size=8)
ATOMS = (
    NAMES
    | st.integers(-3, 300).map(repr)
    | st.floats(allow_nan=False, allow_infinity=False, width=16).map(repr)
    | TEXTS.map(repr)
    | TEXTS.map(lambda t: repr(t.encode()))
    | st.sampled_from(["None", "True", "0XfF", "1E3", "f'{a}b' 'c'", "u'd'", "'''e\n  f'''"])
)
EXPRESSIONS = st.recursive(
    ATOMS,
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from(["+", "==", "is not", "and", "<"]), inner).map(
            lambda p: f"({p[0]} {p[1]} {p[2]})"
        ),
        st.lists(inner, max_size=4).map(lambda p: f"f({', '.join(p)})"),
        st.lists(inner, max_size=4).map(lambda p: f"[{', '.join(p)},]" if p else "[]"),
        st.lists(inner, min_size=1, max_size=3).map(lambda p: f"({', '.join(p)},)"),
        st.tuples(inner, inner).map(lambda p: f"{{{p[0]}: {p[1]}}}"),
        inner.map(lambda p: f"(not {p})"),
    ),
    max_leaves=8,
)
STATEMENTS = st.one_of(
    EXPRESSIONS.map("assert {}".format),
    EXPRESSIONS.map("b = {}".format),
    EXPRESSIONS.map("assert ({}), 'said'".format),
    st.sampled_from(
        ["import z, y", "from y import (v,\n  u)", "del (b)", "# a word", "pass; pass"]
    ),
    st.tuples(EXPRESSIONS, EXPRESSIONS).map(
        lambda p: f"with pytest.raises( {p[0]} ) as ( b ):\n        {p[1]}"
    ),
)
FUNCTIONS = st.lists(STATEMENTS, min_size=1, max_size=5).map(
    lambda body: (
        "def test_it ( ) :\n    '''  Says it.\n      Well.'''\n"
        + "".join(f"    {line}\n" for line in body)
        + "    return\n"
    )
)


@given(FUNCTIONS, st.sampled_from([40, 88]), st.booleans())
@settings(max_examples=25, deadline=None)
def test_formatting_keeps_the_owner(text: str, width: int, preview: bool) -> None:
    suite = Suite("tests").apply(Edit({PATH: text}))
    for other in (
        blackened(text, line_length=width, preview=preview),
        isort.code(text),
        ruff(text, "--line-length", str(width)),
    ):
        after = suite_of("tests", {**suite.texts(), PATH: other})
        assert [test.name for test in after.owned_tests()] == ["test_it"]
        assert after.is_owned_file(PATH)


@given(FUNCTIONS, st.randoms(use_true_random=False))
@settings(max_examples=100, deadline=None)
def test_a_change_of_a_constant_a_name_or_an_operator_makes_it_the_user_s(
    text: str, chance: random.Random
) -> None:
    suite = Suite("tests").apply(Edit({PATH: text}))
    tree = ast.parse(text)
    spots = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant | ast.Name | ast.BinOp | ast.Compare | ast.BoolOp)
    ]
    _change(chance.choice(spots))
    after = suite_of("tests", {**suite.texts(), PATH: ast.unparse(ast.fix_missing_locations(tree))})
    assert [test.name for test in after.user_tests()] == ["test_it"]
    assert not after.is_owned_file(PATH)


def _change(node: ast.AST) -> None:
    if isinstance(node, ast.Constant):
        node.value = (
            node.value + "!" if isinstance(node.value, str)
            else node.value + b"!" if isinstance(node.value, bytes)
            else 9999 if node.value is None or node.value is True
            else node.value + 1.5
        )  # fmt: skip
    elif isinstance(node, ast.Name):
        node.id += "_"
    elif isinstance(node, ast.BinOp):
        node.op = ast.Sub()
    elif isinstance(node, ast.Compare):
        node.ops = [ast.GtE()]
    elif isinstance(node, ast.BoolOp):
        node.op = ast.Or()


# ---- entries of older versions


def older(text: str) -> dict[str, str]:
    """A suite with a file of the tool's as version 1 wrote it down."""
    tests = {test.node: test.digest for test in parse_test_file(PATH, text).tests}
    record = {"version": 1, "files": {PATH: digest(text)}, "tests": tests}
    return {PATH: text, "tests/.lift.json": json.dumps(record)}


def test_entries_of_an_older_version_count() -> None:
    suite = suite_of("tests", older(HEAD + TEST))
    assert suite.warnings == ()
    assert [test.name for test in suite.owned_tests()] == ["test_it"]
    assert suite.is_owned_file(PATH)
    assert suite.texts() == older(HEAD + TEST), "nothing is written for that alone"
    changed = suite_of("tests", {**older(HEAD + TEST), PATH: HEAD + TEST.replace("2", "4")})
    assert changed.owned_tests() == ()


def test_entries_of_an_older_version_are_written_anew_with_the_next_change() -> None:
    suite = suite_of("tests", older(HEAD + TEST))
    texts = suite.apply(Edit({"tests/test_new.py": TEST})).texts()
    assert parse_ownership(texts["tests/.lift.json"]).tests[f"{PATH}::test_it"] == meant(TEST)[0]
    texts[PATH] = blackened(texts[PATH])
    after = suite_of("tests", texts)
    assert len(after.owned_tests()) == 2
    assert {*after.files_fully_owned()} == {PATH, "tests/test_new.py"}
    assert after.is_owned_file(PATH)


def test_the_check_knows_the_owner_as_the_lift_does() -> None:
    owned = Suite("tests").apply(Edit({PATH: HEAD + TEST})).texts()["tests/.lift.json"]
    said = parse_ownership(owned)
    for text, ours in ((blackened(HEAD + TEST), True), (HEAD + TEST.replace("1", "7"), False)):
        file = parse_test_file(PATH, text)
        assert [test.is_recorded_as(said.tests[test.node]) for test in file.tests] == [ours]
