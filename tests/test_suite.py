"""Suites as values: reading, owning, editing, cutting and merging, and what the guard refuses."""

from __future__ import annotations

import ast
import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_lift.suite.suite import (
    Edit,
    Naming,
    Suite,
    from_bytes,
    merge_tests,
    parse_ownership,
    parse_test_file,
    read_suite,
    suite_of,
)
from pytest_lift.suite.user_code import refusals

USER = '''"""The user's own."""
import pytest


@pytest.fixture
def number():
    return 3


def test_theirs(number):
    assert number == 3
'''
TOOL = "def test_ours():\n    assert True\n"


def names(text: str, naming: Naming | None = None) -> list[str]:
    file = parse_test_file("tests/test_x.py", text, naming or Naming())
    return [test.node.removeprefix("tests/test_x.py::") for test in file.tests]


def mixed() -> Suite:
    """A user's test file with one test of the tool's at its end."""
    suite = suite_of("tests", {"tests/test_x.py": USER})
    return suite.apply(Edit({"tests/test_x.py": merge_tests(USER, [], TOOL)}))


class TestParsing:
    def test_finds_what_pytest_collects_by_default(self) -> None:
        text = """
import unittest
import pytest

def test_plain(): pass
async def test_async(): pass
def helper(): pass
@pytest.fixture
def test_data(): pass
if True:
    def test_in_if(): pass
class TestA:
    def test_m(self): pass
    def helper(self): pass
    class TestInner:
        def test_deep(self): pass
class Other:
    def test_no(self): pass
class Case(unittest.TestCase):
    def test_unit(self): pass
class Derived(Case):
    def test_derived(self): pass
class TestWithInit:
    def __init__(self): pass
    def test_no(self): pass
class TestOff:
    __test__ = False
    def test_no(self): pass
"""
        assert names(text) == [
            "test_plain",
            "test_async",
            "test_in_if",
            "TestA::test_m",
            "TestA::TestInner::test_deep",
            "Case::test_unit",
            "Derived::test_derived",
        ]

    def test_agrees_with_pytest_itself(self, pytester: pytest.Pytester) -> None:
        text = """
            import unittest
            class TestA:
                class TestB:
                    def test_1(self): pass
                def test_2(self): pass
            class C(unittest.IsolatedAsyncioTestCase):
                async def test_3(self): pass
            def testing(): pass
            def test_4(): pass
            def test_4(): pass
        """
        path = pytester.makepyfile(test_x=text)
        collected = pytester.inline_genitems(path)[0]
        found = parse_test_file("test_x.py", path.read_text())
        assert {test.node for test in found.tests} == {item.nodeid for item in collected}

    def test_naming_can_be_configured(self) -> None:
        naming = Naming(("check_*.py",), ("check", "*_spec"), ("Check",))
        text = "def check_a(): pass\ndef b_spec(): pass\nclass CheckC:\n    def check_d(s): pass\n"
        file = parse_test_file("tests/check_x.py", text, naming)
        assert [t.name for t in file.tests] == ["check_a", "b_spec", "check_d"]
        assert parse_test_file("tests/test_x.py", text, naming).tests == ()

    def test_lines_include_decorators_and_the_docstring_is_kept(self) -> None:
        text = (
            'import pytest\n\n@pytest.mark.slow\n@pytest.mark.fast\ndef test_a():\n    """Why."""\n'
        )
        (test,) = parse_test_file("tests/test_x.py", text).tests
        assert (test.line, test.end_line, test.doc) == (3, 6, "Why.")

    def test_marks_come_from_function_classes_module_parameters_and_names(self) -> None:
        text = """
import pytest
from pytest import mark
pytestmark = [pytest.mark.req("M-1"), pytest.mark.slow]
ENC = pytest.mark.req("E-1")
IDENTIFIER = "N-1"
@pytest.mark.req("C-1")
class TestA:
    pytestmark = pytest.mark.req("P-1")
    @pytest.mark.req("F-1", "F-2")
    @ENC
    @mark.req(IDENTIFIER)
    @pytest.mark.parametrize("x", [pytest.param(1, marks=pytest.mark.req("R-1"))])
    def test_a(self, x): pass
"""
        (test,) = parse_test_file("tests/test_x.py", text).tests
        assert set(test.requirements) == {"M-1", "C-1", "P-1", "F-1", "F-2", "E-1", "N-1", "R-1"}

    @pytest.mark.parametrize(
        ("mark", "expected"),
        [
            ('@pytest.mark.emergent("why")', "why"),
            ("@pytest.mark.emergent", ""),
            ("@pytest.mark.other('x')", None),
        ],
    )
    def test_emergent(self, mark: str, expected: str | None) -> None:
        (test,) = parse_test_file("tests/test_x.py", f"{mark}\ndef test_a(): pass\n").tests
        assert test.emergent == expected

    @pytest.mark.parametrize("text", ["def test_a(:\n", "x = '\0'\n", "(" * 500, "\ud800"])
    def test_the_unparsable_says_why(self, text: str) -> None:
        file = parse_test_file("tests/test_x.py", text)
        assert file.tests == ()
        assert file.error

    def test_the_digest_does_not_see_line_ends_indentation_and_trailing_space(self) -> None:
        plain = "def test_a():\n    assert 1\n"
        variants = [
            plain.replace("\n", "\r\n"),
            "def test_a():  \n    assert 1\t\n",
            "\n\n" + plain + "\n\nx = 1\n",
        ]
        digests = {parse_test_file("t/test_x.py", v).tests[0].digest for v in [plain, *variants]}
        assert len(digests) == 1
        other = parse_test_file("t/test_x.py", "def test_a():\n    assert 2\n").tests[0]
        assert other.digest not in digests

    @pytest.mark.filterwarnings("error")
    def test_a_user_s_warning_filters_do_not_matter(self) -> None:
        assert names('def test_escape():\n    assert "\\d"\n') == ["test_escape"]

    def test_of_two_definitions_the_last_is_the_test(self) -> None:
        text = "def test_a():\n    assert 0\n\ndef test_a():\n    assert 1\n"
        (test,) = parse_test_file("tests/test_x.py", text).tests
        assert test.line == 4


class TestReading:
    def test_reads_every_python_file_byte_for_byte(self, tmp_path: Path) -> None:
        files = {
            "tests/test_a.py": b"def test_a():\r\n    pass\r\n",
            "tests/conftest.py": b"\xef\xbb\xbfx = 1\n",
            "tests/sub/test_latin.py": b"# -*- coding: latin-1 -*-\ndef test_l(): assert '\xe9'\n",
            "tests/__pycache__/test_a.py": b"",
            "tests/.hidden/test_b.py": b"",
            "tests/data.txt": b"",
        }
        for path, data in files.items():
            (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / path).write_bytes(data)
        suite = read_suite(tmp_path, "tests")
        assert list(suite.files) == [
            "tests/conftest.py",
            "tests/sub/test_latin.py",
            "tests/test_a.py",
        ]
        assert [test.name for test in suite.tests()] == ["test_l", "test_a"]
        for path, text in suite.texts().items():
            assert text.encode("utf-8", "surrogateescape") == files[path]

    def test_a_missing_test_root_is_an_empty_suite(self, tmp_path: Path) -> None:
        assert read_suite(tmp_path, "tests").texts() == {}

    def test_a_dangling_link_is_left_out(self, tmp_path: Path) -> None:
        (tmp_path / "tests").mkdir()
        (tmp_path / "tests/test_a.py").symlink_to("nowhere.py")
        assert read_suite(tmp_path, "tests").files == {}

    def test_the_texts_read_back_as_the_same_suite(self, tmp_path: Path) -> None:
        suite = mixed()
        for path, text in suite.texts().items():
            (tmp_path / path).parent.mkdir(exist_ok=True)
            (tmp_path / path).write_text(text)
        again = read_suite(tmp_path, "tests")
        assert again.files == suite.files
        assert again.owned == suite.owned
        assert again.texts() == suite.texts()
        assert again.warnings == ()

    def test_five_thousand_tests_are_parsed_once(self, tmp_path: Path) -> None:
        (tmp_path / "tests").mkdir()
        for number in range(100):
            body = "".join(f"def test_{number}_{i}():\n    assert {i}\n\n\n" for i in range(50))
            (tmp_path / f"tests/test_{number}.py").write_text(body)
        once, again = (read_suite(tmp_path, "tests") for _ in range(2))
        assert all(again.files[path] is file for path, file in once.files.items())


class TestOwnership:
    def test_what_an_edit_adds_is_the_tool_s(self) -> None:
        suite = mixed()
        assert [test.name for test in suite.owned_tests()] == ["test_ours"]
        assert [test.name for test in suite.user_tests()] == ["test_theirs"]
        assert suite.files_fully_owned() == ()

    def test_a_test_changed_by_hand_is_the_user_s(self) -> None:
        texts = mixed().texts()
        texts["tests/test_x.py"] = texts["tests/test_x.py"].replace("assert True", "assert 1")
        assert suite_of("tests", texts).owned_tests() == ()

    def test_the_user_s_stays_the_user_s_whatever_an_edit_makes_of_it(self) -> None:
        suite = mixed()
        text = suite.files["tests/test_x.py"].text
        after = suite.apply(Edit({"tests/test_x.py": text.replace("== 3", "== 4")}))
        assert "tests/test_x.py::test_theirs" not in after.owned
        assert [test.name for test in after.owned_tests()] == ["test_ours"]

    def test_taking_back_a_hand_made_change_does_not_take_the_test(self) -> None:
        suite = mixed()
        texts = suite.texts()
        ours = texts["tests/test_x.py"]
        texts["tests/test_x.py"] = ours.replace("assert True", "assert 1")
        after = suite_of("tests", texts).apply(Edit({"tests/test_x.py": ours}))
        assert after.owned_tests() == ()

    def test_a_changed_test_of_the_tool_s_stays_its_own(self) -> None:
        suite = mixed()
        text = suite.files["tests/test_x.py"].text.replace("assert True", "assert 2")
        after = suite.apply(Edit({"tests/test_x.py": text}))
        assert [test.name for test in after.owned_tests()] == ["test_ours"]

    def test_a_file_of_the_tool_s_survives_being_broken_and_mended(self) -> None:
        new = Suite("tests").apply(Edit({"tests/test_n.py": TOOL}))
        broken = new.apply(Edit({"tests/test_n.py": "def test_ours(:\n"}))
        mended = broken.apply(Edit({"tests/test_n.py": TOOL + "\n\ndef test_more():\n    pass\n"}))
        assert [test.name for test in mended.owned_tests()] == ["test_ours", "test_more"]

    def test_files_without_tests_are_owned_as_a_whole(self) -> None:
        suite = Suite("tests").apply(Edit({"tests/support.py": "X = 1\n"}))
        assert suite.is_owned_file("tests/support.py")
        texts = {**suite.texts(), "tests/support.py": "X = 2\n"}
        assert not suite_of("tests", texts).is_owned_file("tests/support.py")

    def test_the_file_is_sorted_and_ends_with_a_newline(self) -> None:
        text = mixed().texts()["tests/.lift.json"]
        assert text.endswith("}\n")
        assert json.loads(text)["version"] == 2
        assert list(json.loads(text)["tests"]) == ["tests/test_x.py::test_ours"]

    def test_a_user_s_formatting_of_the_file_is_left_alone(self) -> None:
        texts = mixed().texts()
        texts["tests/.lift.json"] = json.dumps(json.loads(texts["tests/.lift.json"]))
        assert suite_of("tests", texts).texts() == texts

    @pytest.mark.parametrize(
        ("text", "said"),
        [
            ("<<<<<<< HEAD\n", "is not JSON"),
            ('{"version": 3, "tests": {}}', "is of version 3"),
            ('{"version": true}', "names no version"),
            ("[]", "names no version"),
            ('{"version": 1, "tests": []}', "no hashes"),
            ('{"version": 1, "tests": {"a": 3}}', "no hashes"),
            ("[" * 100_000, "is not JSON"),
            ('{"version": ' + "9" * 5000 + "}", "is not JSON"),
        ],
    )
    def test_what_cannot_be_understood_is_the_user_s(self, text: str, said: str) -> None:
        suite = suite_of("tests", {"tests/.lift.json": text, "tests/test_x.py": TOOL})
        assert said in suite.warnings[0]
        assert suite.owned_tests() == ()

    @given(
        st.recursive(
            st.none() | st.booleans() | st.floats() | st.integers() | st.text(),
            lambda inner: (
                st.lists(inner) | st.dictionaries(st.text() | st.sampled_from(["tests"]), inner)
            ),
        ),
        st.sampled_from([1, 2, "1", None]),
    )
    @settings(max_examples=40, deadline=None)
    def test_no_json_makes_it_raise_or_own(self, value: object, version: object) -> None:
        for data in (value, {"version": version, "tests": value, "files": value}):
            said = parse_ownership(json.dumps(data))
            assert all(isinstance(v, str) and len(v) == 16 for v in said.tests.values())

    @given(st.text())
    @settings(max_examples=50, deadline=None)
    def test_no_text_makes_it_raise(self, text: str) -> None:
        parse_ownership(text)


class TestEdits:
    def test_edit_to_is_undone_by_its_reverse(self) -> None:
        one = suite_of("tests", {"tests/test_a.py": TOOL, "tests/test_b.py": TOOL})
        other = suite_of("tests", {"tests/test_a.py": USER, "tests/test_c.py": TOOL})
        edit = one.edit_to(other)
        assert edit.files == {
            "tests/test_a.py": USER,
            "tests/test_b.py": None,
            "tests/test_c.py": TOOL,
        }
        assert one.apply(edit).files == other.files
        assert not one.edit_to(one)

    def test_line_ends_and_byte_order_mark_are_kept(self) -> None:
        suite = suite_of("tests", {"tests/test_x.py": "\ufeff" + USER.replace("\n", "\r\n")})
        text = suite.apply(Edit({"tests/test_x.py": USER + TOOL})).files["tests/test_x.py"].text
        assert text == "\ufeff" + (USER + TOOL).replace("\n", "\r\n")

    def test_source_is_dedented_so_that_it_parses(self) -> None:
        text = 'class TestA:\n    def test_a(self):\n        assert """\nx\n"""\n'
        suite = suite_of("tests", {"tests/test_x.py": text})
        (test,) = suite.tests()
        assert ast.parse(suite.source(test)).body

    def test_a_node_is_found_with_its_parameters(self) -> None:
        assert mixed().function("tests/test_x.py::test_ours[1-a::b]").name == "test_ours"  # type: ignore[union-attr]
        assert mixed().function("tests/test_x.py::test_none") is None


class TestWithout:
    def cut(self, text: str, *names: str) -> str | None:
        suite = Suite("tests").apply(Edit({"tests/test_x.py": text}))
        file = suite.without(f"tests/test_x.py::{n}" for n in names).files.get("tests/test_x.py")
        return file.text if file else None

    def test_takes_decorators_and_the_blank_lines_before(self) -> None:
        text = "x = 1\n\n\n@mark\ndef test_a():\n    pass\n\n\ndef test_b():\n    pass\n"
        assert self.cut(text, "test_a") == "x = 1\n\n\ndef test_b():\n    pass\n"
        assert self.cut(text, "test_b") == "x = 1\n\n\n@mark\ndef test_a():\n    pass\n"

    def test_an_emptied_class_goes_and_one_with_helpers_stays(self) -> None:
        text = 'class TestA:\n    """Why."""\n    def test_a(self): pass\n\ndef test_b(): pass\n'
        assert self.cut(text, "TestA::test_a") == "\ndef test_b(): pass\n"
        text = "class TestA:\n    def f(self): pass\n    def test_a(self): pass\n" + TOOL
        assert self.cut(text, "TestA::test_a") == "class TestA:\n    def f(self): pass\n" + TOOL

    def test_an_emptied_block_gets_a_pass(self) -> None:
        text = "if x:\n    def test_a(): pass\nelse:\n    def test_b(): pass\n"
        expected = "if x:\n    pass\nelse:\n    def test_b(): pass\n"
        assert self.cut(text, "test_a") == expected

    def test_the_last_test_takes_the_tool_s_file_with_it(self) -> None:
        suite = Suite("tests").apply(Edit({"tests/test_x.py": "import os\n\n\n" + TOOL}))
        after = suite.without(["tests/test_x.py::test_ours[1]"])
        assert after.files == {}
        assert after.texts() == {}

    def test_a_file_with_something_of_the_user_s_stays(self) -> None:
        text = USER.replace("def test_theirs(number):\n    assert number == 3\n", "")
        suite = suite_of("tests", {"tests/test_x.py": text})
        suite = suite.apply(Edit({"tests/test_x.py": text + TOOL}))
        assert (
            "def number"
            in suite.without(["tests/test_x.py::test_ours"]).files["tests/test_x.py"].text
        )

    def test_unknown_nodes_are_passed_over(self) -> None:
        suite = mixed()
        assert suite.without(["tests/test_x.py::test_no", "nowhere"]) == suite

    def test_a_continued_line_is_not_joined_to_what_follows(self) -> None:
        text = "x = 1 \\\n\ndef test_a(): pass\ndef test_b(): pass\n"
        left = self.cut(text, "test_a")
        assert left is not None
        assert len(ast.parse(left).body) == 2

    @given(st.data())
    @settings(max_examples=60, deadline=None)
    def test_the_rest_is_byte_identical_and_parses(self, data: st.DataObject) -> None:
        end = data.draw(st.sampled_from(["\n", "\r\n"]))
        filler = st.sampled_from(
            [
                "x = 1\n",
                "# note\n",
                '"""\n\n@a\n"""\n',
                "\n",
                "\n\n",
                "\x0c\n",
                "def help(): pass\n",
            ]
        )
        pieces: list[tuple[str, str]] = []
        for number in range(data.draw(st.integers(1, 6))):
            pieces.append(("", data.draw(filler)))
            kind = data.draw(st.sampled_from(["function", "method", "decorated"]))
            gap = data.draw(st.sampled_from(["", "\n", "\n\n"]))
            body = "    assert '''\n\n  a\n'''  # end\n"
            source = {
                "function": f"def test_{number}():\n{body}",
                "decorated": f"@a(\n  1\n)\n@b\nasync def test_{number}():\n{body}",
                "method": f"class Test{number}:\n    def test_{number}(self):\n    {body}",
            }[kind]
            name = f"Test{number}::test_{number}" if kind == "method" else f"test_{number}"
            pieces.append((name, gap + source))
        pieces.append(("", "def test_last(): pass\n"))
        everything = [name for name, _ in pieces if name]
        doomed = data.draw(st.sets(st.sampled_from(everything)))
        text = "".join(part for _, part in pieces).replace("\n", end)
        left = self.cut(text, *doomed)
        expected = ""
        for name, part in pieces:
            if name in doomed:
                expected = _rstrip_blank(expected)
            else:
                expected += part
        assert left == expected.replace("\n", end)
        assert set(names(left or "")) == {*everything, "test_last"} - doomed


def _rstrip_blank(text: str) -> str:
    lines = text.split("\n")[:-1]
    while lines and not lines[-1].strip():
        lines.pop()
    return "".join(line + "\n" for line in lines)


class TestMerging:
    def test_adds_only_missing_imports(self) -> None:
        text = "import os\nfrom a import b\n\nx = 1\n"
        merged = merge_tests(text, ["import os", "from a import b, c", "import json"], TOOL)
        assert merged == (
            "import json\nimport os\nfrom a import b\nfrom a import c\n\nx = 1\n\n\n" + TOOL
        )

    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("", "import os\n\n\n"),
            ("# licence\n", "# licence\n\nimport os\n\n\n"),
            ('"""Doc."""\n', '"""Doc."""\n\nimport os\n\n\n'),
            ("x = 1", "import os\n\nx = 1\n\n\n"),
            (
                "from __future__ import annotations\n\n\n",
                "from __future__ import annotations\n\nimport os\n\n\n",
            ),
            ("\ufeffx = 1\n", "\ufeffimport os\n\nx = 1\n\n\n"),
        ],
    )
    def test_where_imports_go_without_others(self, text: str, expected: str) -> None:
        assert merge_tests(text, ["import os"], TOOL) == expected + TOOL

    def test_future_imports_come_first(self) -> None:
        text = '"""Doc."""\nimport os\n'
        merged = merge_tests(text, ["from __future__ import annotations", "import re"], TOOL)
        ast.parse(merged)
        assert merged.index("__future__") < merged.index("import os") < merged.index("import re")

    def test_every_other_byte_stays(self) -> None:
        text = "import os\r\n\r\nx = '\t \x0c'  \r\n# end"
        merged = merge_tests(text, [], TOOL)
        assert merged.startswith(text)
        assert "\n" not in merged.replace("\r\n", "")

    def test_line_ends_inside_the_tests_follow_the_file(self) -> None:
        assert merge_tests("x = 1\r\n", ["import os"], TOOL).count("\n") == 7

    def test_a_statement_that_is_no_import_is_refused(self) -> None:
        with pytest.raises(SyntaxError, match="no import"):
            merge_tests("", ["x = 1"], TOOL)

    @given(st.lists(st.sampled_from(["import a", "from a import b", "import a.b as c"])))
    @settings(max_examples=30, deadline=None)
    def test_merging_twice_adds_imports_once(self, imports: list[str]) -> None:
        once = merge_tests(USER, imports, TOOL)
        assert merge_tests(once, imports, "") == once


class TestRefusals:
    def refused(self, suite: Suite, path: str, text: str | None) -> str:
        return "\n".join(refusals(suite, Edit({path: text})))

    def changed(self, old: str, new: str) -> str:
        suite = mixed()
        text = suite.files["tests/test_x.py"].text
        assert old in text
        return self.refused(suite, "tests/test_x.py", text.replace(old, new))

    @pytest.mark.parametrize(
        "path",
        [
            "/tmp/test_a.py",
            "tests/../test_a.py",
            "tests/./test_a.py",
            "tests//test_a.py",
            "test_a.py",
            "other/test_a.py",
            "tests2/test_a.py",
            "tests/a.txt",
            "tests/.lift.json",
            "tests/.hidden/test_a.py",
            "tests/__pycache__/test_a.py",
            "tests\\test_a.py",
            "C:/tests/test_a.py",
            "tests/test_x.py/test_a.py",
            "tests/test_\0a.py",
            "tests/test_\na.py",
            "tests/" + "x" * 300 + ".py",
            "",
            ".",
        ],
    )
    def test_paths_that_are_none_of_the_suite(self, path: str) -> None:
        assert self.refused(mixed(), path, TOOL)

    def test_new_and_changed_tests_of_its_own_are_fine(self) -> None:
        suite = mixed()
        assert not self.refused(suite, "tests/test_new.py", TOOL)
        assert not self.refused(suite, "tests/sub/test_new.py", TOOL)
        assert not self.changed("assert True", "assert 1")
        assert not self.changed("import pytest\n", "import json\nimport pytest\n")
        assert not self.changed("def test_ours", "def _helper(): pass\n\n\ndef test_ours")
        assert not self.changed("def test_ours", "X = [number for number in (1, 2)]\ndef test_ours")
        assert not self.refused(suite, "tests/test_x.py", USER)

    @pytest.mark.parametrize(
        ("old", "new", "said"),
        [
            ("== 3", "== 4", "changes your test test_theirs"),
            ("def test_theirs", "def test_renamed", "deletes your test test_theirs"),
            ("assert True", "assert True\ndef test_theirs(): pass", "changes your test"),
            ("return 3", "return 4", "outside tests: def number"),
            ("import pytest\n", "import pytest as p\n", "import of pytest"),
            ("def test_ours", "def number(): pass\ndef test_ours", "again"),
            ("def test_ours", "del number\ndef test_ours", "again"),
            ("def test_ours", "del pytest\ndef test_ours", "again"),
            ("def test_ours", "pytest = None\ndef test_ours", "again"),
            ("def test_ours", "if True:\n    def number(): pass\ndef test_ours", "again"),
            ("def test_ours", "if True:\n    import number\ndef test_ours", "again"),
            ("def test_ours", "match 1:\n    case number: pass\ndef test_ours", "again"),
            ("def test_ours", "import number\ndef test_ours", "a meaning"),
            ("def test_ours", "from x import pytest\ndef test_ours", "a meaning"),
            ("def test_ours", "def setup_module(): pass\ndef test_ours", "acts on your tests"),
            ("def test_ours", "pytestmark = 1\ndef test_ours", "acts on your tests"),
            (
                "def test_ours",
                "if True:\n    def setup_module(): pass\ndef test_ours",
                "acts on your tests",
            ),
            (
                "def test_ours",
                "@pytest.fixture(autouse=True)\ndef _fx(): pass\ndef test_ours",
                "autouse",
            ),
            ("assert True", "assert (", "SyntaxError"),
        ],
    )
    def test_what_reaches_into_the_user_s_code(self, old: str, new: str, said: str) -> None:
        assert said in self.changed(old, new)

    @pytest.mark.parametrize(
        ("old", "new"),
        [
            ("# why it is so\n", ""),
            ("    return  3  # spaced\n", "    return 3\n"),
            ("# the end\n", "# The end\n"),
        ],
    )
    def test_comments_and_layout_of_the_user_s(self, old: str, new: str) -> None:
        text = (
            "# why it is so\ndef three():\n    return  3  # spaced\n\n\n" + TOOL + "\n# the end\n"
        )
        theirs = text.replace(TOOL, "def test_theirs(): pass\n")
        suite = suite_of("tests", {"tests/test_x.py": theirs})
        added = merge_tests(theirs, ["import os"], TOOL)
        assert self.refused(suite, "tests/test_x.py", added) == ""
        said = self.refused(suite, "tests/test_x.py", added.replace(old, new))
        assert said.startswith("tests/test_x.py: changes or removes your line '")

    def test_mixed_line_ends_are_the_user_s_too(self) -> None:
        theirs = "import os\r\n\n\ndef test_theirs():\n    assert os\r\n"
        suite = suite_of("tests", {"tests/test_x.py": theirs})
        added = merge_tests(theirs, [], TOOL)
        assert self.refused(suite, "tests/test_x.py", added) == ""
        assert "your line" in self.refused(suite, "tests/test_x.py", added.replace("\r", ""))

    def test_methods_beside_the_user_s(self) -> None:
        text = "class TestA:\n    def test_a(self):\n        assert self\n"
        suite = suite_of("tests", {"tests/test_x.py": text})
        more = text + "    def test_b(self):\n        assert 1\n"
        assert not self.refused(suite, "tests/test_x.py", more)
        special = text + "    def setup_method(self):\n        pass\n"
        assert "setup_method" in self.refused(suite, "tests/test_x.py", special)
        base = text.replace("TestA:", "TestA(Base):")
        assert "class TestA" in self.refused(suite, "tests/test_x.py", base)

    def test_deleting(self) -> None:
        suite = suite_of("tests", {"tests/test_x.py": USER, "tests/data.py": "X = 1\n"})
        suite = suite.apply(Edit({"tests/test_n.py": TOOL, "tests/conftest.py": ""}))
        assert "deletes your test" in self.refused(suite, "tests/test_x.py", None)
        assert "deletes a file of yours" in self.refused(suite, "tests/data.py", None)
        assert not self.refused(suite, "tests/test_n.py", None)
        assert not self.refused(suite, "tests/conftest.py", None)

    def test_an_unparsable_file_of_the_user_s_is_not_replaced(self) -> None:
        suite = suite_of("tests", {"tests/test_x.py": "def test_a(:\n"})
        assert "cannot be parsed" in self.refused(suite, "tests/test_x.py", TOOL)
        assert "deletes a file" in self.refused(suite, "tests/test_x.py", None)

    @pytest.mark.parametrize(
        "text",
        [
            "def pytest_runtest_setup(item): pass\n",
            "from plug import pytest_configure\n",
            "pytest_plugins = ['x']\n",
            "if True:\n    def pytest_configure(): pass\n",
            "from plug import *\n",
            "@pytest.fixture(autouse=True)\ndef fx(): pass\n",
            "@pytest.fixture(autouse=FLAG)\ndef fx(): pass\n",
            "@pytest.fixture(**options)\ndef fx(): pass\n",
            "fx = pytest.fixture(autouse=1)(lambda: 1)\n",
            "@pytest.fixture\ndef number(): return 4\n",
        ],
    )
    def test_a_conftest_that_acts_unasked(self, text: str) -> None:
        assert self.refused(mixed(), "tests/conftest.py", "import pytest\n" + text)

    def test_a_conftest_with_plain_fixtures_is_fine(self) -> None:
        text = "import pytest\n@pytest.fixture\ndef fresh(): return 4\n"
        assert not self.refused(mixed(), "tests/conftest.py", text)
        theirs = "def pytest_configure(): pass\n"
        suite = suite_of("tests", {"tests/conftest.py": theirs, "tests/test_x.py": USER})
        assert not self.refused(suite, "tests/conftest.py", theirs + text)

    def test_new_files_that_change_how_others_are_imported(self) -> None:
        assert "imported" in self.refused(mixed(), "tests/__init__.py", "")
        assert "json" in self.refused(mixed(), "tests/json.py", "")
        assert not self.refused(mixed(), "tests/sub/__init__.py", "")

    def test_what_is_nested_too_deeply_is_refused_not_raised(self) -> None:
        text = USER + "x = " + "+".join(["1"] * 20_000) + "\n"
        assert self.refused(mixed(), "tests/test_x.py", text)


def test_a_byte_order_mark_is_in_no_test_and_in_no_statement() -> None:
    text = '\ufeffdef test_a():\n    """It is."""\n    assert 1\n\n\nx = 1\n'
    suite = suite_of("tests", {"tests/test_a.py": text})
    (test,) = suite.tests()
    assert suite.source(test).startswith("def test_a")
    assert suite.around("tests/test_a.py") == suite_of(
        "tests", {"tests/test_a.py": text.removeprefix("\ufeff")}
    ).around("tests/test_a.py")


@pytest.mark.parametrize(
    ("head", "coding"), [("\ufeff", "utf-8"), ("# coding: latin-1\n", "latin-1"), ("", "utf-8")]
)
def test_what_stands_beside_tests_is_known_in_every_coding(head: str, coding: str) -> None:
    def around(value: str) -> str:
        text = f"{head}NAME = '{value}'\n\n\ndef test_it():\n    assert NAME\n"
        texts = {"tests/test_x.py": from_bytes(text.encode(coding))}
        return suite_of("tests", texts).around("tests/test_x.py")

    assert around("\u00e9") != around("\u00e8")
    assert around("\u00e9") == around("\u00e9")
