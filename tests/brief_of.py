"""A brief of a small program in a folder, as agents get it."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent
from typing import Any

from jails import best_jail

from pytest_lift.agents.contract import Brief
from pytest_lift.requirements.requirement import Requirement, Requirements
from pytest_lift.source.program import read_program
from pytest_lift.suite.suite import suite_of


def brief_of(
    root: Path,
    program: dict[str, str],
    *,
    tests: dict[str, str] | None = None,
    requirements: tuple[Requirement, ...] = (),
    **others: Any,
) -> Brief:
    """`program` and `tests` are texts by path; the package is ``pkg``."""
    for path, text in {**program, **(tests or {})}.items():
        place = root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(dedent(text), "utf-8")
    top = sorted({path.partition("/")[0] for path in program})
    return Brief(
        **{
            "mode": "initial",
            "iteration": 1,
            "copy": root,
            "jail": best_jail(),
            "program": read_program(root, tuple(top), ("",), ""),
            "requirements": Requirements(requirements),
            "suite": suite_of("tests", {p: dedent(t) for p, t in (tests or {}).items()}),
            **others,
        }
    )


def asked(
    name: str, text: str, *, scope: tuple[str, ...] = (), acceptance: str = "a"
) -> Requirement:
    return Requirement(name, f"title of {name}", text, (acceptance,), scope, "reqs.yml", 1)
