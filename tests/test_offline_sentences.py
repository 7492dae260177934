"""A docstring says what its test asserts: of what, in which state, and what is seen."""

from __future__ import annotations

import pytest

from pytest_lift.agents.offline.writing.oracles import StepCheck, Verified
from pytest_lift.agents.offline.writing.sentences import (
    Told,
    change_sentences,
    error_sentences,
    result_sentences,
)
from pytest_lift.agents.offline.writing.tables import rows_sentences
from pytest_lift.agents.offline.writing.values import kind_words, value_words
from pytest_lift.calls.case import Case, Raised, Step


def told(symbol: str, *checks: StepCheck, subject: str = "", **more: object) -> Told:
    steps = tuple(Step(check.expression, check.form != "none") for check in checks)
    case = Case("m.py", symbol, steps, subject=subject, **more)  # type: ignore[arg-type]
    return Told(Verified(case, checks, (), frozenset()))


def done(line: str) -> StepCheck:
    return StepCheck("none", line)


def equals(expression: str, expected: str) -> StepCheck:
    return StepCheck("equals", expression, expected)


def fails(expression: str, match: str = "", kind: str = "ValueError") -> StepCheck:
    raised = Raised(kind, "builtins", match, "m.py", 3, True)
    return StepCheck("raises", expression, raised=raised, match=match)


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("[]", "an empty list"),
        ("'I'", "'I'"),
        (repr("a long text of more words than a docstring has"), "a text that begins with 'a long"),
        (repr("a\nb\nc"), "a text of 3 lines"),
        (repr("[8]\n"), "a text that begins with '[8]'"),
        (str([10**6] * 20), "a list of 20 items"),
        (f"Point({'1, ' * 20})", "a Point"),
    ],
)
def test_values_in_words(source: str, words: str) -> None:
    assert value_words(source).startswith(words)


@pytest.mark.parametrize(
    ("one", "sentence"),
    [
        (told("to_roman", equals("to_roman(1)", "'I'")), "to_roman gives 'I' for 1"),
        (told("get_jobs", equals("get_jobs()", "[]")), "get_jobs gives an empty list"),
        (
            told("rank", equals("(rank(4), rank(9))", "('A', 'B')")),
            "rank gives 'A' and 'B', in turn",
        ),
        (
            told("prefix", equals("''.join(prefix(['abc', 'abd']))", "'ab'")),
            "''.join(prefix(['abc', 'abd'])) is 'ab'",
        ),
        (
            told("dumps", equals("dumps([1], sep='-')", "'1'")),
            "dumps gives '1' for [1] with sep='-'",
        ),
        (
            told("Cache.expire", done("cache = Cache(5)"), equals("cache.expire()", "[]"),
                 subject="cache"),
            "Cache(5).expire gives an empty list",
        ),
        (
            told("Set.pop", done("items = Set()"), done("items.add(3)"),
                 equals("items.pop()", "3"), subject="items"),
            "Set.pop gives 3 after add(3)",
        ),
        (
            told("Cache.currsize", done("cache = Cache(1)"), equals("cache.currsize", "0"),
                 subject="cache"),
            "Cache(1).currsize is 0",
        ),
        (
            told("Set.__iter__", done("items = Set()"), equals("list(items)", "[]"),
                 subject="items"),
            "list(Set()) is an empty list",
        ),
        (
            told("Cache.__contains__", done("cache = Cache(1)"),
                 StepCheck("false", "'a' in cache"), subject="cache"),
            "'a' is not in Cache(1)",
        ),
        (
            told("Set.__eq__", StepCheck("false", "Set() == ''")),
            "Set() does not equal ''",
        ),
    ],
)  # fmt: skip
def test_results_are_told_with_what_they_are_of(one: Told, sentence: str) -> None:
    assert result_sentences(one, one.case.symbol)[0] == sentence


def test_a_value_that_no_sentence_holds_is_not_told_as_none() -> None:
    shelf = told(
        "Store.shelf",
        done("store = Store()"),
        StepCheck("attributes", "store.shelf('a')", attributes=(("name", "'a'"),)),
        subject="store",
    )
    assert result_sentences(shelf, "Store.shelf")[0] == (
        "Store().shelf('a') gives an object with name 'a'"
    )


@pytest.mark.parametrize(
    ("one", "sentence"),
    [
        (told("loads", fails("loads('[1')", "Extra data")), "loads refuses '[1': Extra data"),
        (
            told("Job.minute", done("job = Job(2)"), fails("job.minute", "Use minutes"),
                 subject="job"),
            "Job(2).minute raises ValueError: Use minutes",
        ),
        (
            told("Cache.__setitem__", done("cache = Cache(0)"), fails("cache['c'] = 1", "too large"),
                 subject="cache"),
            "Setting an item of Cache(0) raises ValueError: too large",
        ),
        (
            told("Node.parent", done("node = Node()"), fails("node.parent = 1", "no node"),
                 subject="node"),
            "Setting parent of Node() raises ValueError: no node",
        ),
        (
            told("Set.pop", done("items = Set()"), done("items.clear()"), fails("items.pop()"),
                 subject="items"),
            "Set.pop after clear() raises ValueError",
        ),
    ],
)  # fmt: skip
def test_errors_are_told_with_the_state_they_come_from(one: Told, sentence: str) -> None:
    assert error_sentences(one, one.case.symbol, one.checks[0])[0] == sentence


def test_what_a_call_makes_is_told_by_its_attributes() -> None:
    made = told("every", done("job = every(interval=5)"), equals("job.interval", "5"))
    assert change_sentences(made, "every")[0] == "every(interval=5) makes a job with interval 5"


def test_what_a_call_changes_is_told_after_it() -> None:
    one = told(
        "Job.sunday", done("job = Job(1)"), done("job.sunday"), equals("job.unit", "'weeks'"),
        equals("job.start_day", "'sunday'"), subject="job",
    )  # fmt: skip
    assert change_sentences(one, "Job.sunday")[0] == (
        "After Job.sunday, job.unit is 'weeks' and job.start_day is 'sunday'"
    )


def test_rows_are_told_by_the_first_of_them() -> None:
    rows = [(("1",), "'I'"), (("4",), "'IV'"), (("9",), "'IX'"), (("10",), "'X'")]
    assert rows_sentences("to_roman", rows, None)[0] == (
        "to_roman gives 'I' for 1, 'IV' for 4 and 'IX' for 9"
    )


def test_rows_that_are_too_long_are_told_by_what_may_come() -> None:
    rows = [(("with a=1",), "None"), (("with a=2",), "'no'"), (("with a=3",), "[1, 2]")]
    found = rows_sentences("check", rows, None)
    assert found[0] == "check gives None with a=1, 'no' with a=2 and [1, 2] with a=3"
    assert found[-1] == "check gives None or a text or a list, depending on its input"
    assert rows_sentences("check", [(("1",), "2"), (("3",), "2")], None)[2] == (
        "check gives 2 for each of 2 inputs"
    )


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("None", "None"),
        ("-1.5", "a number"),
        ("b'a'", "bytes"),
        ("{'a': 1}", "a dict"),
        ("Version(1)", "a Version"),
        ("a.b", "a value"),
    ],
)
def test_kinds_of_values_in_words(source: str, words: str) -> None:
    assert kind_words(source) == words


def test_what_is_asked_of_an_object_is_told_by_its_answers() -> None:
    one = told(
        "Pool", done("pool = Pool(1)"), equals("pool.is_idle()", "True"),
        equals("pool.size", "1"), subject="pool",
    )  # fmt: skip
    assert change_sentences(one, "Pool")[0] == (
        "A new Pool gives True for is_idle() and 1 for size"
    )
