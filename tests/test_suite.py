"""Suites as values: reading, editing, cutting tests out, in every coding."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from two_owners import TOOL, USER, mixed, names

from pytest_lift.source.syntax import from_bytes
from pytest_lift.suite.suite import Edit, Suite, read_suite, suite_of


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
