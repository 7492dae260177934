"""Paths of the program and paths of tests among the arguments beside ``--lift``."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

from pytest_lift.project.option_tokens import Tokens, arities, expanded, values_after
from pytest_lift.source.program import Program
from pytest_lift.suite.suite import Suite


@dataclass(frozen=True)
class TypedArguments:
    """Arguments of the command line that are no options."""

    sources: tuple[str, ...] = ()
    """Paths of the program."""
    places: tuple[str, ...] = ()
    """Paths of tests."""
    rest: tuple[str, ...] = ()
    """All tokens but the paths of the program, unchanged."""


def typed_places(
    config: pytest.Config,
    parser: pytest.Parser,
    args: list[str],
    program: Program,
    suite: Suite,
    root: Path,
) -> TypedArguments:
    """Separates paths of the program from paths of tests. A folder with tests counts as tests."""
    here = config.invocation_params.dir
    known, tokens = arities(parser), Tokens(expanded(parser, args))
    sources: list[str] = []
    places: list[str] = []
    rest: list[str] = []
    for token in tokens:
        rest.append(token)
        if token == "--":
            known = {}
        elif token.startswith("-") and len(token) > 1 and known:
            rest += tokens.take(values_after(token, known))
        elif _is_source(here / token.partition("::")[0], program, suite, root):
            sources.append(token)
            rest.pop()
        else:
            places.append(token)
    return TypedArguments(tuple(sources), tuple(places), tuple(rest))


def _is_source(place: Path, program: Program, suite: Suite, root: Path) -> bool:
    full, top = place.resolve(), root.resolve()
    if not full.is_relative_to(top):
        return False
    path = full.relative_to(top).as_posix()
    if not full.is_dir():
        return path in program.files
    inside = "" if path == "." else f"{path}/"
    return any(file.startswith(inside) for file in program.files) and not any(
        suite.naming.is_test_file(found.relative_to(top).as_posix())
        for found in (*full.rglob("*.py"), top / suite.root / "test_.py")
        if found.is_relative_to(full)
        and not any(part.startswith(".") for part in found.relative_to(full).parts)
    )
