"""The loader by itself, then a session of pytest that traces its requirements."""

from __future__ import annotations

from pathlib import Path

import lift_toml
import pytest

from pytest_lift.testing import Example
from pytest_lift.values import UsageError

REQUIREMENTS = """\
[R-1]
title = "doubling"
description = "`double` gives twice a number."
acceptance = ["doubles"]
"""
TEST = '''\
def test_double():
    """It doubles.

    :req: R-1
    """
    assert 2 * 21 == 42
'''


def test_a_table_is_a_requirement(tmp_path: Path) -> None:
    Example(tmp_path).write({"reqs.toml": REQUIREMENTS})
    found = lift_toml.pytest_lift_load_requirements(tmp_path / "reqs.toml")
    assert found is not None
    (item,) = found
    assert (item.id, item.title, item.acceptance, item.line) == ("R-1", "doubling", ("doubles",), 1)


def test_files_of_other_formats_are_left_alone(tmp_path: Path) -> None:
    assert lift_toml.pytest_lift_load_requirements(tmp_path / "reqs.yml") is None


def test_a_mistake_is_told_with_its_place(tmp_path: Path) -> None:
    Example(tmp_path).write({"reqs.toml": REQUIREMENTS + '\n[R-2]\ntitle = "x"\n'})
    with pytest.raises(UsageError, match="R-2") as caught:
        lift_toml.pytest_lift_load_requirements(tmp_path / "reqs.toml")
    assert caught.value.where == f"{tmp_path / 'reqs.toml'}:6"


def test_a_session_traces_it(tmp_path: Path) -> None:
    example = Example(tmp_path).write({"reqs.toml": REQUIREMENTS, "tests/test_a.py": TEST})
    loaded = {"PYTHONPATH": str(Path(lift_toml.__file__).parent)}
    result = example.pytest("--requirements", "reqs.toml", "-p", "lift_toml", **loaded)
    assert result.status == 0, result.text
    assert "R-1" in result or "1 of 1" in result
