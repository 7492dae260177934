"""What texts say, known from an earlier session: used for what is the same, and for nothing else."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pytest_lift.files.content_cache import Cache
from pytest_lift.requirements.requirement import Requirement
from pytest_lift.suite.suite import Suite, suite_of, to_bytes
from pytest_lift.trace.covering import Cover
from pytest_lift.trace.texts import CachedTexts, ReadTexts

PATH = "tests/test_fare.py"
IDLE, LIVE = f"{PATH}::test_idle", f"{PATH}::test_live"
TEXT = "def test_idle():\n    pass\n\n\ndef test_live():\n    assert fare(2) == 380\n"
ASKED = Requirement("F-1", "Fares", "what is paid", ("`fare(2)` is 380.",), "fares", "reqs.yml", 1)


def suite(text: str = TEXT) -> Suite:
    return suite_of("tests", {PATH: text})


def known(folder: Path, text: str = TEXT, asked: Requirement = ASKED) -> CachedTexts:
    return CachedTexts(suite(text), Cache(folder / "texts.json", (asked,), ()))


def planted(folder: Path, row: object) -> None:
    """A row for the file as it is, as a session before might have left it."""
    cache = Cache(folder / "texts.json", (ASKED,), ())
    key, _ = cache.get(PATH.encode(), to_bytes(TEXT))
    cache.put(key, row)
    cache.save()


def test_it_says_what_the_texts_say(tmp_path: Path) -> None:
    plain = ReadTexts(suite())
    for texts in (known(tmp_path), known(tmp_path)):
        assert [texts.is_idle(node) for node in (IDLE, LIVE)] == [True, False]
        assert texts.covers(ASKED, LIVE, basis="person") == plain.covers(
            ASKED, LIVE, basis="person"
        )
        texts.save()


def test_what_is_kept_is_used(tmp_path: Path) -> None:
    planted(tmp_path, [{LIVE: True}, {LIVE: {"F-1": [[1, "example", [2]]]}}])
    texts = known(tmp_path)
    assert texts.is_idle(LIVE)
    assert texts.covers(ASKED, LIVE, basis="person") == (Cover(1, "example", (2,)),)
    assert texts.is_idle(IDLE), "what is not kept of a known file is worked out"


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        (TEXT + "\n", ASKED),
        (
            TEXT,
            Requirement(
                "F-1", "Fares", "what is paid", ("`fare(2)` is 381.",), "fares", "reqs.yml", 1
            ),
        ),
    ],
    ids=["another test file", "another requirement"],
)
def test_it_is_not_used_for_anything_else(tmp_path: Path, text: str, asked: Requirement) -> None:
    planted(tmp_path, [{LIVE: True}, {}])
    assert not known(tmp_path, text, asked).is_idle(LIVE)


def test_what_an_evaluator_said_is_not_kept(tmp_path: Path) -> None:
    planted(tmp_path, [{}, {LIVE: {"F-1": [[7, "person", []]]}}])
    found = known(tmp_path).covers(ASKED, LIVE, basis="judged", quote="`fare(2)` is 380.")
    assert found == ReadTexts(suite()).covers(
        ASKED, LIVE, basis="judged", quote="`fare(2)` is 380."
    )
    assert [one.point for one in found] == [1]


@pytest.mark.parametrize("row", [None, 5, [], [1, 2], [{}, {LIVE: 3}], [{}, {LIVE: {"F-1": [4]}}]])
def test_a_row_of_another_shape_does_not_count(tmp_path: Path, row: object) -> None:
    planted(tmp_path, row)
    texts = known(tmp_path)
    assert [texts.is_idle(node) for node in (IDLE, LIVE)] == [True, False]
    texts.save()


def test_a_session_of_one_file_keeps_what_is_known_of_the_others(tmp_path: Path) -> None:
    other = "tests/test_other.py"
    both = suite_of("tests", {PATH: TEXT, other: TEXT})
    place = tmp_path / "texts.json"
    first = CachedTexts(both, Cache(place, (), ()))
    first.is_idle(IDLE), first.is_idle(f"{other}::test_idle")
    first.save()
    before = json.loads(place.read_bytes().partition(b"\n")[2])
    second = CachedTexts(both, Cache(place, (), ()))
    second.is_idle(LIVE)
    second.save()
    after = json.loads(place.read_bytes().partition(b"\n")[2])
    assert after.keys() == before.keys()
    assert len(after) == 2
    assert after != before, "and what this session found out is kept, too"


def test_no_file_is_parsed_for_what_is_kept(tmp_path: Path) -> None:
    first = known(tmp_path)
    first.is_idle(IDLE), first.covers(ASKED, LIVE, basis="person")
    first.save()
    again = known(tmp_path)
    again.is_idle(IDLE), again.covers(ASKED, LIVE, basis="person")
    assert not again.suite.files.parsed  # type: ignore[attr-defined]
    again.source(LIVE)
    assert again.suite.files.parsed  # type: ignore[attr-defined]
