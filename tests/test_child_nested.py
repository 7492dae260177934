"""An error that an argument of a call raises is none of the call."""

from __future__ import annotations

import pytest

from pytest_lift.calls.child.noting.nested import is_raised_by_an_argument


class Lid:
    def __init__(self, size: object = 1) -> None:
        if size == -1:
            raise ValueError("no such lid")

    @classmethod
    def of(cls, size: int) -> Lid:
        return cls(size)


class Box:
    def put(self, lid: object, *, other: object = None) -> None:
        raise ValueError("no room")


@pytest.mark.parametrize(
    ("source", "symbol", "nested"),
    [
        ("Box().put(Lid(-1))", "Box.put", True),
        ("Box().put(1, other=[Lid.of(-1)])", "Box.put", True),
        ("Box().put([Lid(one) for one in (1, -1)])", "Box.put", True),
        ("Box().put(Lid())", "Box.put", False),
        ("Box().put(Lid(-1))", "Lid", False),
        ("Box().put(Lid(-1))", "Lid.__init__", False),
        ("list(Lid(-1))", "Lid.__init__", False),
        ("Lid(Lid(-1))", "Lid", False),
        ("Lid.of(-1)", "Lid.of", False),
    ],
)
def test_errors_of_arguments_are_told_from_those_of_the_call(
    source: str, symbol: str, nested: bool
) -> None:
    code = compile(source, "<step>", "eval")
    with pytest.raises(ValueError, match=r"no such lid|no room") as caught:
        eval(code, {"Box": Box, "Lid": Lid})
    assert is_raised_by_an_argument(caught.value, source, symbol, "<step>") is nested


def test_an_error_of_nothing_that_a_step_executes_is_of_no_argument() -> None:
    assert not is_raised_by_an_argument(ValueError("a"), "put(a())", "put", "<step>")
