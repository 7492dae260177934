"""What the rows of a test noticed and reached makes its verdict and its level."""

from __future__ import annotations

from typing import Any

import pytest
from strength_program import BY_VERDICT, HEAD, OTHER, PROGRAM

from pytest_lift.sensitivity.verdicts import (
    EnteredFunction,
    ProbedRow,
    Reached,
    StubbedRun,
    is_program,
    judge,
    level_of,
)

FILES = {
    "src/pkg/lib.py": PROGRAM,
    "src/pkg/other.py": OTHER,
    "pyproject.toml": '[project]\nname = "pkg"\nscripts = { tool = "pkg.lib:main" }\n',
    **{
        f"tests/test_{verdict.replace('-', '_')}.py": HEAD + text
        for verdict, text in BY_VERDICT.items()
    },
}


def row(outcome: str = "failed", **options: Any) -> ProbedRow:
    entry = EnteredFunction("pkg.lib", "double", 1, "value")
    return ProbedRow(entries=(entry,), nothing=StubbedRun(outcome, reached=1), **options)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("rows", "verdict"),
    [
        ([row()], "sensitive"),
        ([row("passed"), row()], "sensitive"),
        ([ProbedRow(why_not="it was skipped"), row()], "sensitive"),
        ([row(), ProbedRow(settled=True)], "sensitive"),
        ([ProbedRow(why_not="it was skipped")], "not-probed"),
        ([row("passed")], "not-probed"),
        ([row("passed", doubts=("it talks",)), row("passed")], "not-probed"),
        ([], "not-probed"),
    ],
)
def test_what_one_row_notices_the_test_notices(rows: list[ProbedRow], verdict: str) -> None:
    assert judge(rows, None).verdict == verdict


ONE = Reached(("pkg.a",), (("pkg.a", "f"),))
BEHIND = Reached(("pkg.a", "pkg.b"), (("pkg.a", "f"), ("pkg.a", "g")))
SEVERAL = Reached(("pkg.a", "pkg.b"), (("pkg.a", "f"), ("pkg.b", "Thing.run")))
PRIVATE = Reached(("pkg.a", "pkg.b"), (("pkg.a", "f"), ("pkg.b", "_inner")))


@pytest.mark.parametrize(
    ("reached", "level", "evidence"),
    [
        (ONE, "unit", ("calls functions of pkg.a only",)),
        (BEHIND, "unit", ("calls functions of pkg.a only", "which run pkg.b")),
        (PRIVATE, "unit", ("calls functions of pkg.a only", "which run pkg.b")),
        (Reached(("pkg.a",)), "unit", ("runs pkg.a",)),
        (SEVERAL, "integration", ("calls functions of pkg.a, pkg.b",)),
        (Reached(), None, ()),
        (Reached(sockets=("('127.0.0.1', 80)",)), None, ()),
        (
            Reached(("pkg.a",), sockets=("('127.0.0.1', 80)",)),
            "system",
            ("connects to ('127.0.0.1', 80)",),
        ),
        (Reached(("pkg.a",), mains=("calls pkg.a:main",)), "system", ("calls pkg.a:main",)),
        (
            Reached(processes=(("/usr/bin/python3", "-m", "pkg", "x"),)),
            "system",
            ("starts python3 -m pkg x",),
        ),
    ],
)
def test_a_level_and_what_speaks_for_it(
    reached: Reached, level: str | None, evidence: tuple[str, ...]
) -> None:
    assert level_of(reached, ["pkg"]) == (level, evidence)


def test_long_lists_are_cut() -> None:
    modules = tuple(f"pkg.m{number}" for number in range(7))
    entries = tuple((module, "f") for module in modules)
    _, evidence = level_of(Reached(modules, entries), ["pkg"])
    assert evidence == ("calls functions of pkg.m0, pkg.m1, pkg.m2, pkg.m3 and 3 more",)


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        (["python", "-m", "pkg"], True),
        (["python", "-X", "dev", "-m", "pkg.cli", "run"], True),
        (["python", "-c", "import pkg; pkg.main()"], True),
        (["/venv/bin/tool", "run"], True),
        (["python", "/venv/bin/tool"], True),
        (["tool --help"], True),
        (["python -m pkg --help"], True),
        (["python", "-m", "pip"], False),
        (["git", "commit", "-m", "pkg is better"], False),
        (["git", "init"], False),
        (["cat", "a", "tool"], False),
        ([], False),
    ],
)
def test_which_commands_are_the_program(command: list[str], expected: bool) -> None:
    assert is_program(command, ["pkg"], ["tool"]) is expected
