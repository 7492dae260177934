"""A wrong value of a test is near a right one, where the same line refuses it so."""

from __future__ import annotations

from pathlib import Path

import pytest
from begun_search import search_of

from pytest_lift.agents.offline.choosing.selection import Chosen
from pytest_lift.agents.offline.choosing.wrong_at_last import WrongAtLast, right_values
from pytest_lift.agents.offline.natural.fitting.near_misses import (
    beyond,
    is_like,
    near_misses,
    neighbours,
)
from pytest_lift.agents.offline.search.kept import KeptCase
from pytest_lift.agents.offline.search.search import ProgramSearch
from pytest_lift.calls.call import Call


@pytest.mark.parametrize(
    ("right", "first"),
    [
        ("DE", ["ZZ", "DEX"]),
        ("deu", ["zzz", "deux"]),
        ("Monday", ["Unknown", "Mondayx"]),
        ("7", ["9", "0", "x", "70"]),
        ("2024-02", ["9999-02", "0000-02", "2024-13", "2024-32"]),
        ("", []),
    ],
)
def test_what_is_nearly_right_has_one_part_that_nobody_knows(right: str, first: list[str]) -> None:
    assert [*near_misses(right)][: len(first)] == first


def test_a_text_is_cut_at_its_end_alone() -> None:
    assert [one for one in near_misses("1.2-b") if len(one) < 5] == ["1.2", "1"]


@pytest.mark.parametrize(
    ("value", "beside"),
    [
        ("32", ("33", "31")),
        ("'U'", ("'V'", "'T'")),
        ("'a'", ("'b'",)),
        ("2", ()),
        ("'DE'", ()),
        ("'+'", ()),
        ("[10]", ()),
        ("''", ()),
    ],
)
def test_beside_a_number_or_a_letter_are_others(value: str, beside: tuple[str, ...]) -> None:
    assert neighbours(value) == beside


def test_letters_digits_and_marks_stand_at_the_same_places() -> None:
    assert is_like("2023-12-31 Dec", "2024-02-29 Feb")
    assert not is_like("2023-12-31 dec", "2024-02-29 Feb")


COUNTRIES = """
    NAMES = {"BN": "Brunei", "DE": "Germany"}

    def country(code, name=None):
        if not hasattr(code, "__len__"):
            raise TypeError("no text")
        if len(code) != 2:
            raise ValueError(f"no code: {code}")
        if code not in NAMES:
            raise KeyError(f"unknown: {code}")
        return NAMES[code]
"""


@pytest.mark.parametrize(
    ("name", "right"), [("[1, 2]", "'Ada'"), ("'Ada'", "'Ada'"), ("{'a': 1}", "'Ada'")]
)
def test_what_has_no_part_in_an_error_is_right(tmp_path: Path, name: str, right: str) -> None:
    search, targets = search_of(tmp_path, {"countries.py": COUNTRIES})
    pairs = [("'ZZ'", name), ("'DE'", "'Ada'")]
    calls = [Call(targets["country"], (("code", one), ("name", other))) for one, other in pairs]
    assert nearer(search, calls).given == {"code": "'ZZ'", "name": right}


@pytest.mark.parametrize(
    ("value", "near"),
    [
        ("']Y'", "'ZZ'"),
        ("(1, 2)", "'ZZ'"),
        ("'AA'", "'AA'"),  # of the same letters
        ("'a'", "'a'"),  # anybody types that
        ("[1, 2, 3]", "'DEX'"),  # another line refuses it
        ("iter([1, 2])", "1"),
    ],
)
def test_a_wrong_value_is_near_those_that_succeed(tmp_path: Path, value: str, near: str) -> None:
    search, targets = search_of(tmp_path, {"countries.py": COUNTRIES})
    calls = [Call(targets["country"], (("code", one),)) for one in (value, "'DE'")]
    assert nearer(search, calls).given == {"code": near}


def test_what_documents_give_is_right_where_no_call_is_kept(tmp_path: Path) -> None:
    search, targets = search_of(tmp_path, {"countries.py": COUNTRIES})
    search.inputs.note(targets["country"], "code", "'DE'")
    assert nearer(search, [Call(targets["country"], (("code", "']Y'"),))]).given == {"code": "'ZZ'"}


UNITS = """
    UNITS = {"meter": 1, "mile": 1609}

    def length(units):
        if "Bye?" in units:
            raise LookupError("bye")
        return [UNITS[one] for one in units if check(one)]

    def short(unit):
        if unit.lower()[:2] not in ("mo", "me", "mi"):
            raise LookupError(f"no unit: {unit.lower()[:2]}")
        return unit[:2]

    def check(unit):
        if unit not in UNITS:
            raise LookupError(f"no unit: {unit}")
        return True
"""


@pytest.mark.parametrize(
    ("name", "value", "right", "near"),
    [
        ("short", "'Saturday'", "'mo'", "'zz'"),
        ("check", "'a'", "'meter'", "'unknown'"),
        ("check", "']'", "'meter'", "'Bye?'"),  # documents have it
        ("length", "[1.5, -2, 'x']", "['meter']", "['unknown']"),
        ("length", "['x']", "['meter']", "['x']"),  # of the same kind
    ],
)
def test_what_nobody_knows_says_so(
    name: str, value: str, right: str, near: str, tmp_path: Path
) -> None:
    search, targets = search_of(tmp_path, {"units.py": UNITS})
    (taken,) = targets[name].parameters
    search.inputs.note(targets["check"], "unit", "'Bye?'")
    calls = [Call(targets[name], ((taken.name, one),)) for one in (value, right)]
    assert nearer(search, calls).given == {taken.name: near}


PORTS = """
    def port(text):
        if text.startswith("]"):
            raise ValueError("no port")
        if not text.isdigit():
            raise ValueError("no port")
        return int(text)

    def number(text):
        if not text.isdigit():
            raise ValueError("a bracket" if text.startswith("]") else "no digits")
        return int(text)
"""


@pytest.mark.parametrize("name", ["port", "number"])
def test_another_line_or_message_is_another_error(tmp_path: Path, name: str) -> None:
    search, targets = search_of(tmp_path, {"ports.py": PORTS})
    calls = [Call(targets[name], (("text", one),)) for one in ("']8'", "'80'")]
    assert nearer(search, calls, gain=False).given == {"text": "']8'"}


def test_what_is_given_stays(tmp_path: Path) -> None:
    search, targets = search_of(tmp_path, {"countries.py": COUNTRIES})
    search.inputs.note_used(targets["country"], "name", "[1, 2]")
    pairs = [("'ZZ'", "[1, 2]"), ("'DE'", "'Ada'")]
    calls = [Call(targets["country"], (("code", one), ("name", other))) for one, other in pairs]
    assert nearer(search, calls).given == {"code": "'ZZ'", "name": "[1, 2]"}


DATES = """
    def week(number, year):
        if not 1 <= number <= 52:
            raise ValueError("number must be in 1..52")
        if year < 10 and number:
            raise ValueError("year must be between 10 and 99")
        return number

    def quarter(month):
        if month < 1 or month > 12:
            raise ValueError("no such month")
        return (month - 1) // 3
"""


@pytest.mark.parametrize(
    ("name", "given", "near"),
    [
        ("week", {"number": "900", "year": "20"}, {"number": "53", "year": "20"}),
        ("week", {"number": "-9", "year": "90"}, {"number": "53", "year": "90"}),
        ("week", {"number": "5", "year": "1"}, {"number": "5", "year": "9"}),  # 100 is right
        ("quarter", {"month": "90"}, {"month": "13"}),
        ("quarter", {"month": "13"}, {"month": "13"}),
    ],
)
def test_a_number_is_just_past_the_range_that_a_message_or_its_name_tells(
    name: str, given: dict[str, str], near: dict[str, str], tmp_path: Path
) -> None:
    search, targets = search_of(tmp_path, {"dates.py": DATES})
    assert nearer(search, [Call(targets[name], tuple(given.items()))]).given == near


def test_a_message_names_whole_words_alone() -> None:
    given = {"n": "900", "year": "900"}
    assert [*beyond(given, "year must be in 1..52")] == [("year", "53"), ("year", "0")]


def test_bytes_are_near_bytes(tmp_path: Path) -> None:
    program = """
        KNOWN = {b"BN": 1, b"DE": 2}

        def number(code):
            if code not in KNOWN:
                raise KeyError("unknown")
            return KNOWN[code]
        """
    search, targets = search_of(tmp_path, {"codes.py": program})
    calls = [Call(targets["number"], (("code", one),)) for one in ("b']Y'", "b'DE'")]
    assert nearer(search, calls).given == {"code": "b'ZZ'"}


def nearer(search: ProgramSearch, calls: list[Call], *, gain: bool = True) -> Call:
    """Returns the first of some calls, which fails, with values near those of the others."""
    cases = [case for call in calls if (case := search.write(call)) is not None]
    seen = search.prober.observe(cases, 10)
    kept = [KeptCase(case, seen[case.key], call) for case, call in zip(cases, calls, strict=True)]
    right = right_values(kept, search.natural)
    wrong_at_last = WrongAtLast(search.prober, search.drafts, search.natural, right)
    before = Chosen(kept[0], kept[0].seen.hits if gain else frozenset())
    (after,) = wrong_at_last.nearer([before])
    assert after.kept.call is not None
    assert after.kept.case.cost <= before.kept.case.cost
    return after.kept.call
