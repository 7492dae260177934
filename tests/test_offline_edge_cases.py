"""Tests of odd input become tables of calls, apart from what a person would type."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from offline_program import write_program

from pytest_lift.agents.offline.docstrings.intents import Intents
from pytest_lift.agents.offline.joining.odd.edge_cases import (
    MOST,
    begun_tables,
    edge_cases_apart,
    with_edges,
)
from pytest_lift.agents.offline.joining.odd.edge_rows import LONGEST
from pytest_lift.agents.offline.printing.functions import print_test
from pytest_lift.agents.offline.writing.grouping import PlannedTest
from pytest_lift.agents.offline.writing.links import ClaimedLink
from pytest_lift.agents.offline.writing.oracles.checks import StepCheck, Verified
from pytest_lift.calls.case import Case, Origin, Raised, Step
from pytest_lift.requirements.requirement import Requirements
from pytest_lift.source.program import Program
from pytest_lift.suite.suite import suite_of

EMPTY = Raised("ValueError", "builtins", "it is empty", "m.py", 3, True)


@pytest.fixture
def program(tmp_path: Path) -> Program:
    return write_program(tmp_path, {"m.py": "def first(items):\n    return items[0]\n"})


def planned(
    *checks: StepCheck,
    symbol: str = "first",
    doubtful: bool = True,
    origin: Origin = "searched",
    folder: bool = False,
    argv: tuple[str, ...] | None = None,
) -> PlannedTest:
    steps = tuple(Step(check.expression, check.form != "none") for check in checks)
    case = Case("m.py", symbol, steps, origin=origin, doubtful=doubtful, folder=folder, argv=argv)
    item = Verified(case, checks, ("from m import first, Box",), frozenset())
    return PlannedTest((item,), ClaimedLink(), "steps")


def gives(call: str, expected: str, symbol: str = "first", **case: object) -> PlannedTest:
    return planned(StepCheck("equals", call, expected), symbol=symbol, **case)  # type: ignore[arg-type]


def fails(call: str, match: str = "it is empty") -> PlannedTest:
    return planned(StepCheck("raises", call, raised=EMPTY, match=match))


def made(line: str) -> StepCheck:
    return StepCheck("none", line)


def printed(table: PlannedTest, program: Program) -> str:
    text = print_test(table, Intents(program, Requirements())).text
    return text.partition("\n")[2]


def test_what_is_looked_at_after_a_walk_through_an_object_is_no_call_of_its_own() -> None:
    walk = StepCheck("equals", "list(box)", "[3]")
    read = StepCheck("equals", "box.seen", "1")
    plain = gives("first((0,))", "0")
    rest, _ = edge_cases_apart([plain, planned(made("box = Box([3])"), walk, read)])
    assert len(rest) == 2
    rest, _ = edge_cases_apart([plain, planned(made("box = Box([3])"), read, walk)])
    assert rest == []


def test_calls_of_several_functions_are_rows_of_one_table(program: Program) -> None:
    plain = gives("first('ab')", "'a'", doubtful=False)
    box = planned(made("box = Box([3])"), StepCheck("is", "box.pop(0)", "None"), symbol="Box.pop")
    rest, tables = edge_cases_apart([gives("first((0,))", "0"), plain, box])
    assert rest == [plain]
    (table,) = tables
    assert printed(table, program) == (
        "@pytest.mark.parametrize(\n"
        '    ("call", "expected"),\n'
        "    [\n"
        '        pytest.param(lambda: first((0,)), 0, id="first"),\n'
        '        pytest.param(lambda: Box([3]).pop(0), None, id="Box.pop"),\n'
        "    ],\n"
        ")\n"
        "def test_edge_cases(call, expected):\n"
        '    """Edge cases: first((0,)) gives 0 and Box([3]).pop(0) gives None."""\n'
        "    assert call() == expected"
    )


def test_errors_stand_apart_with_what_they_say(program: Program) -> None:
    silent = fails("first({})", "")
    plans = [fails("first([])"), gives("first((0,))", "0"), fails("first('')"), silent]
    rest, (table,) = edge_cases_apart(plans)
    assert rest == [plans[1]]
    assert printed(table, program) == (
        "@pytest.mark.parametrize(\n"
        '    ("call", "error", "message"),\n'
        "    [\n"
        '        pytest.param(lambda: first([]), ValueError, "it is empty", id="first"),\n'
        '        pytest.param(lambda: first(""), ValueError, "it is empty", id="first"),\n'
        '        pytest.param(lambda: first({}), ValueError, None, id="first"),\n'
        "    ],\n"
        ")\n"
        "def test_edge_cases_that_raise(call, error, message):\n"
        '    """Edge cases: first([]) and first(\'\') raise ValueError: it is empty;\n'
        '    first({}) raises ValueError."""\n'
        "    with pytest.raises(error, match=message):\n"
        "        call()"
    )


def test_looks_at_one_object_are_rows_of_their_own() -> None:
    looks = [StepCheck("equals", "box.size", "0"), StepCheck("text", "box", "'[]'")]
    alone = gives("first((0,))", "0")
    rest, (table,) = edge_cases_apart([planned(made("box = Box([])"), *looks), alone])
    calls = [dict(row.arguments)["call"] for row in table.rows]
    assert calls == ["lambda: Box([]).size", "lambda: str(Box([]))", "lambda: first((0,))"]
    assert not rest


@pytest.mark.parametrize(
    "other",
    [
        gives("first('ab')", "'a'", doubtful=False),
        gives("first('ab')", "'a'", origin="documented"),
        gives("main()", "0", argv=("x",)),
        gives(f"first({'a' * LONGEST!r})", "'a'"),
        gives("first((yield))", "'a'"),
        planned(made("box = Box([])"), made("box.add(1)"), StepCheck("equals", "box.size", "1")),
        planned(
            made("box = Box([])"),
            StepCheck("equals", "box.add(1)", "1"),
            StepCheck("equals", "box.size", "1"),
        ),
        planned(made("box = Box([])"), StepCheck("equals", "box.joined(box)", "0")),
        planned(
            made("box = Box([])"), made("old = box.add(1)"), StepCheck("equals", "box.size", "1")
        ),
        planned(made("box = Box([])"), StepCheck("equals", "box.itself()", "box")),
        planned(made("def add(a):\n    return a"), StepCheck("equals", "first(add)", "0")),
        planned(StepCheck("printed", "first(0)", printed="a")),
    ],
)
def test_what_a_person_types_and_what_is_no_expression_stays(other: PlannedTest) -> None:
    odd = [gives("first((0,))", "0"), gives("first((1,))", "1")]
    rest, (table,) = edge_cases_apart([odd[0], other, odd[1]])
    assert rest == [other]
    assert len(table.rows) == 2


def test_what_shows_that_nothing_comes_out_is_an_edge_however_plain() -> None:
    nothing = [
        planned(made("box = Box()"), StepCheck("is", "box.pop()", "None"), doubtful=False),
        gives("first([])", "[]", doubtful=False),
    ]
    others = [
        gives("first('ab')", "'a'", doubtful=False),
        gives("first([])", "[]", doubtful=False, origin="documented"),
        planned(
            made("box = Box()"), made("box.add(1)"), StepCheck("equals", "box.rest()", "[]"),
            doubtful=False,
        ),
    ]  # fmt: skip
    items = with_edges([plan.first for plan in (*nothing, *others[1:])], {"Box"})
    assert [item.case.doubtful for item in items] == [True, True, False, False]
    items = with_edges([plan.first for plan in (*nothing, *others)], {"Box"})
    assert [item.case.doubtful for item in items] == [True, False, False, False, False]


def test_one_edge_case_stays_a_test() -> None:
    around = [gives("first((0,))", "0"), gives("first((0,))", "0", folder=True)]
    rest, tables = edge_cases_apart([*around, fails("first([])")])
    assert (rest[:2], tables) == (around, [])


def test_one_edge_case_joins_a_table_of_the_suite(program: Program) -> None:
    around = [gives("first((0,))", "0"), fails("first([])")]
    text = "def test_edge_cases():\n    pass\n"
    begun = begun_tables(suite_of("tests", {"tests/test_m.py": text}), program)
    assert begun == {("m.py", "edge_cases")}
    rest, (table,) = edge_cases_apart(around, begun)
    assert (rest, len(table.rows)) == (around[1:], 1)
    assert not begun_tables(suite_of("tests", {"tests/test_n.py": text}), program)


def test_no_table_is_too_long_and_no_row_stands_there_twice() -> None:
    plans = [gives(f"first(({n},))", f"{n}") for n in range(MOST + 1)]
    _, tables = edge_cases_apart([*plans, plans[0]])
    assert [len(table.rows) for table in tables] == [MOST // 2 + 1, MOST // 2]


@pytest.mark.parametrize(
    ("expected", "ends"),
    [
        (["1", "1", "1"], " of first_0, first_1 and first_2: each call gives 1."),
        (
            ["0", "1", "2"],
            " of first_0, first_1 and first_2: each call gives what is expected in its row.",
        ),
        (["1"] * 4, ": each call gives 1."),
    ],
    ids=["all give the same", "each gives another one", "many functions are not named"],
)
def test_what_is_too_long_to_be_told_is_told_of_all_rows(expected: list[str], ends: str) -> None:
    plans = [
        gives(f"first({(n, 'a' * 120)!r})", value, symbol=f"first_{n}")
        for n, value in enumerate(expected)
    ]
    _, (table,) = edge_cases_apart(plans)
    assert table.told == f"Edge cases{ends}"


def test_one_short_row_tells_what_the_others_are_like() -> None:
    plans = [
        gives(f"first({'a' * n!r})", value, symbol="first")
        for n, value in ((90, "1"), (5, "'None'"), (7, "None"), (93, "2"), (94, "3"))
    ]
    _, (table,) = edge_cases_apart(plans)
    assert table.told == (
        "Edge cases: first('aaaaa') gives 'None', and each other call gives what is expected in "
        "its row."
    )


def test_errors_of_long_calls_are_named() -> None:
    other = Raised("KeyError", "builtins", "no key", "m.py", 4, True)
    keyed = planned(StepCheck("raises", f"first({'b' * 120!r})", raised=other, match="no key"))
    values = [fails(f"first({text * 120!r})", match) for text, match in (("a", "x"), ("c", "y"))]
    _, (table,) = edge_cases_apart([*values, keyed])
    assert table.told == (
        "Edge cases of first: each call raises the ValueError or KeyError of its row with its "
        "message."
    )


def test_what_is_compared_is_told_as_it_is() -> None:
    other = planned(StepCheck("false", "Box([]) == Box([3])"), symbol="Box.__eq__")
    _, (table,) = edge_cases_apart([gives("first((0,))", "0"), other])
    assert table.told == "Edge cases: first((0,)) gives 0 and Box([]) does not equal Box([3])."


def test_what_runs_in_a_folder_is_called_there(program: Program) -> None:
    plans = [gives(f"first('{name}')", "'a'", folder=True) for name in ("a", "ab")]
    _, (table,) = edge_cases_apart(plans)
    lines = printed(table, program).splitlines()
    assert lines[-2:] == ["    monkeypatch.chdir(tmp_path)", "    assert call() == expected"]
    assert "def test_edge_cases(call, expected, monkeypatch, tmp_path):" in lines


def test_no_function_is_named_as_what_a_table_is_about() -> None:
    link = ClaimedLink((), "observed behaviour of first; no requirement is known to state it")
    plans = [replace(gives(f"first(({n},))", f"{n}"), link=link) for n in range(2)]
    _, (table,) = edge_cases_apart(plans)
    assert table.link.emergent == (
        "observed behaviour of edge cases; no requirement is known to state it"
    )


def test_calls_that_give_none_stand_apart_where_there_are_several(program: Program) -> None:
    def given(number: int, value: str) -> PlannedTest:
        return planned(StepCheck("is" if value == "None" else "equals", f"first({number})", value))

    several = [given(n, value) for n, value in enumerate(("None", "2", "None", "3"))]
    _, (nothing, something) = edge_cases_apart(several)
    text = printed(nothing, program)
    assert "def test_edge_cases_that_give_none(call):" in text
    assert text.endswith("    assert call() is None")
    assert "first(0) and first(2) give None." in text
    assert len(something.rows) == 2
    _, (table,) = edge_cases_apart(several[:2])
    assert [dict(row.arguments)["expected"] for row in table.rows] == ["None", "2"]
    _, (table,) = edge_cases_apart(several[:1], {("m.py", "edge_cases")})
    assert table.first.case.symbol == "edge_cases"
