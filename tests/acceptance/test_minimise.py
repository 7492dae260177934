"""--lift-minimise: fewer generated tests with the same figures; the user's are never touched."""

from __future__ import annotations

import pytest
from conftest import Project

HEAD = '"""Tests."""\n\nimport pytest\n\nfrom thing import double, label\n'
DOUBLES = (
    '\n\n@pytest.mark.req("R-1")\ndef test_doubles():\n    """D."""\n    assert double(21) == 42\n'
)
COPY = DOUBLES.replace("test_doubles", "test_doubles_again")
LOUD = (
    '\n\n@pytest.mark.req("R-2")\ndef test_loud():\n    """L."""\n'
    '    assert label("a", loud=True) == "A"\n'
)
LOUDER = LOUD.replace("test_loud", "test_louder").replace('"a"', '"b"').replace('"A"', '"B"')
MINE = "from thing import double\n\ndef test_mine():\n    assert double(21) == 42\n"
MINE += MINE.partition("\n\n")[2].replace("test_mine", "test_mine_again")


@pytest.mark.slow
def test_copies_go_and_what_is_alike_becomes_rows(project: Project) -> None:
    project.write({"tests/test_mine.py": MINE})
    project.script(HEAD + DOUBLES + COPY + LOUD + LOUDER)
    result = project.lift("--lift-iterations=1", "--lift-minimise")
    assert result.status == 0, result.text
    first, last = project.outcome["history"][1:]
    assert last["mode"] == "minimise"
    assert last["accepted"]
    assert "test functions less" in last["why"]
    text = project.read("tests/test_thing.py")
    assert text.count("def test_") == 2
    assert "parametrize" in text
    assert project.read("tests/test_mine.py") == MINE
    for name in ("line_percent", "branch_percent", "verified", "touched", "failed"):
        assert last["figures"][name] == first["figures"][name]
    # The lift can be undone as a whole.
    assert project.command("restore").status == 0
    assert not (project.root / "tests/test_thing.py").exists()


@pytest.mark.slow
def test_no_detected_mutant_is_lost(project: Project) -> None:
    """Both take the same branches: only mutants tell them apart."""
    other = DOUBLES.replace("test_doubles", "test_doubles_more").replace("21) == 42", "0) == 0")
    project.script(HEAD + DOUBLES + other)
    result = project.lift("--lift-iterations=1", "--lift-minimise", "--lift-mutation=full")
    assert result.status == 0, result.text
    first, last = project.outcome["history"][1:]
    assert last["figures"]["detected"] == first["figures"]["detected"] > 0


@pytest.mark.slow
def test_nothing_goes_where_every_test_is_needed(project: Project) -> None:
    project.script(HEAD + DOUBLES + LOUD)
    result = project.lift("--lift-iterations=1", "--lift-minimise")
    last = project.outcome["history"][-1]
    assert (last["mode"], last["accepted"]) == ("minimise", False)
    assert "no test can go" in result
