"""A requirement file as users write it, and how tests load it."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

from pytest_lift.errors import UsageError
from pytest_lift.requirements import reader
from pytest_lift.requirements.requirement import Requirements

LIFT_DOCUMENT = """\
test_requirements:
  scope_and_environment:
    - id: SCOPE-1
      title: Scope of the program
      description: The program must do XYZ
      acceptance: The behavior can be observed in this way
    - id: SCOPE-2
      title: Pure-Python functionality
      description: All functionality must work without the extension.
      acceptance: All documented behaviors succeed with or without the C extension.

  behavioral_field_1:
    ...
"""
BODY = "title: t, description: d, acceptance: a"


def load(text: str | bytes, name: str = "reqs.yml") -> Requirements:
    data = text if isinstance(text, bytes) else dedent(text).encode()
    Path(name).write_bytes(data)
    return reader.load([Path(name)])


def complaint(text: str | bytes) -> UsageError:
    with pytest.raises(UsageError) as caught:
        load(text)
    assert caught.value.todo
    return caught.value
