"""Tests of doubtful arguments, and of one error of a function, stand in one table."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

import pytest
from offline_program import write_program

from pytest_lift.agents.offline.docstrings.intents import Intents
from pytest_lift.agents.offline.joining.odd.narrowing import narrowed
from pytest_lift.agents.offline.joining.odd.tables import doubtful_together
from pytest_lift.agents.offline.printing.functions import print_test
from pytest_lift.agents.offline.writing.grouping import PlannedTest
from pytest_lift.agents.offline.writing.links import ClaimedLink
from pytest_lift.agents.offline.writing.oracles.checks import StepCheck, Verified
from pytest_lift.calls.case import Case, Raised, Step
from pytest_lift.calls.names import Resolver
from pytest_lift.calls.targets.finding import find_targets
from pytest_lift.calls.targets.target import Target
from pytest_lift.requirements.requirement import Requirements
from pytest_lift.source.program import Program


@pytest.fixture
def program(tmp_path: Path) -> Program:
    source = """
    class Leaf:
        def __init__(self, value):
            self.value = value

        def children(self):
            return [self.value]

        def __iter__(self):
            return iter([self.value])

    class Pair:
        def __init__(self, left, right):
            self.left, self.right = left, right

        def children(self):
            return [self.left, self.right]

        def __iter__(self):
            return iter([self.left, self.right])

    class Printer:
        def visit(self, node):
            return str(node)

        def visit_leaf(self, node):
            return "leaf"

        def visit_pair(self, pair):
            return "pair"

        def visit_top(self, node):
            return "top"

    def read(text, kind):
        return text
    """
    return write_program(tmp_path, {"m.py": source})


def planned(
    symbol: str,
    *checks: StepCheck,
    doubtful: bool = True,
    files: Mapping[str, str] = MappingProxyType({}),
) -> PlannedTest:
    steps = tuple(Step(check.expression, check.form != "none") for check in checks)
    case = Case("m.py", symbol, steps, doubtful=doubtful, files=files)
    item = Verified(case, checks, ("from m import Leaf, Pair, Printer, read",), frozenset())
    return PlannedTest((item,), ClaimedLink(), "steps")


def made(line: str) -> StepCheck:
    return StepCheck("none", line)


def gives(expression: str, expected: str) -> StepCheck:
    return StepCheck("equals", expression, expected)


def fails(expression: str, match: str) -> StepCheck:
    raised = Raised("ValueError", "builtins", match, "m.py", 3, True)
    return StepCheck("raises", expression, raised=raised, match=match)


def written(plans: Sequence[PlannedTest], program: Program) -> list[str]:
    targets = {one.key: one for one in find_targets(program, Resolver(program))}
    intents = Intents(program, Requirements(()))
    tests = [print_test(one, intents).text for one in doubtful_together(plans, targets)]
    ast.parse("\n\n".join(tests))
    return [test.partition("\n")[2] for test in tests]


def asked(source: str, owner: str, expected: str, *, doubtful: bool = True) -> PlannedTest:
    lines = made(f"thing = {source}"), gives("thing.children()", expected)
    return planned(f"{owner}.children", *lines, doubtful=doubtful)


def test_what_objects_of_several_classes_answer_is_one_table(program: Program) -> None:
    plans = [asked("Leaf(1)", "Leaf", "[1]"), asked("Pair(1, 'a')", "Pair", "[1, 'a']")]
    (test,) = written(plans, program)
    assert test == (
        '@pytest.mark.parametrize(\n    ("instance", "expected"),\n    [\n'
        "        (Leaf(1), [1]),\n"
        '        (Pair(1, "a"), [1, "a"]),\n    ],\n)\n'
        "def test_children(instance, expected):\n"
        '    """Leaf(1).children() gives [1] and Pair(1, \'a\').children() gives [1, \'a\']."""\n'
        "    assert instance.children() == expected"
    )


def test_objects_that_tell_themselves_what_they_have_stand_in_no_rows(program: Program) -> None:
    """pytest asks what stands in a row for its name, which changes some of them."""
    plans = [asked("Open({})", "Open", "[]"), asked("Open({'a': 1})", "Open", "[1]")]
    targets = {one.key: one for one in find_targets(program, Resolver(program))}
    assert len(doubtful_together(plans, targets)) == 1
    maker = Target("m.py", "Open", "constructor", "Open", (), ())
    asking = Target("m.py", "Open.__getattr__", "operator", "Open", (), (), maker)
    assert doubtful_together(plans, {**targets, asking.key: asking}) == plans
    # a function of such a program may give one
    plans = [asked(f"read('a', {kind})", "Leaf", "[]") for kind in (1, "'b'")]
    assert len(doubtful_together(plans, targets)) == 1
    assert doubtful_together(plans, {**targets, asking.key: asking}) == plans


def test_objects_of_one_class_are_called_after_it(program: Program) -> None:
    plans = [asked("Leaf(1)", "Leaf", "[1]"), asked("Leaf('b')", "Leaf", "['b']")]
    (test,) = written(plans, program)
    assert "def test_leaf_children(leaf, expected):" in test


def test_objects_that_differ_in_one_literal_are_made_of_it_in_the_test(program: Program) -> None:
    plans = [asked(f"Pair({one}, 'z')", "Pair", f"[{one}, 'z']") for one in ("'a'", "'b'")]
    (test,) = written(plans, program)
    assert '("a", ["a", "z"]),' in test
    assert "(value, expected):" in test
    assert 'assert Pair(value, "z").children() == expected' in test
    assert "Pair('a', 'z').children() gives ['a', 'z']" in test
    plans = [asked(f"Pair({one}, {one})", "Pair", f"[{one}, {one}]") for one in (1, 2)]
    assert "(Pair(1, 1), [1, 1])," in written(plans, program)[0], "it differs in two"


@pytest.mark.parametrize(
    "cells",
    [
        ("Pair(f'1{1}', 'z')", "Pair(f'2{1}', 'z')"),
        ("Leaf(-1)", "Leaf(-2)"),
        ("Leaf(1e999)", "Leaf(1.5)"),
        ("Leaf(1)", "Leaf('a')"),
        ("1", "2"),
        ("Leaf(1)", "Pair(2)"),
    ],
)
def test_what_cannot_stand_alone_is_no_literal_of_a_row(cells: Sequence[str]) -> None:
    assert narrowed(cells, "value") is None


def test_a_column_has_no_name_that_its_objects_have(program: Program) -> None:
    plans = [asked(f"Pair(value, {one})", "Pair", f"[1, {one}]") for one in ("'a'", "'b'")]
    assert "assert Pair(value, given).children() == expected" in written(plans, program)[0]


def test_what_a_person_would_type_stays_alone(program: Program) -> None:
    plans = [
        asked("Leaf(1)", "Leaf", "[1]", doubtful=False),
        asked("Leaf('b')", "Leaf", "['b']"),
        asked("Leaf('c')", "Leaf", "['c']", doubtful=False),
    ]
    assert len(written(plans, program)) == 3


def test_what_rows_have_in_common_stands_in_the_call(program: Program) -> None:
    plans = [
        planned("read", made("leaf = Leaf(1)"), gives("read(leaf, 'a')", "1")),
        planned("read", gives("read(Pair(1, 2), 'a')", "2")),
    ]
    (test,) = written(plans, program)
    assert "def test_read(text, expected):" in test
    assert 'assert read(text, "a") == expected' in test
    assert "        (Leaf(1), 1),\n        (Pair(1, 2), 2),\n" in test


def test_arguments_of_a_method_are_rows_beside_its_object(program: Program) -> None:
    plans = [
        planned(
            "Printer.visit",
            made("printer = Printer()"),
            made("leaf = Leaf(1)"),
            gives("printer.visit(leaf)", "'1'"),
        ),
        planned("Printer.visit", gives("Printer().visit(Pair(1, 2))", "'12'")),
    ]
    (test,) = written(plans, program)
    assert "    assert Printer().visit(node) == expected" in test


def test_several_looks_at_an_object_have_a_column_each(program: Program) -> None:
    plans = [
        planned(
            "Leaf", made("leaf = Leaf(1)"), gives("leaf.value", "1"), gives("list(leaf)", "[1]")
        ),
        planned(
            "Leaf", made("leaf = Leaf(2)"), gives("leaf.value", "2"), gives("list(leaf)", "[2]")
        ),
    ]
    (test,) = written(plans, program)
    assert "def test_leaf(leaf, value, items):" in test
    assert "    assert list(leaf) == items" in test
    assert "    assert leaf.value == value" in test


def test_what_is_read_after_a_walk_through_an_object_stays_after_it(program: Program) -> None:
    plans = [
        planned(
            "Leaf",
            made(f"leaf = Leaf({one})"),
            gives("list(leaf)", f"[{one}]"),
            gives("leaf.value", f"{one}"),
        )
        for one in (1, 2)
    ]
    (test,) = written(plans, program)
    assert test.index("assert list(leaf) == items") < test.index("assert leaf.value == value")


def test_one_error_of_a_function_is_shown_once(program: Program) -> None:
    plans = [
        planned(
            "Printer.visit", made("printer = Printer()"), fails(call, "no path"), doubtful=False
        )
        for call in ("printer.visit([1, 2])", "printer.visit(Leaf(1))")
    ]
    (test,) = written(plans, program)
    assert "def test_printer_visit_reports_no_path(node):" in test
    assert 'with pytest.raises(ValueError, match="no path"):\n        Printer().visit(node)' in test
    assert "Printer().visit(node) raises ValueError for [1, 2] and Leaf(1): no path." in test


def test_what_a_person_would_type_is_no_row_beside_what_nobody_would(program: Program) -> None:
    plans = [
        planned(
            "Leaf.__lt__", made("leaf = Leaf(1)"), fails(f"leaf < {odd}", "no order"), doubtful=d
        )
        for odd, d in (("Pair(1, 2)", False), ("{1, 2}", True), ("Pair(2, 3)", False))
    ]
    table, alone = written(plans, program)
    assert "        Pair(1, 2),\n        Pair(2, 3),\n" in table
    assert "_ = leaf < {1, 2}" in alone


def test_a_result_that_names_a_variable_of_the_test_is_no_cell(program: Program) -> None:
    plans = [
        planned(
            "Leaf.children", made(f"leaf = Leaf({n})"), gives("leaf.children()", "[leaf.value, 1]")
        )
        for n in (1, 2)
    ]
    assert len(written(plans, program)) == 2


def test_an_error_with_another_message_is_a_test_of_its_own(program: Program) -> None:
    plans = [planned("read", fails("read(Leaf(1), 1)", match)) for match in ("no", "not so")]
    assert len(written(plans, program)) == 2


@pytest.mark.parametrize(
    "lines",
    [
        (made("leaf = Leaf(1)"), made("leaf.children()"), gives("read(leaf, 'a')", "1")),
        (made("leaf = Leaf(1)"), gives("read(leaf, leaf)", "1")),
        (made("def double(x):\n    return 2 * x"), gives("read(double, 1)", "1")),
        (gives("read(lambda x: x, 1)", "1"),),
        (made("leaf = Leaf(1)"), gives("read(leaf, 'a')", "[leaf.value]")),
    ],
    ids=["does something before", "needs an object twice", "defines", "lambda", "argument's own"],
)
def test_what_is_no_plain_call_is_no_row(lines: tuple[StepCheck, ...], program: Program) -> None:
    plans = [planned("read", *lines), planned("read", gives("read(Leaf(2), 'a')", "2"))]
    assert len(written(plans, program)) == 2


def test_what_several_new_objects_have_is_told_one_after_another(program: Program) -> None:
    plans = [
        planned(
            "Leaf",
            made(f"leaf = Leaf({n})"),
            gives("leaf.value", f"{n}"),
            gives("list(leaf)", f"[{n}]"),
        )
        for n in (1, 2)
    ]
    (test,) = written(plans, program)
    assert "; for leaf = Leaf(2)" in " ".join(test.split())


def test_texts_of_a_file_that_lead_to_one_error_are_rows(program: Program) -> None:
    plans = [
        planned("read", fails("read('a.ini', 1)", "no text"), files={"a.ini": text})
        for text in ("[[", "(")
    ]
    (test,) = written(plans, program)
    assert test == (
        '@pytest.mark.parametrize(\n    "text",\n    [\n        "[[",\n        "(",\n    ],\n)\n'
        "def test_read_reports_no_text(text, monkeypatch, tmp_path):\n"
        '    """With the text of each row in a.ini, read(\'a.ini\', 1) raises ValueError: no text.'
        '"""\n'
        "    monkeypatch.chdir(tmp_path)\n"
        '    (tmp_path / "a.ini").write_text(text, encoding="utf-8")\n'
        '    with pytest.raises(ValueError, match="no text"):\n        read("a.ini", 1)'
    )


def test_other_arguments_with_the_same_file_are_rows_below_it(program: Program) -> None:
    plans = [
        planned("read", gives(f"read('a.ini', {n})", f"{n}"), files={"a.ini": "one"})
        for n in (1, 2)
    ]
    (test,) = written(plans, program)
    assert "def test_read(kind, expected, monkeypatch, tmp_path):" in test
    assert '.write_text("one", encoding="utf-8")' in test


def test_what_several_texts_of_a_file_give_is_told_in_general(program: Program) -> None:
    plans = [
        planned("read", gives("read('a.ini', 1)", repr(text)), files={"a.ini": text})
        for text in ("one", "two")
    ]
    (test,) = written(plans, program)
    assert "With the text of each row in a.ini, read('a.ini', 1) gives what is expected" in test


def test_results_that_are_attributes_of_the_object_are_told_by_their_names(
    program: Program,
) -> None:
    plans = [
        planned("Leaf.children", made("leaf = Leaf(1)"), gives("list(leaf)", "[leaf.value]")),
        planned("Pair.__iter__", made("pair = Pair(1, 2)"),
                gives("list(pair)", "[pair.left, pair.right]")),
    ]  # fmt: skip
    (test,) = written(plans, program)
    assert '        (Leaf(1), ("value",)),\n        (Pair(1, 2), ("left", "right")),\n' in test
    assert "    assert list(instance) == [getattr(instance, part) for part in parts]" in test
    told = "For each instance, list(instance) gives the attributes that parts names."
    assert told in " ".join(test.split())
    lines = made("leaf = Leaf(1)"), made("leaf = Leaf(2)")
    expected = "(('value', leaf.value),)"
    alike = [planned("Leaf.children", line, gives("leaf.children()", expected)) for line in lines]
    (same,) = written(alike, program)
    assert '    assert leaf.children() == (("value", leaf.value),)' in same


def test_methods_of_one_class_that_get_something_odd_are_rows(program: Program) -> None:
    plans = [
        planned(
            f"Printer.visit_{kind}",
            made("printer = Printer()"),
            gives(f"printer.visit_{kind}({node})", f"{kind!r}"),
        )
        for kind, node in (("leaf", "Pair(1, 2)"), ("pair", "Leaf(1)"), ("top", "Leaf(2)"))
    ]
    (test,) = written(plans, program)
    assert "def test_printer_methods(method, argument, expected):" in test
    assert '        ("visit_leaf", Pair(1, 2), "leaf"),\n' in test
    assert "    assert getattr(Printer(), method)(argument) == expected" in test
    assert len(written(plans[:2], program)) == 2


def test_attributes_that_are_set_to_something_odd_are_rows(program: Program) -> None:
    plans = [
        planned(
            f"{owner}.{name}",
            made(f"made = {owner}({arguments})"),
            made(f"made.{name} = {value}"),
            StepCheck("text", "made", f"'<{name}>'"),
        )
        for owner, arguments, name, value in (
            ("Leaf", "1", "value", "Pair(1, 2)"),
            ("Leaf", "1", "depth", "{}"),
            ("Leaf", "2", "value", "Leaf"),
        )
    ]
    (test,) = written(plans, program)
    assert "def test_leaf_attributes(leaf, name, value, expected):" in test
    assert '        (Leaf(1), "value", Pair(1, 2), "<value>"),\n' in test
    told = "After an attribute is set to the value of its row, str(leaf) gives what is expected."
    assert told in " ".join(test.split())
    assert "    setattr(leaf, name, value)\n    assert str(leaf) == expected" in test


def test_several_results_that_are_the_same_attributes_have_one_column(program: Program) -> None:
    plans = [
        planned(
            owner,
            made(f"made = {owner}({arguments})"),
            gives("list(made)", f"[{values}]"),
            gives("made.children()", f"[{values}]"),
        )
        for owner, arguments, values in (
            ("Leaf", "{}", "made.value"),
            ("Pair", "1, 1", "made.left, made.right"),
        )
    ]
    (test,) = written(plans, program)
    assert '        (Pair(1, 1), ("left", "right")),\n' in test
    assert "    assert list(instance) == [getattr(instance, part) for part in parts]" in test
    assert "    assert instance.children() == [getattr(instance, part) for part in parts]" in test
