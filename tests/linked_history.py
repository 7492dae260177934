"""A project in git with two linked tests."""

from __future__ import annotations

from checked_project import CheckedProject

TWO = """
@pytest.mark.req("ENC-1")
def test_one():
    assert 1 == 1


@pytest.mark.req("ENC-2")
def test_two():
    assert 2 == 2
"""
ONE = TWO.split("\n\n\n")[1]


def lost(project: CheckedProject, base: str = "HEAD") -> list[tuple[str, str, str]]:
    problems = project.json("--base", base).data["problems"]
    found = [problem for problem in problems if problem["rule"] == "deleted-link"]
    return [(p["requirement"], p["severity"], p["test"]) for p in found]


GONE = [("ENC-1", "error", "tests/test_a.py::test_one")]
