"""Tests of a file as pytest finds them, with their places and texts."""

from __future__ import annotations

import pytest
from two_owners import names

from pytest_lift.suite.collection import Naming
from pytest_lift.suite.test_file import parse_test_file


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
