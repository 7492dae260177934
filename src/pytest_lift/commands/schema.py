"""`pytest-lift schema`: print the JSON Schema of a file format."""

from __future__ import annotations

import argparse
import json
from importlib.resources import files

from pytest_lift.errors import UsageError

NAMES = ("requirements", "report")


def schema_text(name: str) -> str:
    """Returns the JSON Schema of ``requirements`` (YAML files) or ``report``
    (``--lift-report=json``).

    Raises `UsageError` for another name.
    """
    if name == "requirements":
        return (
            files("pytest_lift.requirements")
            .joinpath("requirements.schema.json")
            .read_text("utf-8")
        )
    if name == "report":
        from pytest_lift.report.schema import report_schema

        return json.dumps(report_schema(), indent=1) + "\n"
    todo = f"use one of {', '.join(NAMES)}"
    raise UsageError(f"there is no schema {name!r}", where="pytest-lift schema", todo=todo)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", nargs="?", default=NAMES[0], choices=NAMES, help="of which file")


def run(options: argparse.Namespace) -> int:
    print(schema_text(options.name), end="")
    return 0
