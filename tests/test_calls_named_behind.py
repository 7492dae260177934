"""The parameters of a method behind a wrapper that has names of its own are those that it has."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import pytest

from pytest_lift.calls.child.handed_on import named_behind

Method = Callable[..., Any]


def coerced(method: Method) -> Method:
    def wrapper(self: Any, arg: Any) -> Any:
        return method(self, str(arg))

    return wrapper


def counted(method: Method) -> Method:
    def wrapper(self: Any, one: Any, more: Any) -> Any:
        return method(self, one + more)

    return wrapper


class Text:
    @coerced
    def joined(self, other: Any) -> Any:
        return other

    @counted
    def both(self, other: Any) -> Any:
        return other

    @property
    def size(self) -> int:
        return 0

    def plain(self, other: Any) -> Any:
        return other


@pytest.mark.parametrize(
    ("name", "taken"),
    [
        ("joined", ["self", "other"]),
        ("both", ["self", "one", "more"]),
        ("plain", ["self", "other"]),
        ("__str__", ["self"]),
    ],
)
def test_a_wrapper_that_takes_as_much_has_the_names_of_its_method(
    name: str, taken: list[str]
) -> None:
    assert isinstance(named_behind(Text.size, "size"), property)
    found = named_behind(getattr(Text, name), name)
    assert list(inspect.signature(found).parameters) == taken
