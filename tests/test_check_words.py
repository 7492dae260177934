"""All that is said of a file with one fault of each kind: rule, place, words, what to do."""

from __future__ import annotations

from pathlib import Path

from checked_project import CheckedProject
from test_checking import own

TESTS = '''
@pytest.mark.req("ENC-1", "ENC-1")
def test_twice_in_a_mark():
    """One.

    :req: ENC-2, ENC-2
    """


@pytest.mark.req("ENC-1")
@pytest.mark.req("ENC-1")
class TestTwo:
    def test_two_marks(self):
        pass


@pytest.mark.req("ENC-2")
@pytest.mark.req("GONE-1")
@pytest.mark.req("GONE-1")
@pytest.mark.req("ENC-2")
def test_each_of_two(): pass


def test_generated(): pass


@pytest.mark.skip
@pytest.mark.req("ENC-3")
def test_never(): pass


@pytest.mark.req("ENC-3")
def test_again(): pass


@pytest.mark.skip
@pytest.mark.req("ENC-3")
def test_again(): pass


@pytest.mark.req("WAI-1")
def test_waived():
    """Two.

    :req: WAI-1
    """


@pytest.mark.req(7)
def test_malformed():
    """Three.

    :req:
    """


@pytest.mark.req("ENC-1")
def helper(): pass
'''

SAID = [
    (
        "uncovered",
        "warning",
        "requirements.yml",
        [4, 1, 4, 1],
        "no test that runs names 'ENC-3' (about ENC-3)",
        "let tests/test_a.py::test_never and 2 more run, or exempt the requirement",
        "ENC-3",
        "",
    ),
    (
        "duplicate-id",
        "warning",
        "tests/test_a.py",
        [2, 27, 2, 34],
        "the link to 'ENC-1' exists twice, also at line 2",
        "remove one of the two",
        "ENC-1",
        "test_twice_in_a_mark",
    ),
    (
        "duplicate-id",
        "warning",
        "tests/test_a.py",
        [6, 18, 6, 23],
        "the link to 'ENC-2' exists twice, also at line 6",
        "remove one of the two",
        "ENC-2",
        "test_twice_in_a_mark",
    ),
    (
        "duplicate-id",
        "warning",
        "tests/test_a.py",
        [13, 9, 13, 23],
        "the link to 'ENC-1' exists twice, also at line 11",
        "remove one of the two",
        "ENC-1",
        "TestTwo::test_two_marks",
    ),
    (
        "duplicate-id",
        "warning",
        "tests/test_a.py",
        [17, 18, 17, 25],
        "the link to 'ENC-2' exists twice, also at line 20",
        "remove one of the two",
        "ENC-2",
        "test_each_of_two",
    ),
    (
        "duplicate-id",
        "warning",
        "tests/test_a.py",
        [18, 18, 18, 26],
        "the link to 'GONE-1' exists twice, also at line 19",
        "remove one of the two",
        "GONE-1",
        "test_each_of_two",
    ),
    (
        "unknown-id",
        "error",
        "tests/test_a.py",
        [18, 18, 18, 26],
        "no requirement 'GONE-1'",
        "correct the id, or write the requirement",
        "GONE-1",
        "test_each_of_two",
    ),
    (
        "unknown-id",
        "error",
        "tests/test_a.py",
        [19, 18, 19, 26],
        "no requirement 'GONE-1'",
        "correct the id, or write the requirement",
        "GONE-1",
        "test_each_of_two",
    ),
    (
        "unlinked-generated",
        "warning",
        "tests/test_a.py",
        [24, 5, 24, 19],
        "the generated test test_generated names no requirement",
        "write :req: ID, or :emergent: why, in its docstring, or the mark of that name",
        "",
        "test_generated",
    ),
    (
        "always-skipped",
        "warning",
        "tests/test_a.py",
        [29, 5, 29, 15],
        "test_never never runs: it is skipped in line 27",
        "let it run, or exempt what it names",
        "",
        "test_never",
    ),
    (
        "shadowed-test",
        "warning",
        "tests/test_a.py",
        [33, 5, 33, 15],
        "test_again never runs: test_again exists twice, also at line 38",
        "give one of the two another name",
        "",
        "test_again",
    ),
    (
        "always-skipped",
        "warning",
        "tests/test_a.py",
        [38, 5, 38, 15],
        "test_again never runs: it is skipped in line 36",
        "let it run, or exempt what it names",
        "",
        "test_again",
    ),
    (
        "duplicate-id",
        "warning",
        "tests/test_a.py",
        [41, 18, 41, 25],
        "the link to 'WAI-1' exists twice, also at line 45",
        "remove one of the two",
        "WAI-1",
        "test_waived",
    ),
    (
        "retired-id",
        "warning",
        "tests/test_a.py",
        [41, 18, 41, 25],
        "WAI-1 is exempt from testing (waived: not now)",
        "remove the mark, or the exemption at requirements.yml:5",
        "WAI-1",
        "test_waived",
    ),
    (
        "retired-id",
        "warning",
        "tests/test_a.py",
        [45, 11, 45, 16],
        "WAI-1 is exempt from testing (waived: not now)",
        "remove the id, or the exemption at requirements.yml:5",
        "WAI-1",
        "test_waived",
    ),
    (
        "malformed-mark",
        "error",
        "tests/test_a.py",
        [49, 18, 49, 19],
        "req has an argument that is not a string",
        'write the ids as strings: @pytest.mark.req("ID")',
        "",
        "test_malformed",
    ),
    (
        "unlinked-generated",
        "warning",
        "tests/test_a.py",
        [50, 5, 50, 19],
        "the generated test test_malformed names no requirement",
        "write :req: ID, or :emergent: why, in its docstring, or the mark of that name",
        "",
        "test_malformed",
    ),
    (
        "malformed-mark",
        "error",
        "tests/test_a.py",
        [53, 5, 53, 10],
        "req names no requirement",
        "write the ids behind it: :req: ID",
        "",
        "test_malformed",
    ),
    (
        "mark-not-collected",
        "warning",
        "tests/test_a.py",
        [57, 2, 57, 26],
        "the link on helper has no effect: it is a function that is not a test",
        "put it on a test",
        "",
        "",
    ),
]
"""(rule, severity, file, line and column of its beginning and end, what, what to do, requirement,
test)."""
PLACE = ("line", "column", "end_line", "end_column")


def test_all_that_is_said(tmp_path: Path) -> None:
    project = CheckedProject(tmp_path).require("ENC-1", "ENC-2", "ENC-3", WAI_1="waived")
    project.tests(TESTS)
    own(project)
    found = [
        (
            *(one[name] for name in ("rule", "severity", "file")),
            [one[name] for name in PLACE],
            *(one[name] for name in ("what", "todo", "requirement")),
            one["test"].removeprefix("tests/test_a.py::"),
        )
        for one in project.json().data["problems"]
    ]
    assert found == SAID


def test_a_requirement_that_one_test_names_which_never_runs(tmp_path: Path) -> None:
    project = CheckedProject(tmp_path).require("ENC-1")
    never = '@pytest.mark.skip\n@pytest.mark.req("ENC-1")\ndef test_never(): pass\n'
    [uncovered] = [
        one for one in project.tests(never).json().data["problems"] if one["rule"] == "uncovered"
    ]
    assert "tests/test_a.py::test_never" in uncovered["todo"]


def test_a_requirement_that_no_test_names(tmp_path: Path) -> None:
    project = CheckedProject(tmp_path).require("ENC-1").tests("def test_a(): pass\n")
    [uncovered] = project.json().data["problems"]
    assert (uncovered["rule"], uncovered["requirement"]) == ("uncovered", "ENC-1")
    for spelling in ('@pytest.mark.req("ENC-1")', ":req: ENC-1", "exempt"):
        assert spelling in uncovered["todo"]


def test_unittests_own_ways_to_skip(tmp_path: Path) -> None:
    project = CheckedProject(tmp_path).require("ENC-1", "ENC-2", "ENC-3", "ENC-4")
    project.tests(
        """
        import unittest

        class TestAll(unittest.TestCase):
            @unittest.skipIf(True, "not now")
            @pytest.mark.req("ENC-1")
            def test_if(self): pass

            @unittest.skipUnless(False, "not now")
            @pytest.mark.req("ENC-2")
            def test_unless(self): pass

            @unittest.skipIf(False, "never")
            @pytest.mark.req("ENC-3")
            def test_not_if(self): pass

            @unittest.skipUnless(True, "never")
            @pytest.mark.req("ENC-4")
            def test_not_unless(self): pass
        """
    )
    rules = [(one["rule"], one["requirement"]) for one in project.json().data["problems"]]
    assert sorted(rules) == [
        ("always-skipped", ""),
        ("always-skipped", ""),
        ("uncovered", "ENC-1"),
        ("uncovered", "ENC-2"),
    ]
