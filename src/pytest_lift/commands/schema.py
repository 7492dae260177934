"""`pytest-lift schema`: print the JSON Schema of a file format."""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from importlib.resources import files
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from pytest_lift.errors import UsageError
from pytest_lift.files.codec import is_required
from pytest_lift.report.facts import Report
from pytest_lift.report.stored import VERSION

NAMES = ("requirements", "report")
SCALARS: Mapping[type, str] = {str: "string", int: "integer", float: "number", bool: "boolean"}


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
        return json.dumps(report_schema(), indent=1) + "\n"
    todo = f"use one of {', '.join(NAMES)}"
    raise UsageError(f"there is no schema {name!r}", where="pytest-lift schema", todo=todo)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", nargs="?", default=NAMES[0], choices=NAMES, help="of which file")


def run(options: argparse.Namespace) -> int:
    print(schema_text(options.name), end="")
    return 0


def report_schema() -> dict[str, Any]:
    """Returns a schema (draft 2020-12) in which each value type of `facts.py` is a definition."""
    definitions: dict[str, Any] = {}
    _reference(Report, definitions)
    body = definitions.pop(Report.__name__)
    body["properties"] = {"version": {"const": VERSION}, **body["properties"]}
    body["required"] = ["version", *body["required"]]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"report.json of pytest-lift, version {VERSION}",
        **body,
        "$defs": definitions,
    }


def _reference(kind: Any, definitions: dict[str, Any]) -> dict[str, Any]:
    name = kind.__name__
    if name not in definitions:
        definitions[name] = {}  # a type may contain itself
        hints = get_type_hints(kind)
        properties = {f.name: _schema(hints[f.name], definitions) for f in fields(kind)}
        definitions[name] = {
            "type": "object",
            "description": " ".join((kind.__doc__ or "").split()),
            "properties": properties,
            "required": [f.name for f in fields(kind) if is_required(f)],
            "additionalProperties": False,
        }
    return {"$ref": f"#/$defs/{name}"}


def _schema(kind: Any, definitions: dict[str, Any]) -> dict[str, Any]:
    if is_dataclass(kind):
        return _reference(kind, definitions)
    origin, inner = get_origin(kind), get_args(kind)
    if origin is Literal:
        return {"enum": list(inner)}
    if origin in (Union, UnionType):
        (only,) = (one for one in inner if one is not NoneType)
        return {"anyOf": [_schema(only, definitions), {"type": "null"}]}
    if origin is tuple and inner[-1] is Ellipsis:
        return {"type": "array", "items": _schema(inner[0], definitions)}
    if origin is tuple:
        items = [_schema(one, definitions) for one in inner]
        return {"type": "array", "prefixItems": items, "items": False, "minItems": len(items)}
    return {"type": SCALARS[kind]}
