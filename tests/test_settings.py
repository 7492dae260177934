"""What the user asked for, as a value: limits of time and thresholds that follow from it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pytest_lift.settings import MUTATION_MINUTES, MUTATION_SHARE, Settings


def settings(**told: Any) -> Settings:
    return Settings(root=Path("/p"), tests="tests", **told)


@pytest.mark.parametrize(
    ("told", "seconds"),
    [
        ({}, MUTATION_MINUTES * 60),
        ({"mutation_minutes": 2.0}, 120.0),
        ({"mutation_minutes": 0.0}, 0.0),
        ({"mutation_minutes": 2.0, "mutation": "full"}, 120.0),
        ({"mutation": "full"}, None),
        ({"mutation": "full", "max_minutes": 1.0}, None),
        ({"max_minutes": 1.0}, MUTATION_SHARE * 60),
        ({"max_minutes": 100_000.0}, MUTATION_MINUTES * 60),
    ],
)
def test_the_time_for_mutants(told: dict[str, Any], seconds: float | None) -> None:
    assert settings(**told).mutation_seconds == pytest.approx(seconds)


def test_thresholds_are_those_that_are_set() -> None:
    assert settings().thresholds == {}
    assert settings(min_branch=0.0, min_mutation=80.0).thresholds == {
        "branch": 0.0,
        "mutation": 80.0,
    }


def test_every_case_must_pass_unless_any_is_enough() -> None:
    assert settings().every_case
    assert not settings(verified="any").every_case


def test_the_folder_of_the_lift_is_in_the_root() -> None:
    assert settings().lift_dir == Path("/p/.lift")
