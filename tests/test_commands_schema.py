"""The schema that the command prints; another name is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from lift_command import run

from pytest_lift.commands.schema import schema_text
from pytest_lift.errors import UsageError

ROOT = Path(__file__).resolve().parents[1]
SCHEMA = json.loads(schema_text("requirements"))


def test_the_command_prints_a_schema() -> None:
    done = run("schema", "requirements", folder=ROOT)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == SCHEMA


def test_an_unknown_schema_is_refused() -> None:
    with pytest.raises(UsageError, match="there is no schema 'x'"):
        schema_text("x")
