"""A test that a run proposes: its diff, and the suite after a review."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

import pytest

from pytest_lift.commands.review import Proposal, Proposed
from pytest_lift.gate.refused_tests import fingerprints
from pytest_lift.store.archive import HistoryRun
from pytest_lift.suite.suite import Edit, Suite, suite_of

MINE = {"tests/test_mine.py": "def test_mine():\n    assert f(0) == 0\n"}
FILE, OTHER, SHARED = "tests/test_a.py", "tests/test_b.py", "tests/conftest.py"
TEXTS = {
    FILE: "def test_one():\n    assert f(1) == 1\n\n\ndef test_two():\n    assert f(2) == 2\n",
    OTHER: "def test_three():\n    assert f(3) == 3\n",
    SHARED: "import os\n",
}
ONE, TWO, THREE = f"{FILE}::test_one", f"{FILE}::test_two", f"{OTHER}::test_three"


def test_all_of_a_new_test_is_added() -> None:
    assert Proposal(ONE, "", "def f():\n    x\n", "").diff == ("+def f():", "+    x")


def test_of_a_changed_one_the_change_is_shown_without_a_head() -> None:
    assert Proposal(ONE, "", "a\nc\n", "a\nb\n").diff == ("@@ -1,2 +1,2 @@", " a", "-b", "+c")


def decided(
    root: Path, accepted: Collection[str], refused: Collection[str], *, landed: bool
) -> Suite:
    before = suite_of("tests", MINE)
    offered = before.apply(Edit(dict(TEXTS)))
    run = HistoryRun(root, root / "history/1")
    proposals = tuple(Proposal(node, "", "x", "") for node in (ONE, TWO, THREE))
    shown = Proposed(run, offered if landed else before, offered, landed, proposals)
    return shown.decided(accepted, refused)


def nodes(suite: Suite) -> set[str]:
    return {test.node for test in suite.tests()} - {"tests/test_mine.py::test_mine"}


@pytest.mark.parametrize("landed", [True, False])
def test_what_is_refused_is_not_there_and_its_checks_are_kept(tmp_path: Path, landed: bool) -> None:
    after = decided(tmp_path, (ONE,), (TWO, THREE), landed=landed)
    assert nodes(after) == {ONE}
    offered = suite_of("tests", MINE).apply(Edit(dict(TEXTS)))
    for node in (TWO, THREE):
        assert set(fingerprints(offered, node)) <= after.refused
    assert after.refused.isdisjoint(fingerprints(offered, ONE))


def test_a_patch_brings_what_is_accepted_and_files_beside_it(tmp_path: Path) -> None:
    after = decided(tmp_path, (THREE,), (), landed=False)
    assert nodes(after) == {THREE}
    assert {FILE, SHARED} & after.files.keys() == {SHARED}


def test_a_patch_of_which_nothing_is_accepted_brings_nothing(tmp_path: Path) -> None:
    assert decided(tmp_path, (), (ONE,), landed=False).files.keys() == MINE.keys()


def test_what_has_landed_and_is_not_decided_stays(tmp_path: Path) -> None:
    assert nodes(decided(tmp_path, (ONE,), (), landed=True)) == {ONE, TWO, THREE}
