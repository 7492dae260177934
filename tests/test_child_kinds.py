"""A case is about the class that its object is of."""

from __future__ import annotations

from pathlib import Path

import pytest
from jails import best_jail
from offline_program import write_program

from pytest_lift.calls.case import Case, Step
from pytest_lift.calls.child.noting.kinds import is_of_another_class
from pytest_lift.calls.prober import Prober


class Store:
    def get(self) -> int:
        return 1


class Files(Store): ...


class Memory(Store): ...


class Lazy:
    def __getattr__(self, name: str) -> object:
        return getattr(Files(), name)


Alias = Memory


@pytest.mark.parametrize(
    ("value", "symbol", "other"),
    [
        (Memory(), "Files.get", True),
        (Memory(), "Memory.get", False),
        (Memory(), "Alias.get", False),
        (Memory(), "Store.get", False),
        (Store(), "Files.get", True),
        (Lazy(), "Files.get", False),
        (Memory(), "Files.__init__", False),
        (Memory(), "Unknown.get", False),
        (Memory(), "get", False),
    ],
)
def test_an_object_is_of_the_class_of_a_method_or_of_one_below_it(
    value: object, symbol: str, other: bool
) -> None:
    assert is_of_another_class(value, symbol, [__name__, "no_such_module"]) is other


STORES = """
    class Store:
        def name(self):
            return "a"


    class Files(Store): ...


    def made():
        return Store()
"""


def test_a_search_is_told_of_no_case_on_an_object_of_another_class(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"stores.py": STORES})
    line = ("from stores import Files, made",)
    prober = Prober(tmp_path, program, best_jail())
    own, other = (
        Case(
            "stores.py",
            "Files.name",
            (Step(f"files = {making}"), Step("files.name()", check=True)),
            line,
            subject="files",
        )
        for making in ("Files()", "made()")
    )
    seen = prober.explore([other, own], frozenset(), 10)
    prober.close()
    assert [case.key for case, _ in seen] == [own.key]
