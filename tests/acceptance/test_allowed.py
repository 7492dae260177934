"""A lift says what contains it, refuses to run without, and gives tests what the user allows."""

from __future__ import annotations

import pytest
from conftest import Project

from pytest_lift.sandbox.probe import working_tiers

MINE = """
import os, urllib.request
from thing import double

def test_writes_beside_itself():
    with open(os.path.join(os.path.dirname(__file__), "out", "result"), "w") as file:
        file.write(str(double(1)))

def test_reads(): assert open({data!r}).read() == "data"

def test_environment(): assert os.environ["SHOP_URL"] == "here"
"""


def mine(project: Project) -> Project:
    data = project.root.parent / "data.txt"
    data.write_text("data")
    (project.root / "tests/out").mkdir(parents=True)
    (project.root / "tests/out/keep").write_text("")
    return project.write({"tests/test_mine.py": MINE.format(data=str(data))}).script({})


@pytest.mark.slow
def test_the_tier_and_what_it_leaves_open_are_said(project: Project) -> None:
    strongest = next(tier for tier, why in working_tiers().items() if not why)
    result = project.script({}).lift("--lift-iterations=1")
    assert f"lift: jail {strongest}" in result
    assert project.outcome["jail"]["tier"] == strongest
    result = project.lift("--lift-iterations=1", "--lift-sandbox=off")
    assert "lift: jail off; leaves open: generated tests run as you" in result
    assert "no jail (--lift-sandbox=off)" in result
    assert project.outcome["jail"]["tier"] == "off"


def test_what_fails_in_the_jail_only_is_told_and_left_alone(project: Project) -> None:
    result = mine(project).lift("--lift-iterations=1", SHOP_URL="here")
    where = "(passes in your own session; in the jail: denied-write)"
    assert f"tests/test_mine.py::test_writes_beside_itself {where}" in result, result.text
    assert "tests/test_mine.py::test_environment (passes in your own session)" in result


def test_what_is_allowed_is_there(project: Project) -> None:
    mine(project)
    data = str(project.root.parent / "data.txt")
    allowed = [f"--lift-allow-read={data}", "--lift-allow-write=tests/out"]
    result = project.lift(
        "--lift-iterations=1", *allowed, "--lift-pass-env=SHOP_URL", SHOP_URL="here"
    )
    assert result.status == 0, result.text
    assert project.outcome["failed"] == 0
    assert any(
        "tests/out can be written" in said for said in project.outcome["jail"]["leaves_open"]
    )


def test_mistakes_are_usage_errors(project: Project) -> None:
    for option, said in (
        ("--lift-allow-read=nowhere", "nowhere does not exist"),
        ("--lift-pass-env=OPENAI_API_KEY", "is the key of the model"),
        ("--lift-max-memory=10", "10 MiB are too few"),
        ("--lift-sandbox=docker", "invalid choice: 'docker'"),
    ):
        result = project.lift(option)
        assert (result.status, said in result) == (4, True), result.text
