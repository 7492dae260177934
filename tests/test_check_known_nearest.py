"""The id that was meant by a misspelt one, or none where two may be."""

from __future__ import annotations

import pytest

from pytest_lift.check.known import NearestIds

KNOWN = ("ENC-1", "ENC-2", "DEC-11", "010")


@pytest.mark.parametrize(
    ("unknown", "expected"),
    [
        ("EMC-1", ("ENC-1", "letters")),
        ("enc-2", ("ENC-2", "spelling")),
        ("10", ("010", "spelling")),
        ("ENC-12", ("ENC-1", "")),
        ("QQQQ", ("", "")),
    ],
)
def test_the_nearest_id(unknown: str, expected: tuple[str, str]) -> None:
    near, slip = NearestIds(KNOWN).of(unknown)
    assert slip == expected[1]
    assert near == expected[0] or (near in KNOWN and not slip)


def test_two_that_may_be_meant_are_not_certain() -> None:
    assert NearestIds(("ENC-1", "EXC-1")).of("EMC-1")[1] == ""


def test_after_two_hundred_unknown_ids_the_file_is_the_wrong_one() -> None:
    nearest = NearestIds(("ENC-1",))
    slips = ["enc-1" + " " * number for number in range(201)]
    assert {nearest.of(slip) for slip in slips[:200]} == {("ENC-1", "spelling")}
    assert nearest.of(slips[200]) == ("", "")
    assert nearest.of(slips[0]) == ("ENC-1", "spelling")


def test_only_what_is_alike_enough_is_proposed() -> None:
    assert NearestIds(("ALPHA-1", "ALPHA-22")).of("ALPHX-22")[0] == "ALPHA-22"
    assert NearestIds(("abcde",)).of("abcXY") == ("abcde", "")  # 3 of 5 letters: 0.6
    assert NearestIds(("abcde",)).of("abXYZ") == ("", "")
    assert NearestIds(("abcde-1",)).of("abcdX-1")[1] == "letters"
    assert NearestIds(("aaaa1",)).of("aaaX1") == ("aaaa1", "letters")  # 0.8
