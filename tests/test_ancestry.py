"""Classes above another one, by the names of their bases."""

from __future__ import annotations

from pytest_lift.source.ancestry import above


def test_nearest_first_and_each_once() -> None:
    bases = {"Kite": ["Left", "Right"], "Left": ["Top"], "Right": ["Top", "Side"]}
    assert [*above("Kite", bases)] == ["Left", "Right", "Top", "Side"]


def test_a_class_may_be_derived_from_its_own_name() -> None:
    assert [*above("Path", {"Path": ["Path", "Base"], "Base": ["Path"]})] == ["Base"]
