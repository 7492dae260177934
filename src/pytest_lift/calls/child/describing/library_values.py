"""Tells what values of the standard library's classes hold, of which no equal expression is known.

Loaded in the child process, so it imports nothing of this package but its neighbours.
"""

from __future__ import annotations

import datetime
import re
import sys
from pathlib import PurePath
from typing import Any

from .objects import module_of

LOOKS: dict[tuple[str, str], str] = {
    ("builtins", "dict_keys"): "list({})",
    ("builtins", "dict_values"): "list({})",
    ("builtins", "dict_items"): "list({})",
    ("builtins", "mappingproxy"): "dict({})",
    ("builtins", "memoryview"): "bytes({})",
    ("builtins", "module"): "{}.__name__",
    ("collections", "ChainMap"): "dict({})",
    ("collections", "UserDict"): "dict({})",
    ("email.message", "Message"): "{}.as_string()",
    ("email.message", "EmailMessage"): "{}.as_string()",
    ("inspect", "Parameter"): "str({})",
    ("inspect", "Signature"): "str({})",
    ("logging", "Logger"): "{}.name",
    ("re", "Pattern"): "{}.pattern",
    ("string", "Template"): "{}.template",
    ("xml.dom.minidom", "Document"): "{}.toxml()",
    ("xml.dom.minidom", "Element"): "{}.toxml()",
    ("zoneinfo", "ZoneInfo"): "str({})",
    ("_io", "BytesIO"): "{}.getvalue()",
    ("_io", "StringIO"): "{}.getvalue()",
}
"""Module and name of a class -> the expression of what its objects hold, ``{}`` for the object."""


def from_library(kind: type) -> bool:
    """Whether anybody can import a class from the standard library by a public name; not those of
    paths, which are others on each machine."""
    module, name = module_of(kind), kind.__qualname__
    if issubclass(kind, PurePath) or any(part[:1] == "_" for part in (*module.split("."), name)):
        return False
    known = module.partition(".")[0] in sys.stdlib_module_names
    return known and getattr(sys.modules.get(module), name, None) is kind


def held_by(value: Any) -> tuple[Any, str]:
    """Returns what a value of a class of the standard library holds, and by which expression, with
    ``{}`` for the value; any other value as it is."""
    look = _look(value)
    if not look:
        return value, ""
    try:
        held = eval(look.format("_value"), {"_value": value})
    except Exception:
        return value, ""
    placed = isinstance(held, str) and " at 0x" in held
    return (value, "") if placed else (held, look)


def _look(value: Any) -> str:
    if isinstance(value, re.Match):
        named = "{}.groupdict()" if value.re.groupindex else "{}.groups()"
        return named if value.re.groups else "{}.group()"
    if type(value) in (datetime.datetime, datetime.time):
        return "" if is_fixed(value.tzinfo) else "{}.isoformat()"
    return LOOKS.get((module_of(type(value)), type(value).__name__), "")


def is_fixed(zone: datetime.tzinfo | None) -> bool:
    """Whether the spelling of a time zone, if there is one, can be evaluated."""
    return zone is None or type(zone) is datetime.timezone
