"""Writes how an object that does not show how it is made is made of its attributes: by its class,
or by a class method whose parameters have their names.

Loaded in the child process, so it imports nothing of this package but its neighbours.
"""

from __future__ import annotations

import ast
import inspect
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache, partial
from typing import Any

from .names import Makers, UsedNames
from .objects import NOTHING, from_program, module_of, read_aside, text_of
from .untouched import Untouched

MOST_WAYS = 6
"""Most class methods that are tried."""
GIVEN = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
"""Kinds of the parameters that have a name to give."""
FURTHER = inspect.Parameter.VAR_KEYWORD
"""Kind of a parameter that need not get anything."""
Spelled = Callable[[Any, UsedNames], str]
"""Gives an expression for a value; raises an exception where there is none."""


def made_plainly(value: Any, names: UsedNames, program: frozenset[str], spelled: Spelled) -> str:
    """Returns ``Range.closed(1, 3)``, an expression that evaluates to an equal object with the same
    text, or ``""``; adds what it refers to to `names`.

    Only for classes of a program that say themselves what is equal, by what changes nothing that
    its code reaches.
    """
    kind = type(value)
    definer = next(k for k in kind.__mro__ if "__eq__" in vars(k))
    if not from_program(definer, program) or not _is_public(kind):
        return ""
    key: Any = kind
    for way, parameters in _ways(key, names.makers):
        used = names.apart([(module_of(kind), kind.__qualname__)])
        try:
            source = f"{way}({', '.join(_arguments(value, parameters, used, spelled))})"
        except (Exception, SystemExit):
            continue
        if _makes(source, value, used, program):
            names |= used
            return source
    return ""


def _makes(source: str, value: Any, used: UsedNames, program: frozenset[str]) -> bool:
    """Whether an expression makes an object equal to a value, and changes nothing."""
    space = _space(used)
    if (key := frozenset(used)) not in used.reached:
        used.reached[key] = Untouched(space.values(), program)
    before: Untouched = used.reached[key]
    if not before.is_whole:
        return False
    same = False
    try:
        again: Any = eval(source, space)
        same = type(again) is type(value) and bool(value == again) and bool(again == value)
        same = same and text_of(again, program) == text_of(value, program)
    except (Exception, SystemExit):
        same = False
    finally:  # also where the case is stopped
        touched = before.put_back()
    return same and not touched


def is_made_so(told: str, lines: Sequence[str]) -> bool:
    """Whether an expression for an object calls what made it, so that the two are compared in vain:
    the last of some lines, or the one that gives it a variable of that name."""
    *before, source = lines
    begun = f"{source} = "
    made = [line.removeprefix(begun) for line in before if line.startswith(begun)]
    try:
        node = ast.parse((made or [source])[-1], mode="eval").body
    except SyntaxError:
        return False
    return isinstance(node, ast.Call) and ast.unparse(node.func) == told.partition("(")[0]


@lru_cache(maxsize=256)
def _ways(kind: Any, makers: Makers) -> tuple[tuple[str, tuple[inspect.Parameter, ...]], ...]:
    """Returns what may make an object of a class, with its parameters: the class, then its class
    methods; what takes nothing has nothing to tell."""
    found = []
    methods = dict.fromkeys(_class_methods(kind)) if makers is Makers.METHODS else ()
    for name in ("", *methods) if makers is not Makers.NONE else ():
        way = f"{kind.__qualname__}.{name}".rstrip(".")
        try:
            parameters = inspect.signature(getattr(kind, name) if name else kind).parameters
        except (TypeError, ValueError):
            continue
        given = tuple(one for one in parameters.values() if one.kind is not FURTHER)
        required = [one for one in given if one.default is inspect.Parameter.empty]
        if required and all(one.kind in GIVEN for one in given):
            found.append((way, given))
    return tuple(found[: MOST_WAYS + 1])


def _class_methods(kind: type) -> Iterator[str]:
    for one in kind.__mro__:
        for name, held in vars(one).items():
            if isinstance(held, classmethod) and not name.startswith("_"):
                yield name


def _arguments(
    value: Any, parameters: tuple[inspect.Parameter, ...], names: UsedNames, spelled: Spelled
) -> Iterator[str]:
    """Yields the attributes of an object as the parameters of their names take them, but those that
    are what is taken without them."""
    for one in parameters:
        held = _held(value, one.name)
        optional = one.default is not inspect.Parameter.empty
        if optional and (held is NOTHING or held is one.default or held == one.default):
            continue
        if held is NOTHING or callable(held):
            raise LookupError
        word = one.kind is inspect.Parameter.KEYWORD_ONLY or optional
        yield f"{one.name}={spelled(held, names)}" if word else spelled(held, names)


def _held(value: Any, name: str) -> Any:
    """Returns the attribute of an object of which a parameter tells: ``lower`` of ``lower_bound``,
    where there is no other one; `NOTHING` for none."""
    for known in (name, name.partition("_")[0]):
        held = read_aside(value, partial(getattr, value, known)) if known else NOTHING
        if held is not NOTHING:
            return held
    return NOTHING


def _is_public(kind: type) -> bool:
    """Whether a class stands in its module under its name, which users may import."""
    name, module = kind.__qualname__, sys.modules.get(module_of(kind))
    return not name.startswith("_") and getattr(module, name, None) is kind


def _space(names: UsedNames) -> dict[str, Any]:
    """Returns the variables that an expression needs."""
    space: dict[str, Any] = {}
    for module, name in names:
        found = sys.modules[module]
        space[name or module] = getattr(found, name) if name else found
    return space
