"""A function that several tests define stands once above them, where that changes nothing."""

from __future__ import annotations

import ast

import pytest

from pytest_lift.agents.offline.printing.definitions import with_definitions
from pytest_lift.agents.offline.printing.functions import PrintedTest

PAGE = ("def page(request):", "    return Text('Hello')")
USER = ("def user(request):", "    return page(request.user)")
STORE = ("class Store:", "    seen = []")


def printed(name: str, *body: str) -> PrintedTest:
    head = (f"def {name}():", '    """It answers."""')
    lines = (*head, *(f"    {line}" if line else "" for line in body))
    return PrintedTest(name, lines, ("from web import Text",), "web.py", len(head))


def test_it_stands_once_above_the_tests() -> None:
    tests = [
        printed("test_get", *PAGE, "", "assert get(page) == 1"),
        printed("test_both", *PAGE, "", *USER, "", "assert get(user) == 1"),
        printed("test_user", *PAGE, "", *USER, "", "assert post(user) == 1"),
        printed("test_none", "assert get(None) == 0"),
    ]
    defined, found = with_definitions(tests)
    assert defined == ["\n".join(PAGE), "\n".join(USER)]
    assert [test.lines[2:] for test in found] == [
        ("    assert get(page) == 1",), ("    assert get(user) == 1",),
        ("    assert post(user) == 1",), ("    assert get(None) == 0",),
    ]  # fmt: skip
    assert [ast.get_docstring(ast.parse(test.text).body[0]) for test in found] == [
        "It answers."
    ] * 4


def test_a_definition_that_stays_has_a_blank_line_before_it() -> None:
    own = [printed(f"test_{n}", "", *PAGE, "", *STORE, "", "assert Store") for n in range(2)]
    _, found = with_definitions(own)
    assert found[0].lines[2:] == ("", *(f"    {line}" for line in STORE), "", "    assert Store")


@pytest.mark.parametrize(
    ("bodies", "taken", "ambiguous"),
    [
        ([(*PAGE, "assert get(page)")], (), ()),
        ([(*PAGE, "page = get(page)", "assert page"), (*PAGE, "assert page")], (), ()),
        ([(*PAGE, "assert page"), ("def page():", "    return 1", "assert page")] * 2, (), ()),
        ([(*STORE, "assert Store"), (*STORE, "assert not Store")], (), ()),
        ([(*USER, "assert user"), (*USER, "assert not user")], ("user",), ()),
        ([(*PAGE, "assert page"), (*PAGE, "assert not page")], (), ("Text",)),
        ([("x = 1", *PAGE, "assert page"), ("x = 2", *PAGE, "assert page")], (), ()),
    ],
    ids=["one test", "a variable", "two meanings", "state", "taken", "an import", "not first"],
)
def test_it_stays_in_the_tests(
    bodies: list[tuple[str, ...]], taken: tuple[str, ...], ambiguous: tuple[str, ...]
) -> None:
    tests = [printed(f"test_{number}", "", *body) for number, body in enumerate(bodies)]
    assert with_definitions(tests, taken, ambiguous) == ([], tests)


def test_what_the_file_defines_already_is_not_defined_again() -> None:
    existing = "def page(request):\n    return Text('Hello')\n"
    test = printed("test_get", *PAGE, "", "assert get(page) == 1")
    defined, (found,) = with_definitions([test], ("page",), (), existing)
    assert (defined, found.lines[2:]) == ([], ("    assert get(page) == 1",))
