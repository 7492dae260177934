"""An error that an argument of a call raises is none of the call."""

from __future__ import annotations

from pathlib import Path

import pytest
from jails import best_jail
from offline_program import write_program

from pytest_lift.calls.case import Case, Step
from pytest_lift.calls.child.noting.nested import is_raised_by_an_argument
from pytest_lift.calls.prober import Prober


class Lid:
    def __init__(self, size: object = 1) -> None:
        if size == -1:
            raise ValueError("no such lid")

    @classmethod
    def of(cls, size: int) -> Lid:
        return cls(size)


class Cup(Lid):
    pass


class Box:
    def __init__(self, lid: object = None) -> None:
        self.lid = lid

    def __call__(self, lid: object) -> None:
        raise ValueError("no room")

    def put(self, lid: object, *, other: object = None) -> None:
        raise ValueError("no room")


class Chest(Box):
    pass


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
        ("Box()(Lid(-1))", "Box.__call__", True),
        ("Box()(1)", "Box.__call__", False),
        ("Chest(Lid(-1))", "Box.__init__", True),
        ("list(Cup(-1))", "Lid.__init__", False),
        ("Cup(-1)", "Lid.__init__", False),
    ],
)
def test_errors_of_arguments_are_told_from_those_of_the_call(
    source: str, symbol: str, nested: bool
) -> None:
    code = compile(source, "<step>", "eval")
    with pytest.raises(ValueError, match=r"no such lid|no room") as caught:
        eval(code, {one.__name__: one for one in (Box, Chest, Cup, Lid)})
    assert is_raised_by_an_argument(caught.value, source, symbol, "<step>") is nested


BOXES = """
    class Lid:
        def __init__(self, size):
            if size < 0:
                raise ValueError("no such lid")


    def closed(box, lid):
        return box
"""


def test_a_call_of_a_function_that_is_not_entered_is_no_case(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"boxes.py": BOXES})
    line = ("from boxes import Lid, closed",)
    prober = Prober(tmp_path, program, best_jail())
    cases = [
        Case("boxes.py", symbol, (Step(source, check=True),), line)
        for symbol, source in [("closed", "closed(1, Lid(-1))"), ("Lid", "Lid(-1)")]
    ]
    seen = prober.observe(cases, 10)
    prober.close()
    raised = [seen[one.key].outcomes[0].raised for one in cases]
    assert [one.explicit for one in raised if one is not None] == [False, True]


def test_an_error_of_nothing_that_a_step_executes_is_of_no_argument() -> None:
    assert not is_raised_by_an_argument(ValueError("a"), "put(a())", "put", "<step>")
