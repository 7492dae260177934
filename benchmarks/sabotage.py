"""A pytest plugin: what each test calls of the program returns None, or raises, while it runs.

Loaded with ``-p sabotage``; SABOTAGE is ``none`` or ``raise`` and PROGRAM the import name. A test
that still passes then asserts nothing about the functions that it calls.
"""

from __future__ import annotations

import ast
import inspect
import os
import sys
import textwrap
import types
from collections.abc import Generator, Iterator
from typing import Any

import pytest


class Sabotaged(Exception):
    """Raised instead of doing the work."""


def fake(*_: object, **__: object) -> None:
    if os.environ["SABOTAGE"] == "raise":
        raise Sabotaged


def belongs(thing: object) -> bool:
    program = os.environ["PROGRAM"]
    return (getattr(thing, "__module__", None) or "").split(".")[0] == program


def names_in(function: object) -> set[str]:
    """Every name and attribute that the test's source calls."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(function)))  # type: ignore[arg-type]
    called = [node.func for node in ast.walk(tree) if isinstance(node, ast.Call)]
    return {part for func in called for part in ast.unparse(func).split("(")[0].split(".")}


def owners(function: Any) -> Iterator[dict[str, Any] | type | types.ModuleType]:
    """Where the names that a test calls may be looked up: its globals, program modules, classes."""
    yield function.__globals__
    program = os.environ["PROGRAM"]
    modules = [m for n, m in list(sys.modules.items()) if n.split(".")[0] == program and m]
    yield from modules
    for module in modules:
        yield from (c for c in list(vars(module).values()) if isinstance(c, type) and belongs(c))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None]:
    function = inspect.unwrap(item.obj)  # type: ignore[attr-defined]
    wanted = names_in(function)
    undo: list[tuple[Any, str, Any]] = []
    for owner in owners(function):
        table = owner if isinstance(owner, dict) else vars(owner)
        for name in wanted & set(table):
            thing = table[name]
            plain = getattr(thing, "__func__", thing)
            called = inspect.isfunction(plain) or (
                isinstance(thing, type) and not isinstance(owner, type)
            )
            if called and belongs(plain):
                undo.append((owner, name, thing))
    for owner, name, thing in [*undo]:
        if not is_exception(thing):
            put(owner, name, staticmethod(fake) if isinstance(owner, type) else fake)
        elif "__init__" in vars(thing) and (thing, "__init__") not in [u[:2] for u in undo]:
            # The class itself has to stay what `pytest.raises` is given.
            undo.append((thing, "__init__", vars(thing)["__init__"]))
            thing.__init__ = fake
    try:
        return (yield)
    finally:
        for owner, name, thing in reversed(undo):
            put(owner, name, thing)


def is_exception(thing: object) -> bool:
    return isinstance(thing, type) and issubclass(thing, BaseException)


def put(owner: Any, name: str, value: object) -> None:
    if isinstance(owner, dict):
        owner[name] = value
    else:
        setattr(owner, name, value)
