"""What the gate lets through, property by property; hostile edits change nothing of the user's."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_lift.gate.gating import gate
from pytest_lift.oracles.discrepancies import Discrepancy
from pytest_lift.requirements.requirement import Requirement, Requirements
from pytest_lift.source.program import Program, SourceFile
from pytest_lift.suite.suite import Edit, Suite, suite_of

ASKED = Requirements((Requirement("R-1", "one", "d", ("a",), ("Shop", "Cash desk"), "r.yml", 1),))
SOURCE = (
    'def f(x=0):\n    if x < 0:\n        raise ValueError("no negative number")\n    return x + 1\n'
)
PROGRAM = Program(
    ("pkg",),
    ("pkg",),
    ("",),
    {p: SourceFile(p, m, SOURCE) for p, m in (("pkg/a.py", "pkg.a"), ("pkg/b.py", "pkg.b"))},
)
HEAD = '"""Tests."""\n\nimport pytest\nfrom pkg.a import f\n\n\n'
GOOD = '@pytest.mark.req("R-1")\ndef test_good():\n    """Intent."""\n    assert f(1) == 2\n'
MORE = '@pytest.mark.req("R-1")\ndef test_more():\n    """Intent."""\n    assert f(2) == 3\n    assert f(3) == 4\n'
USERS = "def test_mine():\n    assert True\n"
A = "tests/test_a.py"


def written(body: str) -> str:
    return f"{HEAD}{GOOD}\n\n{body}"


def one(body: str, mark: str = '@pytest.mark.req("R-1")\n') -> str:
    return f'{mark}def test_x():\n    """I."""\n{body}'


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (one("    assert f() == 1\n", '@pytest.mark.req("R-2")\n'), "unknown requirement 'R-2'"),
        (one("    assert f() == 1\n", ""), "neither a req mark nor an emergent"),
        ('@pytest.mark.req("R-1")\ndef test_x():\n    assert f() == 1\n', "no docstring"),
        (one("    f()\n"), "asserts nothing"),
        (one("    f()\n    assert True\n"), "asserts nothing"),
        (one("    with pytest.raises(Exception):\n        f()\n"), "any exception"),
        (one("    with pytest.raises(BaseException):\n        f()\n"), "any exception"),
        (one("    with pytest.raises(Exception, match='number'):\n        f()\n"), "any exception"),
        (one("    with pytest.raises(Exception, match='.* .*'):\n        f()\n"), "any exception"),
        (one("    with pytest.raises(Exception, match='(no number)?'):\n        f()\n"), "any exception"),
        (one("    with pytest.raises(Exception, match='no number|e'):\n        f()\n"), "any exception"),
        (one("    with pytest.raises(Exception, match='no number('):\n        f()\n"), "any exception"),
        (one("    with pytest.raises(BaseException, match='negative number'):\n        f()\n"), "any exception"),
        (one("    with pytest.raises((ValueError, Exception)):\n        f()\n"), "any exception"),
        (one("    with pytest.raises(expected_exception=Exception):\n        f()\n"), "any exception"),
        (one("    assert [1].count(1) == 1\n"), "does not touch the program (pkg)"),
        (one("    assert f() == 1\n", '@pytest.mark.req("R-1")\n@pytest.mark.xfail\n'), "expects a test to fail"),
        (one("    assert f() == 1\n", '@pytest.mark.req("R-1")\n@pytest.mark.skip\n'), "without a reason"),
        (one("    import sys\n    sys.platform = 'win32'\n    assert f() == 1\n"), "fakes sys.platform"),
        (one("    with pytest.raises(ValueError, match='invalid literal'):\n        f('a')\n"), "(invalid, literal)"),
    ],
)  # fmt: skip
def test_a_faulty_test_is_left_out_and_the_good_one_stays(body: str, reason: str) -> None:
    gated = gate(Edit({A: written(body)}), Suite("tests"), ASKED, PROGRAM)
    assert [test.name for test in gated.suite.tests()] == ["test_good"]
    assert len(gated.refused) == 1
    assert reason in gated.refused[0].what
    assert gated.refused[0].tests == ("tests/test_a.py::test_x",)


@pytest.mark.parametrize(
    "body",
    [
        one("    assert f() == 1\n", '@pytest.mark.emergent("seen")\n'),
        one("    with pytest.raises(ValueError, match='negative number'):\n        f(-1)\n"),
        one("    with pytest.raises(Exception, match='negative number'):\n        f(-1)\n"),
        '@pytest.mark.req("R-1")\nclass TestX:\n    def test_x(self):\n        """I."""\n        assert f()\n',
    ],
)
def test_a_sound_test_passes(body: str) -> None:
    gated = gate(Edit({A: written(body)}), Suite("tests"), ASKED, PROGRAM)
    assert gated.refused == ()
    assert len(list(gated.suite.tests())) == 2


def test_without_requirements_no_link_is_asked_for() -> None:
    gated = gate(Edit({A: HEAD + one("    assert f() == 1\n", "")}), Suite("tests"), Requirements(), PROGRAM)  # fmt: skip
    assert gated.refused == ()


@pytest.mark.parametrize(
    ("path", "instead"),
    [
        ("tests/test_a_additional2.py", "tests/test_a.py"),
        ("tests/unit/test_a.py", "tests/test_a.py"),
        ("tests/support.py", "tests/conftest.py"),
        ("tests/far/conftest.py", "tests/conftest.py"),
        ("tests/test_checkout.py", "tests/test_a.py"),
    ],
)
def test_a_new_file_at_an_odd_place_is_told_its_place(path: str, instead: str) -> None:
    gated = gate(Edit({path: HEAD + GOOD}), Suite("tests"), ASKED, PROGRAM)
    assert not gated.suite.files
    assert f"instead: {'write' * ('conftest' not in instead)}" in gated.refused[0].what
    assert instead in gated.refused[0].what


@pytest.mark.parametrize(
    "path",
    [A, "tests/test_b.py", "tests/test_cash_desk.py", "tests/test_shop.py", "tests/test_shop_cash_desk.py"],
)  # fmt: skip
def test_a_new_file_at_a_place_of_the_layout_passes(path: str) -> None:
    gated = gate(Edit({path: HEAD + GOOD}), Suite("tests"), ASKED, PROGRAM)
    assert gated.refused == ()
    assert list(gated.suite.files) == [path]


def test_a_feature_with_the_name_of_a_module_has_no_second_file() -> None:
    asked = Requirements((Requirement("R-1", "one", "d", ("a",), ("a",), "r.yml", 1),))
    before = suite_of("tests", {"tests/pkg/test_a.py": f"import pkg.a\n{USERS}"})
    gated = gate(Edit({A: HEAD + GOOD}), before, asked, PROGRAM)
    assert list(gated.suite.files) == ["tests/pkg/test_a.py"]
    assert "instead: write them in tests/pkg/test_a.py" in gated.refused[0].what


def accepted(text: str = HEAD + GOOD + "\n\n" + MORE) -> Suite:
    gated = gate(Edit({A: text}), Suite("tests"), ASKED, PROGRAM)
    assert gated.refused == ()
    return gated.suite


def test_what_an_edit_drops_is_put_back_and_what_it_adds_is_kept() -> None:
    edit = Edit({A: HEAD + one("    assert f(8) == 9\n")})
    gated = gate(edit, accepted(), ASKED, PROGRAM)
    assert {test.name for test in gated.suite.owned_tests()} == {"test_x", "test_good", "test_more"}
    assert {finding.tests for finding in gated.refused} == {(f"{A}::test_good",), (f"{A}::test_more",)}  # fmt: skip
    assert all("it stays as it was: add, do not replace" in f.what for f in gated.refused)


def test_an_accepted_test_that_an_edit_spoils_stays_as_it_was() -> None:
    before = accepted()
    spoilt = before.files[A].text.replace("R-1", "R-99", 1)
    gated = gate(Edit({A: spoilt}), before, ASKED, PROGRAM)
    assert gated.suite.files == before.files
    assert gated.suite.owned == before.owned
    assert "unknown requirement 'R-99'; it stays as it was" in gated.refused[0].what


def test_a_link_of_an_accepted_test_may_be_corrected() -> None:
    before = accepted()
    linked = before.files[A].text.replace('req("R-1")', 'emergent("seen")', 1)
    gated = gate(Edit({A: linked}), before, ASKED, PROGRAM)
    assert gated.refused == ()
    assert gated.suite.files[A].text == linked


def test_a_class_cannot_give_its_accepted_tests_an_unknown_id() -> None:
    text = f'{HEAD}@pytest.mark.req("R-1")\nclass TestF:\n    def test_x(self):\n        """I."""\n        assert f() == 1\n'
    before = accepted(text)
    gated = gate(Edit({A: text.replace("R-1", "R-9")}), before, ASKED, PROGRAM)
    assert gated.suite.files == before.files
    assert "changes the links" in gated.refused[-1].what


@pytest.mark.parametrize("text", [None, "", "import os\n", HEAD])
def test_a_file_with_accepted_tests_is_not_deleted_or_emptied(text: str | None) -> None:
    before = accepted()
    gated = gate(Edit({A: text}), before, ASKED, PROGRAM)
    assert gated.suite.files == before.files
    assert gated.suite.owned_files == before.owned_files
    assert "the file stays as it was" in gated.refused[0].what


def test_failing_tests_of_a_candidate_may_go_accepted_ones_may_not() -> None:
    good = accepted(HEAD + GOOD)
    failing = good.apply(Edit({A: written(one("    assert f(1) == 1\n"))}))
    gated = gate(Edit({A: HEAD + MORE}), failing, ASKED, PROGRAM, good)
    assert {test.name for test in gated.suite.owned_tests()} == {"test_good", "test_more"}


paths = st.sampled_from(
    [
        *("tests/test_mine.py", "tests/test_new.py", "src/a.py", "../x.py", "/etc/x.py"),
        *("tests/conftest.py", "tests/../a.py", "tests/.lift.json", "", "tests", "tests\\x.py"),
        *("tests/x.txt", A),
    ]
)
bodies = (
    st.none() | st.sampled_from([USERS, written(""), "def test_mine(:", "", "x = 1\n"]) | st.text()
)


@given(st.dictionaries(paths, bodies, max_size=5))
@settings(max_examples=300, deadline=None)
def test_no_edit_touches_the_users_tests_or_leaves_the_test_root(files: dict[str, str]) -> None:
    before = suite_of("tests", {"tests/test_mine.py": USERS})
    gated = gate(Edit(files), before, ASKED, PROGRAM)
    mine = gated.suite.function("tests/test_mine.py::test_mine")
    assert mine is not None
    assert gated.suite.source(mine) == before.source(mine)
    assert all(path.startswith("tests/") and ".." not in path for path in gated.suite.files)
    for test in gated.suite.owned_tests():
        assert set(test.requirements) <= {"R-1"}


def test_a_test_that_pins_what_contradicts_a_requirement_is_left_out() -> None:
    said = Discrepancy("R-1", "f(3)", "5", "4")
    edit = Edit({A: written(one("    assert f(3) == 4\n"))})
    gated = gate(edit, Suite("tests"), ASKED, PROGRAM, contradictions=[said])
    assert [test.name for test in gated.suite.tests()] == ["test_good"]
    why = "pins what contradicts R-1: f(3) gives 4, and the text says otherwise"
    assert [finding.what for finding in gated.refused] == [f"{A}::test_x {why}"]
    assert len(gate(edit, Suite("tests"), ASKED, PROGRAM).refused) == 0
