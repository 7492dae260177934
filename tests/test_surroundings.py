"""A test that takes its values from constants, fixtures and loops of its file says what it says."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_lift.expectations.asserted import claims
from pytest_lift.expectations.surroundings import surrounded

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
