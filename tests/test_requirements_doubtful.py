"""A doubt counts with the words of both sides, and for as long as both requirements have them."""

from __future__ import annotations

from dataclasses import replace

import pytest
from brief_of import asked

from pytest_lift.requirements.doubtful import DoubtfulRequirement, fault, still_doubtful
from pytest_lift.requirements.requirement import Requirements

SHIP = asked("S-1", "Shipping is free from 50 on. An order of 50 costs 5 for shipping.")
TOLL = asked("T-1", "Nothing is ever free of charge.")
KNOWN = Requirements((SHIP, TOLL))
ITSELF = DoubtfulRequirement("S-1", "free from 50 on", "S-1", "An order of 50 costs 5")
OTHER = DoubtfulRequirement("S-1", "free from 50 on", "T-1", "Nothing is ever free")


@pytest.mark.parametrize(
    ("doubt", "why"),
    [
        (ITSELF, ""),
        (OTHER, ""),
        (replace(OTHER, quote="free from\n 50 on."), ""),
        (replace(OTHER, quote="free from 60 on"), "S-1 does not say 'free from 60 on'"),
        (replace(OTHER, other_quote=""), "T-1 does not say ''"),
        (replace(OTHER, other="T-9"), "no requirement has the id 'T-9'"),
        (replace(ITSELF, other_quote="Shipping is free from 50 on"), "the two quotes are one"),
        (replace(ITSELF, other_quote="free from 50"), "the two quotes are one"),
    ],
)
def test_both_sides_have_to_stand_in_the_texts(doubt: DoubtfulRequirement, why: str) -> None:
    found = fault(doubt, KNOWN)
    assert found.startswith(why)
    assert bool(found) is bool(why)


def test_it_is_the_same_from_either_side() -> None:
    turned = DoubtfulRequirement("T-1", "nothing is  ever free", "S-1", "free from 50 on", "why")
    assert turned.key == OTHER.key
    assert ITSELF.key != OTHER.key


def test_both_sides_are_told() -> None:
    assert OTHER.told == 'S-1 says "free from 50 on", T-1 "Nothing is ever free"'
    assert ITSELF.told == 'S-1 says "free from 50 on", also "An order of 50 costs 5"'


def test_a_doubt_is_over_when_a_text_is_mended() -> None:
    mended = Requirements((replace(SHIP, description="Shipping is free from 50 on."), TOLL))
    assert still_doubtful([ITSELF, OTHER], KNOWN) == (ITSELF, OTHER)
    assert still_doubtful([ITSELF, OTHER], mended) == (OTHER,)
