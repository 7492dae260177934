"""Tells errors of Python by which an operator of the program refuses an operand: it gives
``NotImplemented``.

Loaded in the child process, so it imports nothing of this package but its neighbours.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Collection, Iterator, Mapping
from types import CodeType, FunctionType
from typing import Any

REFUSED = re.compile(
    r"(?:'(?P<compared>\S+)' not supported between instances of"
    r"|unsupported operand type\(s\) for (?P<counted>\S+)(?: or pow\(\))?:)"
    r" '(?P<left>[\w.]+)' and '(?P<right>[\w.]+)'"
)
"""What Python says where neither side of an operator knows the other."""
COMPARING = {"<": ("lt", "gt"), ">": ("gt", "lt"), "<=": ("le", "ge"), ">=": ("ge", "le")}
"""Sign -> operation of the left side, and of the right one."""
COUNTING = {
    "+": "add", "-": "sub", "*": "mul", "/": "truediv", "//": "floordiv", "%": "mod", "**": "pow",
    "divmod()": "divmod", "@": "matmul", "&": "and", "|": "or", "^": "xor", "<<": "lshift",
    ">>": "rshift",
}  # fmt: skip
GIVEN = "NotImplemented"


def refused_by(
    error: BaseException, space: Mapping[str, Any], files: Collection[str]
) -> CodeType | None:
    """Returns the code of the operator of the program that does not take an operand, where Python
    raised an error since that says so itself, or by a method that it calls on its object. `space`
    has the names of the case, `files` are those of the program."""
    found = REFUSED.fullmatch(str(error)) if type(error) is TypeError else None
    if found is None:
        return None
    name = COUNTING.get((found["counted"] or "").removesuffix("="), "")
    own, reflected = COMPARING.get(found["compared"] or "", (name, f"r{name}"))
    sides = ((found["left"], own), (found["right"], reflected))
    codes = (
        _giving(kind, f"__{method}__", files)
        for side, method in sides
        for kind in _classes(side, space)
    )
    return next((code for code in codes if code is not None), None)


def _classes(name: str, space: Mapping[str, Any]) -> Iterator[type]:
    """Yields the classes of a name that a case has, or has objects of, and those of modules."""
    for value in [*space.values()]:
        kind = value if issubclass(type(value), type) else type(value)
        if kind.__name__ == name:
            yield kind
    for module in [*sys.modules.values()]:
        value = getattr(module, "__dict__", {}).get(name)
        if isinstance(value, type) and issubclass(type(value), type):
            yield value


def _giving(kind: type, name: str, files: Collection[str]) -> CodeType | None:
    """Returns the code of a method of the program where it, or one that it calls on its object, may
    give ``NotImplemented``."""
    code = _code(kind, name)
    if code is None or os.path.realpath(code.co_filename) not in files:
        return None
    called = (_code(kind, other) for other in code.co_names)
    gives = any(GIVEN in one.co_names for one in (code, *called) if one is not None)
    return code if gives else None


def _code(kind: type, name: str) -> CodeType | None:
    """Returns the code of a method, behind what decorates it."""
    method = next((vars(one)[name] for one in kind.__mro__ if name in vars(one)), None)
    method = getattr(method, "__wrapped__", method) if type(method) is FunctionType else None
    return method.__code__ if type(method) is FunctionType else None
