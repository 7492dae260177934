"""The folder in which mutmut works: results of another shape are an error, not a guess."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from mutated_project import PRICES, MutatedProject

from pytest_lift.mutation.mutmut.errors import ResultsUnreadable
from pytest_lift.mutation.mutmut.project import STATS, MutationProject
from pytest_lift.mutation.mutmut.results import read_mutants, read_statistics, read_verdicts
from pytest_lift.source.program import read_program


def _forget_keys(data: dict[str, Any]) -> object:
    return {name: value for name, value in data.items() if name == "version"}


def test_a_source_in_another_encoding_has_mutants(tmp_path: Path) -> None:
    project = MutatedProject(tmp_path).shop()
    place = project.root / "shop/prices.py"
    text = f"#!/usr/bin/env python\n# -*- coding: latin-1 -*-\nNAME = 'Ada í'\n{PRICES}"
    place.write_bytes(text.encode("latin-1"))
    found = project.measure()
    assert {"killed"} <= set(found.verdicts.values())
    assert 9 in {one.line for one in found.mutants.values()}


SHAPES = {
    "no JSON": lambda data: None,
    "a list": lambda data: [1, 2],
    "without its keys": _forget_keys,
    "other codes": lambda data: {
        name: dict.fromkeys(value, "killed") if isinstance(value, dict) else value
        for name, value in data.items()
    },
    "a later version": lambda data: {**data, "version": 2, "exit_code_by_key": {"m.f": 0}},
}
"""Name -> what is written instead."""


@pytest.mark.slow
def test_results_of_another_shape(tmp_path: Path) -> None:
    project = MutatedProject(tmp_path).shop()
    project.measure()
    program = read_program(project.root, ("shop",), ("",), "")
    made = MutationProject(project.mutator.root / "project", project.root, program)
    source = "shop/prices.py"
    reading = {
        f"{source}.meta": lambda: read_verdicts(made, source),
        f"{source}.spans": lambda: read_mutants(made, program),
        STATS: lambda: read_statistics(made),
    }
    for name, read in reading.items():
        place = made.mutants / name
        text = place.read_text("utf-8")
        for title, edit in SHAPES.items():
            if name == STATS and title == "a later version":
                continue  # it has none
            data = edit(json.loads(text))
            place.write_text("{broken" if data is None else json.dumps(data), "utf-8")
            with pytest.raises(ResultsUnreadable) as caught:
                read()
            assert caught.value.where == place.name or caught.value.where == name
            assert "mutmut >=3.8.1,<3.9" in caught.value.todo
        place.write_text(text, "utf-8")
        read()
