"""Rules mend what is broken in the tool's own tests and leave the user's alone."""

from __future__ import annotations

import ast
import re
from dataclasses import replace
from pathlib import Path

import pytest
from offline_program import brief, write_program

from pytest_lift.agents.contract import Brief
from pytest_lift.agents.offline.generator import generator
from pytest_lift.agents.offline.remedies import debugger
from pytest_lift.findings.finding import Finding, Kind
from pytest_lift.suite.suite import Edit, Suite

PROGRAM = """
    def double(number):
        return 2 * number
"""
TEST = '''"""Tests of twice."""

import pytest

from twice import double


@pytest.mark.emergent("observed")
def test_double():
    """double doubles."""
    assert double(2) == {expected}
'''


def broken(root: Path, text: str, what: str, kind: Kind = "failing", owned: bool = True) -> Brief:
    program = write_program(root, {"twice.py": PROGRAM})
    suite = Suite("tests")
    if owned:
        suite = suite.apply(Edit({"tests/test_twice.py": text}))
    node = "tests/test_twice.py" + ("" if kind == "broken-file" else "::test_double")
    finding = Finding(kind, what, tests=(node,))
    more = {"suite": suite} if owned else {"tests": {"tests/test_twice.py": text}}
    return brief(root, program, "correct", findings=(finding,), **more)


def test_a_wrong_observed_value_is_observed_again(tmp_path: Path) -> None:
    told = broken(tmp_path, TEST.format(expected=5), "test_double fails: AssertionError: 4 == 5")
    assert "observe" in debugger(told).findings[0].todo
    assert generator(told).files == {"tests/test_twice.py": TEST.format(expected=4)}


def test_the_docstring_tells_the_value_that_is_observed_again(tmp_path: Path) -> None:
    body = (
        "    assert double(2) == {}\n    expected = {}\n    assert double([1] * 20) == expected\n"
    )
    text = TEST.format(expected=5).partition("    assert")[0]
    text = text.replace("double doubles.", "double(2) gives {} and double([1] * 20) gives {}.")
    old = text.format(5, "a list of 35 items that begins with 7") + body.format(5, [7] * 35)
    told = broken(tmp_path, old, "test_double fails: AssertionError: 4 == 5")
    new = generator(told).files["tests/test_twice.py"]
    assert new is not None
    test = ast.parse(new).body[-1]
    assert isinstance(test, ast.FunctionDef)
    said = re.sub(r"\s+", " ", ast.get_docstring(test) or "")
    assert said == (
        "double(2) gives 4 and double([1] * 20) gives a list of 40 items that begins with 1."
    )
    assert "assert double(2) == 4\n" in new


def test_a_test_that_cannot_assert_as_much_as_before_goes(tmp_path: Path) -> None:
    more = "    assert double('ab' * 400) == 1\n"
    told = broken(tmp_path, TEST.format(expected=5) + more, "fails: AssertionError: 4 == 5")
    assert "def test_double" not in (generator(told).files["tests/test_twice.py"] or "")


def test_a_docstring_keeps_its_links(tmp_path: Path) -> None:
    doc = '"""double(2) gives {}.\n\n    :req: R-1\n    """'
    text = TEST.replace('@pytest.mark.emergent("observed")\n', "")
    text = text.replace('"""double doubles."""', doc).replace("expected", "")
    told = broken(tmp_path, text.format(5, 5), "fails: AssertionError: 4 == 5")
    assert generator(told).files == {"tests/test_twice.py": text.format(4, 4)}


@pytest.mark.parametrize("line", ["print(number)", "raise ValueError(number)"])
def test_a_test_goes_that_would_need_a_fixture_or_other_words(tmp_path: Path, line: str) -> None:
    """Its name and its docstring say that it gives a value."""
    told = broken(tmp_path, TEST.format(expected=5), "fails: AssertionError: 4 == 5")
    changed = PROGRAM.replace("return", f"{line}\n        return")
    program = write_program(tmp_path, {"twice.py": changed})
    files = generator(replace(told, program=program)).files
    assert "def test_double" not in (files["tests/test_twice.py"] or "")


def test_a_missing_import_is_added(tmp_path: Path) -> None:
    text = TEST.format(expected='Decimal("4")')
    told = broken(tmp_path, text, "fails: NameError: name 'Decimal' is not defined")
    assert debugger(told).findings[0].todo == "add `from decimal import Decimal`"
    new = generator(told).files["tests/test_twice.py"]
    assert new is not None
    assert "from decimal import Decimal\n" in new


def test_a_misspelt_name_is_replaced(tmp_path: Path) -> None:
    text = TEST.format(expected=4).replace("double", "dubble")
    what = "cannot be collected: ImportError: cannot import name 'dubble' from 'twice'"
    told = broken(tmp_path, text, what, "broken-file")
    assert "`double` instead of `dubble`" in debugger(told).findings[0].todo
    new = generator(told).files["tests/test_twice.py"]
    assert new is not None
    assert "from twice import double\n" in new


@pytest.mark.parametrize("kind", ["crashed", "timed-out"])
def test_a_test_that_ends_the_run_goes(tmp_path: Path, kind: Kind) -> None:
    told = broken(tmp_path, TEST.format(expected=4), "the run crashed", kind)
    assert generator(told).files == {"tests/test_twice.py": None}


def test_the_users_test_is_left_alone(tmp_path: Path) -> None:
    told = broken(tmp_path, TEST.format(expected=5), "AssertionError", owned=False)
    assert "leave it" in debugger(told).findings[0].todo
    assert not generator(told)


@pytest.mark.parametrize(
    ("ids", "left"),
    [("NO-1", ":emergent: no requirement is known to state it"), ("NO-1, R-1", ":req: R-1")],
)
def test_an_unknown_id_in_a_docstring_goes(tmp_path: Path, ids: str, left: str) -> None:
    doc = '"""double doubles.\n\n    :req: {}\n    """'
    text = TEST.replace('@pytest.mark.emergent("observed")\n', "").format(expected=4)
    text = text.replace('"""double doubles."""', doc.format(ids))
    told = broken(tmp_path, text, "nobody knows the id", "unknown-requirement")
    told = replace(told, findings=(replace(told.findings[0], requirement="NO-1"),))
    assert generator(told).files == {
        "tests/test_twice.py": text.replace(f":req: {ids}", left),
    }
