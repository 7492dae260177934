"""The level of a test follows from what it reached of the program and by which way."""

from __future__ import annotations

import pytest

from pytest_lift.sensitivity.levels import Reached, is_program, level_of

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
