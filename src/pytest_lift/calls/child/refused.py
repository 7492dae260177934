"""Tells errors of Python by which an operator of the program refuses an operand: it gives
``NotImplemented``.

Loaded in the child process, so it imports nothing of this package but its neighbours.
"""

from __future__ import annotations

import builtins
import os
import re
import sys
from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from types import CodeType, FunctionType
from typing import Any

UNSUPPORTED = re.compile(
    r"'(?P<compared>\S+)' not supported between instances of"
    r"|unsupported operand type\(s\) for (?P<counted>[^\s:]+)"
)
"""What Python says where neither side of an operator knows the other, without their types."""
REFUSED = re.compile(
    rf"(?:{UNSUPPORTED.pattern})(?: or pow\(\))?:? '(?P<left>[\w.]+)' and '(?P<right>[\w.]+)'"
)
"""The same with their types."""
COMPARING = {"<": ("lt", "gt"), ">": ("gt", "lt"), "<=": ("le", "ge"), ">=": ("ge", "le")}
"""Sign -> operation of the left side, and of the right one."""
COUNTING = {
    "+": "add", "-": "sub", "*": "mul", "/": "truediv", "//": "floordiv", "%": "mod", "**": "pow",
    "divmod()": "divmod", "@": "matmul", "&": "and", "|": "or", "^": "xor", "<<": "lshift",
    ">>": "rshift",
}  # fmt: skip
GIVEN = "NotImplemented"
BUILT_IN = frozenset(dir(builtins)) | {"NoneType", "function"}


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


def _classes(name: str, space: Mapping[str, Any]) -> Iterable[type]:
    """Returns the classes of a name that a case has, or has objects of; where it has none, the one
    that modules have, if it is the only one. Those of Python's own are not asked for: they are in
    most errors, and there are many modules."""
    if name in BUILT_IN:
        return ()
    values = [*space.values()]
    own = _called(name, (one if _is_class(one) else type(one) for one in values))
    if own:
        return own
    named = [_names_of(module).get(name) for module in [*sys.modules.values()]]
    found = _called(name, filter(_is_class, named))
    return found if len(found) == 1 else ()


def _called(name: str, kinds: Iterable[Any]) -> Collection[type]:
    """Returns the classes of a name, each once."""
    return {id(one): one for one in kinds if _of(one, "__name__") == name}.values()


def _is_class(value: Any) -> bool:
    return issubclass(type(value), type)


def _names_of(module: Any) -> dict[str, Any]:
    """Returns the names of a module as they are: one that is loaded when it is first asked is not
    loaded, and what is no module has none."""
    with suppress(Exception):
        names = object.__getattribute__(module, "__dict__")
        return names if type(names) is dict else {}
    return {}


def _of(kind: type, attribute: str) -> Any:
    """Returns what Python itself knows of a class; its metaclass is not asked."""
    return type.__dict__[attribute].__get__(kind)


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
    several = (_of(one, "__dict__") for one in _of(kind, "__mro__"))
    method = next((names[name] for names in several if name in names), None)
    method = getattr(method, "__wrapped__", method) if type(method) is FunctionType else None
    return method.__code__ if type(method) is FunctionType else None
