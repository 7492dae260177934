"""Tests of one shape become one table: over classes, names of methods, or values."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from offline_program import write_program

from pytest_lift.agents.offline.docstrings.intents import Intents
from pytest_lift.agents.offline.joining.shapes import LONGEST_ROW, common_phrase, joined
from pytest_lift.agents.offline.printing.functions import print_test
from pytest_lift.agents.offline.writing.grouping import PlannedTest
from pytest_lift.agents.offline.writing.links import ClaimedLink
from pytest_lift.agents.offline.writing.oracles.checks import StepCheck, Verified
from pytest_lift.calls.case import Case, Raised, Step
from pytest_lift.calls.targets.target import Target
from pytest_lift.requirements.requirement import Requirements


def planned(symbol: str, *checks: StepCheck, subject: str = "", alone: bool = False) -> PlannedTest:
    steps = tuple(Step(check.expression, check.form != "none") for check in checks)
    case = Case("m.py", symbol, steps, subject=subject, alone=alone)
    item = Verified(case, checks, (f"from m import {symbol.partition('.')[0]}",), frozenset())
    return PlannedTest((item,), ClaimedLink(), "steps")


def done(line: str) -> StepCheck:
    return StepCheck("none", line)


def equals(expression: str, expected: str) -> StepCheck:
    return StepCheck("equals", expression, expected)


def fails(expression: str, match: str = "", kind: str = "KeyError") -> StepCheck:
    raised = Raised(kind, "builtins", match, "m.py", 3, True)
    return StepCheck("raises", expression, raised=raised, match=match)


@pytest.fixture
def intents(tmp_path: Path) -> Intents:
    return Intents(write_program(tmp_path, {"m.py": "X = 1\n"}), Requirements(()))


def written(plans: Sequence[PlannedTest], intents: Intents) -> str:
    texts = [print_test(plan, intents).text for plan in joined(plans, {})]
    text = "\n\n\n".join(texts)
    ast.parse(text)
    return text


def test_classes_with_one_behaviour_are_rows(intents: Intents) -> None:
    plans = [
        planned(f"{name}.popitem", done(f"cache = {name}(1)"), fails("cache.popitem()", "is empty"),
                subject="cache")
        for name in ("FIFOCache", "LRUCache")
    ]  # fmt: skip
    assert written(plans, intents).partition("\n")[2] == (
        '@pytest.mark.parametrize(\n    "cls",\n    [\n        FIFOCache,\n        LRUCache,\n    ],\n)\n'
        "def test_popitem_reports_empty(cls):\n"
        '    """FIFOCache(1).popitem() raises KeyError: is empty; so it is for LRUCache."""\n'
        "    cache = cls(1)\n"
        '    with pytest.raises(KeyError, match="is empty"):\n'
        "        cache.popitem()"
    )


def test_classes_inside_of_others_are_rows_whatever_their_objects_are_called(
    intents: Intents,
) -> None:
    names = [("Queue.Bind", "bind"), ("Basic.Get", "get"), ("Queue.Open", "opened")]
    plans = [
        planned(name, done(f"{variable} = {name}()"), equals(f"len({variable})", str(at)))
        for at, (name, variable) in enumerate(names)
    ]
    text = written(plans, intents)
    assert "        (Basic.Get, 1),\n" in text
    assert text.endswith(
        "def test_queue_bind_and_others(cls, expected):\n"
        '    """For instance = Queue.Bind(), len(instance) is 0; for get = Basic.Get(),\n'
        '    len(get) is 1; for opened = Queue.Open(), len(opened) is 2."""\n'
        "    instance = cls()\n"
        "    assert len(instance) == expected"
    )


def test_what_any_call_gives_is_an_object_in_rows_of_classes(intents: Intents) -> None:
    names = [f"Frame.{name}" for name in ("Get", "Ack", "Nack", "Qos", "Open")]
    plans = [
        planned(name, done(f"result = {name}()"), equals("len(result)", str(at)))
        for at, name in enumerate(names)
    ]
    assert written(plans, intents).partition("):\n")[2] == (
        '    """In each row, for instance = cls(), len(instance) is what is expected,\n'
        '    such as 0 for Frame.Get."""\n'
        "    instance = cls()\n"
        "    assert len(instance) == expected"
    )


def test_functions_are_called_functions_however_they_are_written(intents: Intents) -> None:
    names = ("WRatio", "QRatio")
    plans = [planned(name, equals(f"{name}('a', 'b')", "50")) for name in names]
    targets = {f"m.py:{name}": Target("m.py", name, "function", name, (), ()) for name in names}
    (table,) = joined(plans, targets)
    text = print_test(table, intents).text
    assert "def test_w_ratio_and_q_ratio(function):" in text
    assert 'assert function("a", "b") == 50' in text
    assert "so it is for QRatio" in text


def test_what_a_call_changes_is_told_for_all_classes(intents: Intents) -> None:
    plans = [
        planned(f"{name}.pop", done(f"cache = {name}(1)"), done("cache.pop('a')"),
                equals("cache.size", "0"), subject="cache")
        for name in ("FIFOCache", "LRUCache")
    ]  # fmt: skip
    text = written(plans, intents)
    assert "After cache = FIFOCache(1) and cache.pop('a'), cache.size is 0;" in text
    assert 'so it is for LRUCache."""' in text


def days(*names: str) -> list[PlannedTest]:
    return [
        planned(
            f"Job.{name}", done("job = Job(1)"), done(f"job.{name}"), equals("job.unit", "'weeks'"),
            equals("job.start_day", f"'{name}'"), subject="job",
        )
        for name in names
    ]  # fmt: skip


def test_names_with_one_behaviour_are_rows(intents: Intents) -> None:
    text = written(days("monday", "tuesday", "sunday"), intents)
    assert text.endswith(
        "def test_job_monday_and_others(name):\n"
        '    """After monday, tuesday or sunday of Job(1), job.unit is \'weeks\' and\n    job.start_day is that name."""\n'
        "    job = Job(1)\n"
        "    getattr(job, name)\n"
        '    assert job.unit == "weeks"\n'
        "    assert job.start_day == name"
    )


def test_a_table_is_about_a_method_and_not_the_class_that_has_it(intents: Intents) -> None:
    plans = [
        planned(name, done(f"span = Span({at})"), equals("str(span)", f"'{at} s'"))
        for at, name in enumerate(("Span", "Span.__str__"))
    ]
    text = written(plans, intents)
    assert "def test_span_text(" in text
    assert '"""str(Span(0)) is \'0 s\' and str(Span(1)) is \'1 s\'."""' in text


def test_a_table_is_about_what_people_call_by_its_name(intents: Intents) -> None:
    plans = [
        planned("Map.copy", done("held = Map(1)"), equals("held.copy()", "1"), subject="held"),
        planned(
            "Bag.__getattr__", done("held = Bag(2)"), equals("held.copy()", "2"), subject="held"
        ),
    ]
    assert "def test_copy(" in written(plans, intents)
    plans = [
        planned(
            f"Map.{name}", done("held = Map()"), done(f"held.size = {at}"), equals("str(held)", at),
            subject="held",
        )
        for name, at in (("size", "1"), ("__str__", "2"))
    ]  # fmt: skip
    assert "def test_map_size(" in written(plans, intents)


def setting(name: str, value: str, shown: str, how: str = "str(view)") -> PlannedTest:
    lines = done("view = View()"), done(f"view.{name} = {value}")
    return planned(f"View.{name}", *lines, equals(how, shown), subject="view")


def test_attributes_that_are_set_are_rows(intents: Intents) -> None:
    plans = [
        setting("tilt", "1", "'<tilt>1</tilt>'"),
        setting("unit", "Units.pixel", "'<unit>pixel</unit>'"),
        setting("range", "25", "'<range>25</range>'"),
        setting("x", "5", "5", "view.left"),
        setting("y", "6", "6", "view.left"),
    ]
    assert written(plans, intents).partition("\n\n\n")[0].partition("\n")[2] == (
        '@pytest.mark.parametrize(\n    ("name", "value", "expected"),\n    [\n'
        '        ("tilt", 1, "<tilt>1</tilt>"),\n'
        '        ("unit", Units.pixel, "<unit>pixel</unit>"),\n'
        '        ("range", 25, "<range>25</range>"),\n    ],\n)\n'
        "def test_view_attributes(name, value, expected):\n"
        '    """After an attribute of View() is set to the value of its row, str(view) gives\n'
        '    what is expected, such as \'<tilt>1</tilt>\' for tilt = 1."""\n'
        "    view = View()\n    setattr(view, name, value)\n    assert str(view) == expected"
    )
    assert len(joined(plans, {})) == 3


def test_values_of_one_attribute_are_rows(intents: Intents) -> None:
    plans = [setting("tilt", value, f"'<tilt>{value}</tilt>'") for value in ("1", "90")]
    text = written(plans, intents)
    assert '(1, "<tilt>1</tilt>"),\n        (90, "<tilt>90</tilt>"),' in text
    assert "    view.tilt = value\n    assert str(view) == expected" in text


def test_attributes_that_all_of_them_show_are_told(intents: Intents) -> None:
    shown = StepCheck("attributes", "event.mark", attributes=(("line", "1"), ("name", "'a'")))
    plans = [
        planned(f"Parser.{name}", done("parser = Parser('a')"), done(f"event = parser.{name}()"),
                shown, subject="parser")
        for name in ("key", "value", "item")
    ]  # fmt: skip
    told = "After key, value or item of Parser, event.mark has line 1 and name 'a'."
    assert told in re.sub(r"\s+", " ", written(plans, intents))


def test_errors_that_their_messages_alone_tell_share_one_that_tells_them(intents: Intents) -> None:
    def joined_by(said: str) -> int:
        plans = [
            planned(f"Job.{name}", done("job = Job(2)"),
                    fails(f"job.{name}", said.format(name), "Exception"), subject="job")
            for name in ("day", "hour", "week")
        ]  # fmt: skip
        return len(joined(plans, {}))

    assert joined_by("there is no such unit here") == 1
    assert joined_by("there is no unit {} here") == 3
    assert joined_by("(1, 2, 3, 4, 5, 6) {}") == 3


def test_a_name_stands_in_the_message_that_is_matched(intents: Intents) -> None:
    plans = [
        planned(f"Job.{name}", done("job = Job(2)"),
                fails(f"job.{name}", f"Use {name}s in the place of .{name}"), subject="job")
        for name in ("day", "hour", "week")
    ]  # fmt: skip
    text = written(plans, intents)
    assert 'match=rf"Use {name}s in the place of \\.{name}")' in text
    assert "def test_job_day_and_others_raises_key_error(name):" in text
    assert (
        '"""day, hour and week of Job(2) raise KeyError: Use {name}s in the place of .{name}."""'
        in text
    )


def test_a_name_that_all_rows_have_is_no_part_of_their_message(intents: Intents) -> None:
    plans = [
        planned(f"Chunk.{name}", done("chunk = Chunk(2)"), done("chunk.close()"),
                fails(f"chunk.{name}()", "operation on closed file"), subject="chunk")
        for name in ("tell", "skip", "read")
    ]  # fmt: skip
    assert 'match="operation on closed file")' in written(plans, intents)


def test_attributes_that_need_another_program_are_rows(intents: Intents) -> None:
    plans = [
        planned(f"Job.{name}", done("job = Job(2)"), fails(f"job.{name}", "no git"), subject="job",
                alone=True)
        for name in ("branch", "author", "date")
    ]  # fmt: skip
    text = written(plans, intents)
    assert '"""branch, author and date of Job(2) raise KeyError: no git."""' in text
    assert "(name, monkeypatch):" in text
    assert '    monkeypatch.setenv("PATH", "")\n' in text
    other = planned("Job.date", done("job = Job(2)"), fails("job.date", "no git"), subject="job")
    assert len(joined([*plans[:2], other], {})) == 3


def test_only_what_a_test_names_is_imported(intents: Intents) -> None:
    plan = planned("Job.day", done("job = Job(1)"), equals("job.unit", "'d'"), subject="job")
    item = replace(plan.first, imports=("from m import Job", "from m import Result"))
    test = print_test(replace(plan, members=(item,)), intents)
    assert test.imports == ("from m import Job", "import pytest")


def test_two_names_stay_two_tests(intents: Intents) -> None:
    assert written(days("monday", "tuesday"), intents).count("def test_") == 2


def test_values_of_the_set_up_are_columns(intents: Intents) -> None:
    plans = [
        planned(
            "Variable.expand", done(f"variable = Variable('{text}')"),
            equals("variable.expand({'a': 1})", expected), subject="variable",
        )
        for text, expected in (("&a", "'&a=1'"), (".a", "'.1'"))
    ]  # fmt: skip
    text = written(plans, intents)
    assert '        ("&a", "&a=1"),\n        (".a", ".1"),' in text
    assert "def test_variable_expand(value, expected):" in text
    assert (
        '    variable = Variable(value)\n    assert variable.expand({"a": 1}) == expected' in text
    )
    assert "\"\"\"Variable('&a').expand({'a': 1}) gives '&a=1' and" in text


def test_a_column_is_called_apart_from_the_object_of_its_row(intents: Intents) -> None:
    plans = [
        planned("Day.on", done(f"value = Day('{day}')"), equals("value.on()", f"'{day}'"))
        for day in ("Monday", "Tuesday")
    ]
    text = written(plans, intents)
    assert "def test_day_on(given_value):" in text
    assert "value = Day(given_value)" in text


def test_values_of_any_form_are_rows(intents: Intents) -> None:
    plans = [
        planned("Table.add", done("table = Table()"), fails(f"table.add({rows})", "too few"),
                subject="table")
        for rows in ("((None, 1), (3,))", "((Decimal('1.1'), 1), 'a')")
    ]  # fmt: skip
    (table,) = joined(plans, {}, repeats=True)
    assert [row.arguments[0][1] for row in table.rows] == [
        "((None, 1), (3,))", "((Decimal('1.1'), 1), 'a')",
    ]  # fmt: skip


def test_lists_and_dicts_stand_in_rows_where_these_are_short(intents: Intents) -> None:
    for first, second in (("(1,)", "(2,)"), ("[1]", "[2]"), ("{1: 1}", "{2: 2}")):
        plans = [planned("total", equals(f"total({one})", one)) for one in (first, second)]
        assert len(joined(plans, {})) == 1, first
    texts = ["'a'", "'bb'", repr("c" * LONGEST_ROW)]
    plans = [planned("total", equals(f"total([{one}])", str(len(one)))) for one in texts]
    assert [len(plan.rows) for plan in joined(plans, {})] == [2, 0]
    assert written(plans, intents).count("def test_") == 2


@pytest.mark.parametrize("rules", [["minimum", "maximum"], ["minimum", "maximum", "not", "enum"]])
def test_many_tests_of_one_shape_are_a_table_however_long_their_rows_are(
    intents: Intents, rules: Sequence[str]
) -> None:
    shared = ["pattern_properties", "additional_items", "exclusive_maximum", "dependencies"] * 2
    plans = [
        planned("Context.read", done("context = Context(Path('a.txt'))"),
                equals(f"context.read({{{rule!r}: 1}})", repr([rule, *shared])), subject="context")
        for rule in rules
    ]  # fmt: skip
    placed = [replace(plan.first.case, folder=True, files={"a.txt": "1"}) for plan in plans]
    plans = [
        replace(plan, members=(replace(plan.first, case=case),))
        for plan, case in zip(plans, placed, strict=True)
    ]
    text = written(plans, intents)
    assert text.count("def test_") == (2 if len(rules) == 2 else 1)
    assert text.count('(tmp_path / "a.txt").write_text("1"') == text.count("def test_")


def test_long_rows_are_told_by_their_columns(intents: Intents) -> None:
    rules = ("{'name': {'type': 'string', 'readonly': True}}", "{'name': {'dependencies': 'age'}}")
    plans = [
        planned("Schema.validate", done(f"v = Schema({one})"), done("v.validate({'name': 'a'})"),
                equals("v.errors", f"['wrong name {at}']"), subject="v")
        for at, one in enumerate(rules)
    ]  # fmt: skip
    text = re.sub(r"\s+", " ", written(plans, intents))
    told = "In each row, after v = Schema(value) and v.validate({'name': 'a'}), v.errors is what is"
    assert told in text


@pytest.mark.parametrize("often", [2, 9], ids=["long", "many"])
def test_a_short_row_is_told_as_an_example(intents: Intents, often: int) -> None:
    rules = [f"{{'name': {'long' * (12 // often)!r}, 'n': {n}}}" for n in range(often)]
    plans = [
        planned("Schema.validate", done(f"v = Schema({one})"), done("v.validate({'name': 'a'})"),
                equals("v.errors", f"['wrong name {at}']"), subject="v")
        for at, one in enumerate([*rules, "{'n': 42}"])
    ]  # fmt: skip
    text = re.sub(r"\s+", " ", written(plans, intents))
    assert "v.errors is what is expected, such as" in text
    assert "for {'n': 42}." in text


@pytest.mark.parametrize(
    ("name", "column", "told"),
    [
        ("parsed", "", "In each row, parse(value).parsed is what is expected"),
        ("value", "value", "parse(value).value is that value for value 'a much longer text' and"),
    ],
)
def test_what_a_result_shows_is_told_by_columns(
    intents: Intents, name: str, column: str, told: str
) -> None:
    texts = ["'a much longer text'", "'b, a longer text still'"]
    expected = texts if column else ["{'type': 'a', 'items': []}", "{'type': 'b', 'items': [1]}"]
    plans = [
        planned("parse", done(f"result = parse({one})"), equals(f"result.{name}", value))
        for one, value in zip(texts, expected, strict=True)
    ]
    assert told in re.sub(r"\s+", " ", written(plans, intents))


def test_a_row_that_repeats_another_one_stays_only_on_demand() -> None:
    plans = [
        planned("Bus.on", done("bus = Bus()"), equals(f"bus.on('{event}', f=str)", "str"),
                subject="bus")
        for event in ("hello", "a")
    ]  # fmt: skip
    assert joined(plans, {}) == plans[1:]
    (table,) = joined(plans, {}, repeats=True)
    assert len(table.rows) == 2


def test_tests_of_another_error_are_not_joined(intents: Intents) -> None:
    plans = [
        planned("A.go", done("a = A(1)"), fails("a.go()", "is empty"), subject="a"),
        planned("B.go", done("a = B(1)"), fails("a.go()", "has no road"), subject="a"),
    ]
    assert written(plans, intents).count("def test_") == 2


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (["is empty", "is empty"], "is empty"),
        (
            ["Scheduling .monday() jobs is only for weeks", "Scheduling .friday() jobs is only for weeks"],
            "jobs is only for weeks",
        ),
        (["is empty", "has no road"], ""),
        (["a way of going", "the way of it"], ""),
    ],
)  # fmt: skip
def test_what_messages_share(texts: list[str], expected: str) -> None:
    assert common_phrase(texts) == expected


def asked(argument: str, expected: str, *hits: int, doubtful: bool = False) -> PlannedTest:
    plan = planned("half", equals(f"half({argument})", expected))
    case = replace(plan.first.case, doubtful=doubtful)
    item = replace(plan.first, case=case, hits=frozenset(hits))
    return replace(plan, members=(item,))


def test_doubtful_rows_stand_in_a_table_of_their_own(intents: Intents) -> None:
    plans = [
        asked("4", "2.0", 1),
        asked("True", "0.5", 2, doubtful=True),
        asked("7", "3.5", 3),
        asked("-0.5", "-0.25", 4, doubtful=True),
    ]
    plain, odd = joined(plans, {})
    assert [row.arguments[0][1] for row in plain.rows] == ["4", "7"]
    assert [row.arguments[0][1] for row in odd.rows] == ["True", "-0.5"]


def test_a_doubtful_test_that_shows_what_a_plain_one_does_goes(intents: Intents) -> None:
    plans = [asked("()", "0", 1, doubtful=True), asked("[1, 2, 3]", "0", 1, 2)]
    (plan,) = joined(plans, {})
    assert plan.first.checks[0].expression == "half([1, 2, 3])"
    assert len(joined(plans, {}, repeats=True)) == 2
