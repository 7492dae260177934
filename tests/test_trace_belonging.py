"""Whose mutants are whose: a class stands for its methods unless some are named."""

from __future__ import annotations

from pathlib import Path

import pytest
from mutated_shop import (
    measurement,
    program,
    requirement,
)

from pytest_lift.trace.belonging import Belonging

CLASSES = "class A:\n def go(self): pass\n def stay(self): pass\nclass B:\n def go(self): pass\ndef stay(): pass\n"


@pytest.mark.parametrize(
    ("text", "symbols"),
    [
        ("`A` is there.", {"A.go", "A.stay"}),
        ("`stay` is there.", {"A.stay", "stay"}),
        ("`A.stay` is there.", {"A.stay"}),
        ("`B.go` is there.", {"B.go"}),
        ("A and stay are there.", set()),
    ],
)
def test_a_class_stands_for_its_methods_unless_some_are_named(
    text: str, symbols: set[str], tmp_path: Path
) -> None:
    names = CLASSES.replace("A", "Aaa").replace("B", "Bbb").replace("go", "gone")
    said = text.replace("A", "Aaa", 1).replace("B", "Bbb").replace("go", "gone")
    belonging = Belonging(program(tmp_path, names), measurement(None, requirement("R", said)).trace)
    found = {
        symbol
        for symbol in ("Aaa.gone", "Aaa.stay", "Bbb.gone", "stay")
        if belonging.requirements(symbol) == ("R",)
    }
    assert found == {
        s.replace("A", "Aaa").replace("B", "Bbb").replace("go", "gone") for s in symbols
    }


def test_what_needs_no_test_asks_for_none(tmp_path: Path) -> None:
    found = measurement(None, requirement("R", "`Cart.add` is fast.", waived="later")).trace
    assert Belonging(program(tmp_path), found).requirements("Cart.add") == ()
