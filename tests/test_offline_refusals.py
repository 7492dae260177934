"""Errors of one function, or of the attributes of one class, stand in one table."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from offline_program import write_program

from pytest_lift.agents.offline.docstrings.intents import Intents
from pytest_lift.agents.offline.joining.refusals import refusals_together
from pytest_lift.agents.offline.printing.functions import print_test
from pytest_lift.agents.offline.writing.grouping import ParametrizedRow, PlannedTest
from pytest_lift.agents.offline.writing.links import ClaimedLink
from pytest_lift.agents.offline.writing.naming import other_names
from pytest_lift.agents.offline.writing.oracles.checks import StepCheck, Verified
from pytest_lift.calls.case import Case, Raised, Step
from pytest_lift.calls.names import Resolver
from pytest_lift.calls.targets.finding import find_targets
from pytest_lift.requirements.requirement import Requirements
from pytest_lift.source.program import Program


@pytest.fixture
def program(tmp_path: Path) -> Program:
    source = """
    class Table:
        def __init__(self, name="", *, border=None, title=None, width=None):
            self.width = width

    def read(text, kind):
        return text

    def said(message):
        return message
    """
    return write_program(tmp_path, {"m.py": source})


def fails(expression: str, match: str, *, kind: str = "ValueError") -> StepCheck:
    raised = Raised(kind, "builtins", match, "m.py", 3, True)
    return StepCheck("raises", expression, raised=raised, match=match)


def planned(
    symbol: str, *checks: StepCheck, subject: str = "", doubtful: bool = False
) -> PlannedTest:
    steps = tuple(Step(check.expression, check.form != "none") for check in checks)
    case = Case("m.py", symbol, steps, subject=subject, doubtful=doubtful)
    item = Verified(case, checks, (f"from m import {symbol.partition('.')[0]}",), frozenset())
    return PlannedTest((item,), ClaimedLink(), "steps")


def written(plans: Sequence[PlannedTest], program: Program) -> list[str]:
    targets = {one.key: one for one in find_targets(program, Resolver(program))}
    intents = Intents(program, Requirements(()))
    plans = refusals_together(plans, targets, doubtful=True)
    tests = [print_test(one, intents).text for one in refusals_together(plans, targets)]
    ast.parse("\n\n".join(tests))
    return [test.partition("\n")[2] for test in tests]


def of_options(*, doubtful: bool = False) -> list[PlannedTest]:
    refused = (
        ("Table(border='a')", "must be True or False"),
        ("Table(title=1, border=True)", "must be a text"),
        ("Table(width=[1, 2])", "must be a number (or None)"),
    )
    return [planned("Table", fails(*one), doubtful=doubtful) for one in refused]


def test_options_that_are_refused_are_rows_with_their_messages(program: Program) -> None:
    (test,) = written(of_options(), program)
    assert test == (
        '@pytest.mark.parametrize(\n    ("options", "message"),\n    [\n'
        '        ({"border": "a"}, "must be True or False"),\n'
        '        ({"title": 1, "border": True}, "must be a text"),\n'
        '        ({"width": [1, 2]}, "must be a number \\\\(or None\\\\)"),\n    ],\n)\n'
        "def test_table_refuses_options(options, message):\n"
        '    """Table(border=\'a\') raises ValueError: must be True or False;\n'
        "    Table(title=1, border=True) raises ValueError: must be a text;\n"
        '    Table(width=[1, 2]) raises ValueError: must be a number (or None)."""\n'
        "    with pytest.raises(ValueError, match=message):\n        Table(**options)"
    )


def test_two_good_errors_stay_alone_and_two_doubtful_ones_share_a_table(program: Program) -> None:
    assert len(written(of_options()[:2], program)) == 2
    assert len(written(of_options(doubtful=True)[:2], program)) == 1


def test_doubtful_errors_are_no_rows_beside_good_ones(program: Program) -> None:
    odd = planned("Table", fails("Table(width=len)", "must be a number"), doubtful=True)
    plans = [*of_options(), odd]
    assert [test.count("@pytest") for test in written(plans, program)] == [1, 0]


def test_errors_of_several_types_have_them_in_their_rows(program: Program) -> None:
    first, *others = of_options()
    plans = [first, *others, planned("Table", fails("Table(border=1)", "a bool", kind="TypeError"))]
    (test,) = written(plans, program)
    assert '({"border": "a"}, ValueError, "must be True or False"),' in test
    assert "with pytest.raises(error, match=message):" in test
    assert "raise the error of its row" in test


def test_attributes_of_one_class_that_are_refused_are_set_by_name(program: Program) -> None:
    made = StepCheck("none", "table = Table()")
    plans = [
        planned(
            "Table.border", made, fails("table.border = 'a'", "True or False"), subject="table"
        ),
        planned("Table.title", made, fails("table.title = 1", "must be a text"), subject="table"),
        planned("Table.width", made, fails("table.width = 'x'", "a number"), subject="table"),
    ]
    (test,) = written(plans, program)
    assert "def test_table_refuses_values(name, value, message):" in test
    assert '("border", "a", "True or False"),' in test
    assert "        setattr(table, name, value)" in test
    assert '"""Setting any of these attributes of Table to its value raises ValueError with' in test


def test_errors_that_their_messages_alone_tell_stay_apart(program: Program) -> None:
    def tests(*messages: str) -> int:
        refused = [fails(f"said({at})", one, kind="Exception") for at, one in enumerate(messages)]
        return len(written([planned("said", one) for one in refused], program))

    assert tests("must be a text", "is too small", "has no name") == 3
    assert tests("is no text", "is no text", "is no text") == 1
    other = [planned("said", fails(f"said({n})", "is no text", kind="Exception")) for n in (1, 2)]
    named = [planned("said", fails(f"said({n})", f"no {n}")) for n in (3, 4, 5)]
    assert len(written([other[0], *named, other[1]], program)) == 3


def test_a_second_table_is_called_after_what_is_refused(program: Program) -> None:
    targets = {one.key: one for one in find_targets(program, Resolver(program))}
    (table,) = refusals_together(of_options(), targets)
    assert other_names(table, "test_table_refuses_options") == [
        f"test_table_refuses_options_such_as_{name}"
        for name in ("border", "title", "border", "width")
    ]


def test_values_of_one_attribute_are_set_as_a_person_does(program: Program) -> None:
    made = StepCheck("none", "table = Table()")
    plans = [
        planned("Table.width", made, fails(f"table.width = {value}", said), subject="table")
        for value, said in (("-1", "below zero"), ("'a'", "no number"), ("10000", "too wide"))
    ]
    (test,) = written(plans, program)
    assert "        table.width = value" in test
    assert '(-1, "below zero"),' in test


def test_arguments_with_messages_of_their_own_have_a_column_each(program: Program) -> None:
    plans = [
        planned("read", fails(f"read({text!r}, 'csv')", said))
        for text, said in (("", "is empty"), ("a,b", "no rows"), ("\x00", "not a text"))
    ]
    (test,) = written(plans, program)
    assert "def test_read_refuses_text(text, message):" in test
    assert '("a,b", "no rows"),' in test
    assert "read('a,b', 'csv') raises ValueError: no rows; read(" in test.replace("\n    ", " ")
    assert '        read(text, "csv")' in test


def test_marks_that_a_message_itself_has_are_told(program: Program) -> None:
    kinds = {"1": "ValueError", "2": "ValueError", "None": "TypeError"}
    checks = [
        replace(
            fails(f"read({one}, 'csv')", f"no \\( in it{'!' * 120}", kind=kind),
            match=r"no \( in it",
        )
        for one, kind in kinds.items()
    ]
    plans = [planned("read", one) for one in checks]
    (test,) = written(plans, program)
    assert r"no \( in it" in test.partition("with pytest.raises")[0]


@pytest.mark.parametrize(
    "odd",
    [
        planned("Table", fails("Table(**given)", "must be a number")),
        planned("Table", fails(f"Table(width='{'x' * 200}')", "must be a number")),
        planned("Table", StepCheck("none", "options = 1"), fails("Table(width=options)", "number")),
    ],
    ids=["unknown-keywords", "too-long", "of-a-variable"],
)
def test_what_is_no_readable_row_stays_a_test_of_its_own(
    odd: PlannedTest, program: Program
) -> None:
    assert len(written([*of_options(), odd], program)) == 2


def test_the_same_error_twice_is_left_alone(program: Program) -> None:
    plans = of_options()[:1] * 3
    assert len(written(plans, program)) == 3


@pytest.mark.parametrize(
    ("before", "raising", "kind"),
    [
        ("given = text.clean('a')", "read('{}', 'csv')", "ValueError"),
        ("given = 1", "read('{}', 'csv')", "text.Bad"),
        ("given = 1", "read('{}', 'csv')", "error.Bad"),
        ("given = message.first()", "read('{}', 'csv')", "ValueError"),
    ],
    ids=["set-up", "type", "type-like-a-column", "set-up-like-a-column"],
)
def test_columns_do_not_hide_what_the_test_uses(
    program: Program, before: str, raising: str, kind: str
) -> None:
    plans = [
        planned(
            "read",
            StepCheck("none", before),
            fails(raising.format(given), f"no {given}", kind=kind),
        )
        for given in "abc"
    ]
    assert len(written(plans, program)) == 3


def test_doubtful_errors_of_one_message_stand_beside_those_of_others(program: Program) -> None:
    refused = [("width=len", "must be a number"), ("width={}", "must be a number"),
               ("style='x='", "has no style")]  # fmt: skip
    odd = [planned("Table", fails(f"Table({one})", said), doubtful=True) for one, said in refused]
    (test,) = written(odd, program)
    assert test.count('"must be a number"') == 2
    assert test.count('"has no style"') == 1


def table_of(column: str, *checks: StepCheck) -> PlannedTest:
    """Returns a table of tests of one shape, whose rows have an argument of some name."""
    plan = planned("read", *checks)
    rows = tuple(ParametrizedRow(((column, value),), "") for value in ("'a'", "'b'"))
    return replace(plan, members=(plan.first,) * 2, form="table", rows=rows, steps=checks)


@pytest.mark.parametrize("column", ["message", "error", "options", "parts"])
def test_arguments_are_called_like_columns_of_other_tables(program: Program, column: str) -> None:
    given = StepCheck("equals", f"read({column})", "1")
    refused = fails(f"read({column})", "is empty")
    for check in (given, refused):
        table = table_of(column, check)
        assert not table.refuses
        (text,) = written([table], program)
        assert "of its row" not in text.partition('"""')[2].partition('"""')[0].replace("\n", " ")
        assert "the attributes that" not in text


def test_arguments_that_are_called_so_are_refused_under_another_name(program: Program) -> None:
    plans = [
        planned("said", fails(f"said({text!r})", reason))
        for text, reason in (("", "is empty"), ("a,b", "no rows"), ("\x00", "not a text"))
    ]
    (test,) = written(plans, program)
    assert '("message_", "message"),' in test
    assert "        said(message_)" in test
