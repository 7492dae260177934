"""JSON Schemas of the files that are read and written."""

from __future__ import annotations

import json
from importlib.resources import files

from pytest_lift.errors import UsageError

NAMES = ("requirements", "report")


def schema_text(name: str) -> str:
    """The JSON Schema of ``requirements`` (YAML files) or ``report`` (``--lift-report=json``).

    Raises `UsageError` for another name.
    """
    if name == "requirements":
        return files(__name__).joinpath("requirements.schema.json").read_text("utf-8")
    if name == "report":
        from pytest_lift.report.schema import report_schema

        return json.dumps(report_schema(), indent=1) + "\n"
    todo = f"use one of {', '.join(NAMES)}"
    raise UsageError(f"there is no schema {name!r}", where="pytest-lift schema", todo=todo)
