"""Texts of tests: what they use of their file, and what is known from an earlier session."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_lift.expectations.asserted import claims
from pytest_lift.files.content_cache import Cache
from pytest_lift.requirements.requirement import Requirement
from pytest_lift.source.syntax import to_bytes
from pytest_lift.suite.suite import Suite, suite_of
from pytest_lift.trace.covering import Cover
from pytest_lift.trace.texts import CachedTexts, ReadTexts, surrounded

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
    planted(
        tmp_path,
        {
            "idle": {LIVE: True},
            "covers": {LIVE: {"F-1": [{"point": 1, "basis": "example", "parts": [2]}]}},
        },
    )
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
    planted(tmp_path, {"idle": {LIVE: True}})
    assert not known(tmp_path, text, asked).is_idle(LIVE)


def test_what_an_evaluator_said_is_not_kept(tmp_path: Path) -> None:
    planted(tmp_path, {"covers": {LIVE: {"F-1": [{"point": 7, "basis": "person"}]}}})
    found = known(tmp_path).covers(ASKED, LIVE, basis="judged", quote="`fare(2)` is 380.")
    assert found == ReadTexts(suite()).covers(
        ASKED, LIVE, basis="judged", quote="`fare(2)` is 380."
    )
    assert [one.point for one in found] == [1]


@pytest.mark.parametrize(
    "row", [None, 5, [], {"idle": 2}, {"covers": {LIVE: 3}}, {"covers": {LIVE: {"F-1": [4]}}}]
)
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


TEST = "def test_it(shop):\n    assert price(ONE) == TWO\n"


def claimed(test: str, beside: str = "") -> set[str]:
    """What the test, in a file with this beside it, says that calls are equal to."""
    text = f"import pytest\nfrom shop import price\n\n{beside}\n\n{test}"
    found = claims(surrounded(test, text))
    return {f"{call} == {told}" for kind, call, told in found if kind == "equals"} - {
        f"{call} == True" for _, call, _ in found
    }


@pytest.mark.parametrize(
    "beside",
    [
        "ONE = 1\nTWO = 'b'",
        "ONE: int = 1\nTWO: str = 'b'",
        "ONE = FIRST\nFIRST = 1\nTWO = 'b'",
    ],
)
def test_constants_stand_for_their_values(beside: str) -> None:
    assert "price(1) == 'b'" in claimed(TEST, beside)


@pytest.mark.parametrize(
    "beside",
    [
        "ONE = 1\nONE = 2\nTWO = 'b'",
        "ONE = 1\nTWO = 'b'\ndef reset():\n    global ONE\n    ONE = 3",
        "ONE = [1]\nTWO = 'b'\ndef test_other():\n    ONE.append(2)",
        "ONE = [1]\nTWO = 'b'\ndef test_other():\n    last = ONE.pop()",
        "ONE = {}\nTWO = 'b'\ndef test_other():\n    ONE['a'] = 2",
        "ONE = {}\nTWO = 'b'\ndef test_other():\n    del ONE['a']",
        "ONE = module.thing\nTWO = 'b'\ndef test_other():\n    ONE.size = 2",
        "ONE = Shop()\nTWO = 'b'",
        "ONE = [1, Shop()]\nTWO = 'b'",
        "ONE = 1\nTWO = 'b'\ndef test_other(ONE):\n    pass",
        "ONE = 1\nTWO = 'b'\nfrom shop import ONE",
        "ONE = 1\nTWO = 'b'\ndef ONE():\n    pass",
        "ONE = 1\nTWO = 'b'\nclass ONE:\n    pass",
        "ONE = 1\nTWO = 'b'\nimport ONE.inner",
        "if True:\n    ONE = 1\nTWO = 'b'",
        "ONE = 1\nTWO = 'b'\nONE += 1",
        "ONE, OTHER = 1, 2\nTWO = 'b'",
        "ONE = 1\nTWO = 'b'\ndef broken(:",
    ],
)
def test_what_may_be_another_value_stands_for_itself(beside: str) -> None:
    found = claimed(TEST, beside)
    assert not any("price(1)" in one or "price([1])" in one or "price({})" in one for one in found)


def test_a_fixture_that_returns_one_expression_stands_for_it() -> None:
    test = "def test_it(shop):\n    assert shop.price(1) == 2\n"
    for mark in ("@pytest.fixture", "@pytest.fixture()", "@fixture"):
        fixture = f"{mark}\ndef shop():\n    '''One.'''\n    return Shop(SIZE)\nSIZE = 3"
        assert "Shop(3).price(1) == 2" in claimed(test, fixture)
        assert claimed(test, fixture) == claimed(f"async {test}", fixture)


@pytest.mark.parametrize(
    "fixture",
    [
        "def shop():\n    return Shop()",
        "@pytest.fixture(scope='module')\ndef shop():\n    return Shop()",
        "@pytest.fixture(params=[1, 2])\ndef shop():\n    return Shop()",
        "@pytest.fixture\ndef shop(other):\n    return Shop()",
        "@pytest.fixture\ndef shop():\n    made = Shop()\n    return made",
        "@pytest.fixture\ndef shop():\n    yield Shop()",
        "@pytest.fixture\ndef shop():\n    return",
        "@pytest.fixture\n@cache\ndef shop():\n    return Shop()",
        "@pytest.fixture\ndef shop():\n    return Shop()\n\n@pytest.fixture\ndef shop():\n    return 1",
    ],
)
def test_any_other_fixture_is_only_known_by_its_name(fixture: str) -> None:
    test = "def test_it(shop):\n    assert shop.price(1) == 2\n"
    assert "fixture('shop').price(1) == 2" in claimed(test, fixture)
    assert not any(one.startswith("Shop()") for one in claimed(test, fixture))


def test_what_a_fixture_asserts_is_not_said_by_the_test() -> None:
    fixture = "@pytest.fixture\ndef shop():\n    assert price(1) == 2\n    return Shop()"
    assert not claimed("def test_it(shop):\n    pass\n", fixture)


@pytest.mark.parametrize(
    ("loop", "beside"),
    [
        ("for a, b in [(1, 'x'), (2, 'y')]:", ""),
        ("for a, b in ((1, 'x'), [2, 'y']):", ""),
        ("for a, b in CASES:", "CASES = [(1, 'x'), (2, 'y')]"),
        ("for a, b in {1: 'x', 2: 'y'}.items():", ""),
        ("for a, b in CASES.items():", "CASES = {1: 'x', 2: 'y'}"),
    ],
)
def test_a_loop_says_what_each_round_says(loop: str, beside: str) -> None:
    test = f"def test_it():\n    {loop}\n        assert price(a) == b\n"
    assert claimed(test, beside) >= {"price(1) == 'x'", "price(2) == 'y'"}


@pytest.mark.parametrize(
    "body",
    [
        "for a in [1, 2]:\n        assert price(a) == 'x'\n        break",
        "for a in [1, 2]:\n        if a > 1:\n            continue\n        assert price(a) == 'x'",
        "for a in [1, 2]:\n        assert price(a) == 'x'\n        return",
        "for a in [1, 2]:\n        pass\n    assert price(a) == 'x'",
        "for a in [1, 2]:\n        a = a + 1\n        assert price(a) == 'x'",
        "for a in made():\n        assert price(a) == 'x'",
        "for a in [1, 2]:\n        try:\n            f(a)\n        except E:\n            pass"
        "\n        assert price(a) == 'x'",
        "for a in {**other}.items():\n        assert price(a) == 'x'",
    ],
)
def test_a_loop_that_may_end_early_says_nothing_of_its_rounds(body: str) -> None:
    found = claimed(f"def test_it():\n    {body}\n")
    assert not found & {"price(1) == 'x'", "price(2) == 'x'"}


@given(st.text(max_size=60), st.text(max_size=60))
def test_any_text_is_kept_at_the_end(source: str, text: str) -> None:
    assert surrounded(source, text).endswith(source)
