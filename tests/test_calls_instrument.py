"""Probes stand where a run may or may not come by."""

from __future__ import annotations

import ast
import textwrap

from pytest_lift.calls.child.instrument import instrument


def kinds(source: str) -> list[tuple[str, int]]:
    probes = instrument(textwrap.dedent(source).lstrip("\n"))[1]
    return sorted((probe.kind, probe.to) for probe in probes)


def test_what_follows_a_try_has_a_probe_of_its_own() -> None:
    source = """
        def f(x):
            try:
                y = int(x)
            except ValueError:
                raise SystemExit
            return y
    """
    assert ("after", 6) in kinds(source)


def test_what_follows_a_with_has_a_probe_of_its_own() -> None:
    assert ("after", 3) in kinds("with open('f') as f:\n    f.read()\nx = 1\n")


def test_a_try_at_the_end_has_none() -> None:
    assert not [k for k, _ in kinds("try:\n    x = 1\nfinally:\n    y = 2\n") if k == "after"]


def test_the_program_still_means_the_same() -> None:
    tree, probes = instrument("with a:\n    b\nc = d and e\n")
    assert "c = " in ast.unparse(tree)
    assert [probe.kind for probe in probes] == ["after", "condition", "condition"]
