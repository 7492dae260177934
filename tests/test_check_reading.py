"""`check/reading.py`: tests and marks of a file, whatever stands in it."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_lift.check.reading import file_of_row, read_text, row_of_file
from pytest_lift.marks.marks import LinkNames
from pytest_lift.source.syntax import from_bytes, split_lines
from pytest_lift.suite.collection import Naming
from pytest_lift.suite.test_file import parse_test_file, with_inherited

NAMING = Naming(links=LinkNames(properties=("covers",)))
PIECES = (
    b"# -*- coding: latin-1 -*-\n", b"# coding: utf-7\n", b"# coding: shift_jis\n", b"# coding: x\n",
    b"\xef\xbb\xbf", b"\n", b"\r\n", b"\r", b"\x0c", b"\x00", b"\xe9", "é".encode(), b"+AAo-", b"\\\n",
    b"@pytest.mark.req", b'("A")\n', b"def test_a(): pass\n", b"class TestA(TestA):\n", b"    ",
    b"pytestmark = ", b"x = ", b"x\n", b"@x\n", b"[x, *x]", b"f'{x}'", b"async ", b"def \\\ntest_b(): pass\n",
    b'""":req: A, B', b":req: C\n", b'"""\n', b"def test_d():\n  ':req: D'\n", b"  '\\n:req: \\x45'\n",
    b"@pytest.mark.emergent\n", b"def test_c(r): r.record_property('covers', x)\n",
)  # fmt: skip


@given(pieces=st.lists(st.sampled_from(PIECES) | st.binary(max_size=4), max_size=12))
@settings(max_examples=500, deadline=None)
def test_no_content_makes_it_raise_and_the_cache_gives_it_back(pieces: list[bytes]) -> None:
    text = from_bytes(b"".join(pieces))
    found = read_text("tests/test_a.py", text, NAMING)
    assert found.tests == parse_test_file("tests/test_a.py", text, NAMING).tests
    if not found.broken:
        row = json.loads(json.dumps(row_of_file(found)))
        assert vars(file_of_row(found.path, text, row)) == vars(found)


@pytest.mark.parametrize(
    "text",
    [
        "def test_a(): pass\n",
        "x = 1\r\nasync  def   test_a(): pass\r\n",
        "class TestÄ:\n    def test_a(self): pass\n",
        "x = 'é'; y = 2\r\n\r\n@d('é')\r\ndef test_a(): pass\r\n",
        "\x0cdef test_a(): pass\n",
    ],
)
def test_the_place_of_a_test_is_its_name(text: str) -> None:
    (test,) = read_text("tests/test_a.py", text, NAMING).tests
    line = split_lines(text)[test.place.line - 1]
    assert line[test.place.column - 1 : test.place.end_column - 1] == "test_a"


def test_marks_of_mixins_count_where_they_are_written() -> None:
    text = """
class StackTests:
    @pytest.mark.req("A")
    def test_push(self): pass

    def test_pop(self): pass


class ListStackTest(StackTests, unittest.TestCase): pass
"""
    for path in ("tests/test_a.py", "tests/mixins.py"):
        found = read_text(path, text, NAMING)
        (test,) = found.mixins
        assert (test.inner_node, test.requirements) == ("StackTests::test_push", ("A",))
        (inheriting,) = with_inherited([found])
        assert inheriting.tests == (test,)
        idle = read_text(path, text.replace("(StackTests, ", "("), NAMING)
        assert [file.tests for file in with_inherited([idle])] == [()]
        assert [file.tests for file in with_inherited([idle], every=True)] == [idle.mixins]


def test_fields_of_mixins_count_where_they_are_written() -> None:
    text = 'class StackTests:\n    def test_push(self):\n        """:req: A"""\n'
    for path in ("tests/test_a.py", "tests/mixins.py"):
        (test,) = read_text(path, text, NAMING).mixins
        assert test.inner_node == "StackTests::test_push"


def test_functions_of_files_that_pytest_does_not_collect_are_no_tests() -> None:
    text = '@pytest.mark.req("A")\ndef test_a(): pass\n'
    assert with_inherited([read_text("tests/made.py", text, NAMING)])[0].tests == ()
    assert read_text("tests/made.py", "mark req (", NAMING).broken is None


@pytest.mark.parametrize(
    "head",
    [
        "from pytest import mark as m",
        "import pytest\nm = pytest.mark",
        "import pytest as pt\nm = pt.mark",
    ],
)
def test_other_names_of_mark_are_followed(head: str) -> None:
    found = read_text("tests/test_a.py", f'{head}\n@m.req("A")\ndef test_a(): pass\n', NAMING)
    assert found.tests[0].requirements == ("A",)
