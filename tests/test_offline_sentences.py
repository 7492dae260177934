"""A docstring says what its test asserts: of what, in which state, and what is seen."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from offline_program import write_program

from pytest_lift.agents.offline.docstrings.narrating import fact_of
from pytest_lift.agents.offline.printing.checks import lines_of
from pytest_lift.agents.offline.writing.facts.items import item_facts
from pytest_lift.agents.offline.writing.oracles.checks import StepCheck, Verified
from pytest_lift.agents.offline.writing.sentences import (
    change_sentences,
    error_sentences,
    error_words,
    exit_sentences,
    printed_words,
    result_sentences,
    writing_sentences,
)
from pytest_lift.agents.offline.writing.told import Told, Wording, wording
from pytest_lift.agents.offline.writing.values import (
    merged,
    text_words,
    value_words,
    with_article,
)
from pytest_lift.calls.case import Case, Raised, Step
from pytest_lift.calls.child.isolation.surroundings import THERE


def told(symbol: str, *checks: StepCheck, subject: str = "", **more: object) -> Told:
    steps = tuple(Step(check.expression, check.form != "none") for check in checks)
    case = Case("m.py", symbol, steps, subject=subject, **more)  # type: ignore[arg-type]
    names = {"clip": ("text", "start", "end"), "Shape": ("width", "height")}
    return Told(Verified(case, checks, (), frozenset()), Wording(names))


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
        ("datetime.datetime(1970, 1, 1, 0, 0, tzinfo=datetime.timezone.utc)",
         "datetime(1970, 1, 1, 0, 0, tzinfo=timezone.utc)"),
        ("datetime.datetime(2024, 12, 31, 23, 59, 59, 999999, tzinfo=datetime.timezone.utc)",
         "datetime(2024, 12, 31, 23, 59, 59, 999999, tzinfo=timezone.utc)"),
        ("'datetime.date'", "'datetime.date'"),
        (repr(bytes(16)), repr(bytes(16))),
        (repr(bytes(40)), f"40 bytes that begin with {bytes(28)!r}"),
        (repr("a long text of more words than one docstring has, or two or three of them"),
         "a text of 73 characters that begins with 'a long text of more words than one'"),
        (repr("a\nb"), r"'a\nb'"),
        (repr("a\n"), "the line 'a'"),
        (repr("a\nb\nc"), "a text of the lines 'a', 'b' and 'c'"),
        (repr(["a\n", "b", "c\n"]), r"['a\n', 'b', 'c\n']"),
        (repr([(n, "a = 1\n") for n in range(9)]), r"a list of 9 items from (0, 'a = 1\n') to (8, 'a"),
        (repr(["a\n"] * 20), "a list of 20 items that begins with the line 'a'"),
        (repr(f"one\n{'-' * 60}"), "a text of 2 lines with 'one'"),
        (repr("+----------+\n| hello you |\n+----------+\n| a longer one |\n+----------+\n"),
         "a text of 5 lines with '| hello you |' and '| a longer one |'"),
        (repr("--- original/a.py\n+++ fixed/a.py\n@@ -1,2 +1 @@\n-import os\n import re\n"),
         "a text of 5 lines with '-import os'"),
        (repr(f"{'a' * 99}\n{'b' * 99}\n"), "a text of 2 lines that begins with 'aaaa"),
        (str([(n, "a") for n in range(20)]), "a list of 20 items from (0, 'a') to (19, 'a')"),
        (str({"foo": [{"revision": n, "value": "Hello, World! " * 2} for n in (1, 2)]}),
         "a dict with 'foo': a list of 2 items that begins with {'revision': 1"),
        (str({"foo": {"bar": "a" * 60, "baz": "b" * 60}}),
         "a dict with 'foo': a dict with 'bar' and 'baz'"),
        (str([10**6] * 20), "a list of 20 items that begins with 1000000"),
        (f"{{{', '.join(str(10**6 + n) for n in range(20))}}}", "a set of 20 items with 1000000"),
        (f"Point(name='a', {'x=1, ' * 20})", "a Point with name 'a' and x 1"),
        (str({"a": "-" * 70, "b": "-" * 70}), "a dict with 'a' and 'b'"),
        (f"Place(scheme='', query=None, path='/a', {'other=[], ' * 9})", "a Place with path '/a'"),
        ("pytest.approx([0.3, 1])", "[0.3, 1]"),
        ("[('a', pytest.approx(0.3)), ('b', 1)]", "about [('a', 0.3), ('b', 1)]"),
        ("{'a': 1, 'b': '" + "-" * 60 + "'}", "a dict of 2 items with 'a': 1"),
        ("{'a': 1, 'b.c': 22, 'd': '" + "-" * 60 + "'}", "a dict of 3 items with 'a': 1 and 'b.c': 22"),
        ("{'name': 'Paris', 'buildings': [{'height': 324.0, 'name': 'Tower'}]}",
         "a dict with 'name': 'Paris' and 'buildings': [{'height': 324.0, 'name': 'Tower'}]"),
        ("{'a': '" + "-" * 45 + "', 'b': '" + "-" * 40 + "', 'c': 1}",
         "a dict of 3 items with 'a': '" + "-" * 45 + "' and 'c': 1"),
    ],
)  # fmt: skip
def test_values_in_words(source: str, words: str) -> None:
    assert value_words(source).startswith(words)


@pytest.mark.parametrize(
    ("one", "sentence"),
    [
        (told("to_roman", equals("to_roman(1)", "'I'")), "to_roman(1) gives 'I'"),
        (told("get_jobs", equals("get_jobs()", "[]")), "get_jobs() gives an empty list"),
        (
            told("rank", equals("(rank(4), rank(9))", "('A', 'B')")),
            "rank(4) and rank(9) give 'A' and 'B'",
        ),
        (
            told("prefix", equals("''.join(prefix(['abc', 'abd']))", "'ab'")),
            "''.join(prefix(['abc', 'abd'])) is 'ab'",
        ),
        (
            told("dumps", equals("dumps([1], sep='-')", "'1'")),
            "dumps([1], sep='-') gives '1'",
        ),
        (
            told("Cache.expire", done("cache = Cache(5)"), equals("cache.expire()", "[]"),
                 subject="cache"),
            "Cache(5).expire() gives an empty list",
        ),
        (
            told("Set.pop", done("items = Set()"), done("items.add(3)"),
                 equals("items.pop()", "3"), subject="items"),
            "Set.pop() after add(3) gives 3",
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
            told("clip", equals("clip('abc', 0, 2)", "'ab'")),
            "clip('abc', start=0, end=2) gives 'ab'",
        ),
        (
            told("clip", equals(f"clip('{'abc' * 50}', 0, 2)", "'ab'")),
            "clip(text, start=0, end=2) gives 'ab'",
        ),
        (
            told("Job.run", done("calls = []"), done("job = Job(calls.append)"),
                 equals("job.run(1)", "None"), subject="job"),
            "Job(calls.append).run(1) gives None",
        ),
        (
            told("Stack.__len__", done("stack = Stack()"), done("stack.push(1)"),
                 equals("len(stack)", "1"), subject="stack"),
            "After push(1) on Stack(), len(stack) is 1",
        ),
        (
            told("Stack.pop", done("stack = Stack('ab')"), equals("stack.pop(1)", "'b'"),
                 equals("len(stack)", "1"), subject="stack"),
            "Stack('ab').pop(1) gives 'b', then len(stack) is 1",
        ),
        (
            told("Stack.pop", done("stack = Stack('ab')"), equals("stack.pop(1)", "'b'"),
                 equals("stack.pop(0)", "'a'"), equals("len(stack)", "0"), subject="stack"),
            "Stack('ab').pop(1) gives 'b', then stack.pop(0) is 'a' and len(stack) is 0",
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
        (told("loads", fails("loads('[1')", "Extra data")), "loads('[1') raises ValueError: Extra data"),
        (
            told("Job.minute", done("job = Job(2)"), fails("job.minute", "Use minutes"),
                 subject="job"),
            "Job(2).minute raises ValueError: Use minutes",
        ),
        (
            told("Cache.__setitem__", done("cache = Cache(0)"), fails("cache['c'] = 1", "too large"),
                 subject="cache"),
            "Cache(0)['c'] = 1 raises ValueError: too large",
        ),
        (
            told("Node.parent", done("node = Node()"), fails("node.parent = 1", "no node"),
                 subject="node"),
            "Node().parent = 1 raises ValueError: no node",
        ),
        (
            told("Set.pop", done("items = Set()"), done("items.clear()"), fails("items.pop()"),
                 subject="items"),
            "Set.pop() after clear() raises ValueError",
        ),
    ],
)  # fmt: skip
def test_errors_are_told_with_the_state_they_come_from(one: Told, sentence: str) -> None:
    assert error_sentences(one, one.case.symbol, one.checks[0])[0] == sentence


@pytest.mark.parametrize("name", ["job", "my_job", "new_job_2"])
def test_what_a_call_makes_is_told_by_its_attributes(name: str) -> None:
    made = told("every", done(f"{name} = every(interval=5)"), equals(f"{name}.interval", "5"))
    assert change_sentences(made, "every")[0] == "every(interval=5) makes a job with interval 5"


def test_what_a_call_changes_is_told_after_it() -> None:
    one = told(
        "Job.sunday", done("job = Job(1)"), done("job.sunday"), equals("job.unit", "'weeks'"),
        equals("job.start_day", "'sunday'"), subject="job",
    )  # fmt: skip
    assert change_sentences(one, "Job.sunday")[0] == (
        "After Job(1).sunday, job.unit is 'weeks' and job.start_day is 'sunday'"
    )


def test_what_a_call_gives_is_no_change_that_it_makes() -> None:
    one = told(
        "Store.last", done("store = Store()"), done("store.add(1)"), equals("store.last()", "1"),
        equals("len(store)", "0"), subject="store",
    )  # fmt: skip
    assert not one.changes
    assert result_sentences(one, "Store.last")[0] == (
        "Store.last() after add(1) gives 1, then len(store) is 0"
    )
    read = told(
        "Store.kept", done("store = Store()"), done("store.add(1)"),
        equals("list(store.kept)", "[1]"), subject="store",
    )  # fmt: skip
    assert not read.changes


def test_what_several_calls_change_is_told_after_all_of_them() -> None:
    one = told(
        "Store.add", done("store = Store()"), done("store.clear()"), done("store.add(1)"),
        equals("store.items", "[1]"), subject="store",
    )  # fmt: skip
    assert change_sentences(one, "Store.add")[0] == (
        "After clear() and add(1) on Store(), store.items is [1]"
    )


def test_what_a_method_makes_is_told_as_its_own() -> None:
    one = told(
        "Store.find", done("store = Store()"), done("field = store.find('a')"),
        equals("field.name", "'a'"), equals("field.size", "1"), subject="store",
    )  # fmt: skip
    assert change_sentences(one, "Store.find")[0] == (
        "Store().find('a') makes a field with name 'a' and size 1"
    )


def test_an_object_of_a_class_called_like_a_built_in_one_is_no_such_thing() -> None:
    one = told("field_for", done("set_ = field_for(int)"), equals("set_.size", "1"), subject="set_")
    assert change_sentences(one, "field_for")[0] == "field_for(int) makes an object with size 1"


def test_what_is_asked_of_an_object_is_told_by_its_answers() -> None:
    one = told(
        "Pool", done("pool = Pool(1)"), equals("pool.is_idle()", "True"),
        equals("pool.size", "1"), subject="pool",
    )  # fmt: skip
    assert change_sentences(one, "Pool")[0] == (
        "For pool = Pool(1), pool.is_idle() is True and pool.size is 1"
    )


def test_a_message_that_goes_on_with_another_text_each_time_is_told_as_its_beginning() -> None:
    raised = Raised("KindError", "kinds", "lies between ", "kinds.py", 2, True, varies=True)
    check = StepCheck("raises", "find('a')", raised=raised, match="lies between")
    assert error_words(check) == 'raises KindError: "lies between ..."'
    whole = replace(check, raised=replace(raised, varies=False))
    assert error_words(whole) == "raises KindError: lies between"
    inside = replace(raised, message="The attribute a has not been set on <Box ")
    check = replace(check, raised=inside, match="has not been set")
    assert error_words(check) == "raises KindError: The attribute a has not been set"
    own = replace(raised, message="test_case.<locals>.fail is open until 2")
    check = replace(check, raised=own, match="open until")
    assert error_words(check) == 'raises KindError: "open until ..."'


def test_a_line_of_a_message_that_leads_on_to_the_next_one_ends_before() -> None:
    check = replace(fails("make('_name')", "_name is lost in\ndef f(_name):"), match="is lost in")
    assert error_sentences(told("make", check), "make", check)[0] == (
        "make('_name') raises ValueError: _name is lost"
    )


def test_a_message_that_is_cut_in_a_sentence_is_told_in_whole() -> None:
    whole = Raised("ValueError", "builtins", "no field at position 0.", "m.py", 3, True)
    check = StepCheck("raises", "parse('a')", raised=whole, match="no field at position")
    one = told("parse", check)
    assert (
        error_sentences(one, "parse", check)[0]
        == "parse('a') raises ValueError: no field at position 0"
    )
    begun = StepCheck("raises", "parse('a')", raised=whole, match="no field")
    long = replace(begun, raised=replace(whole, message="no field: " + "text " * 30))
    assert error_sentences(one, "parse", long)[0] == "parse('a') raises ValueError: no field"
    dangling = StepCheck("raises", "parse('a')", raised=whole, match="no field at position")
    long = replace(dangling, raised=replace(whole, message="no field at position: " + "x" * 90))
    assert error_sentences(one, "parse", long)[0] == (
        "parse('a') raises ValueError: \"no field at position ...\""
    )
    late = replace(begun, match="has no field", raised=replace(whole, message="row 3 has no field"))
    assert (
        error_sentences(one, "parse", late)[0] == "parse('a') raises ValueError: row 3 has no field"
    )
    message = "'row' object is closed"
    quoted = replace(begun, match="' object is closed", raised=replace(whole, message=message))
    assert error_sentences(one, "parse", quoted)[0] == f"parse('a') raises ValueError: {message}"
    message = "class, method, or code object was expected, got int"
    listed = replace(begun, match="class, method", raised=replace(whole, message=message))
    assert error_sentences(one, "parse", listed)[0] == f"parse('a') raises ValueError: {message}"
    placed = replace(late, raised=replace(whole, message="/tmp/a has no field"))
    assert error_sentences(one, "parse", placed)[0] == "parse('a') raises ValueError: has no field"


def test_a_function_that_a_class_has_as_a_method_is_told_without_its_object(tmp_path: Path) -> None:
    code = "def load(cls, stream, strict): ...\n\n\nBox.load = classmethod(load)\n"
    words = wording(write_program(tmp_path, {"boxes.py": code}))
    assert words.names["load"] == ("stream", "strict")


def test_a_long_text_in_a_call_is_told_by_how_it_begins() -> None:
    words = Wording({"parse": ("agent",)})
    text = "Mozilla/5.0 (Linux; The Bat! 4.0.4; en-gb; GT-I9300) AppleWebKit/534.30 " * 2
    assert (
        words.call(f"parse({text!r}).os") == "parse('Mozilla/5.0 (Linux; The Bat! 4.0.4; ...').os"
    )
    assert words.call(f"parse({text!r}).os", 16) == "parse(agent).os"
    assert words.call(f"parse({'x' * 140!r})") == "parse(agent)"


def test_a_text_of_lines_in_a_call_is_told_by_its_first_line() -> None:
    words = Wording({"parse": ("text",)})
    assert words.call(r"parse('[place]\nname = Bologna\n')") == "parse('[place] ...')"
    assert words.call(r"parse('a\nb = 1\nc = 2\nd = 3\n')") == "parse(text)", "too short a line"
    assert words.call(r"parse('a\nb\n')") == r"parse('a\nb\n')"


def test_functions_without_names_are_told_by_their_parameters() -> None:
    words = Wording({"draw": ("tree", "kids", "show")})
    assert words.call("draw([1], lambda x: [], lambda x: 'a')") == "draw([1], kids, show)"
    assert words.call("draw([1], lambda x: [])") == "draw([1], lambda x: [])"
    long = "lambda x: x if isinstance(x, list) else []"
    assert words.call(f"draw([1], {long})") == "draw([1], kids)"


def test_times_are_told_without_their_module() -> None:
    one = told("ago", equals("ago(datetime.timedelta(days=2), when=dt.date(2024, 1, 1))", "'1'"))
    assert (
        result_sentences(one, "ago")[0] == "ago(timedelta(days=2), when=date(2024, 1, 1)) gives '1'"
    )


def test_an_exit_is_told_with_the_call_and_what_was_printed() -> None:
    ended = Raised("SystemExit", "builtins", "", "m.py", 3, True)
    check = StepCheck("exits", "main('--version')", "None", raised=ended, printed="1.2\n")
    (first, *_) = exit_sentences(told("main", check), "main", check)
    assert first == r"main('--version') exits and prints the line '1.2'"
    said = replace(check, expected="2", printed="", said=(("err", "no such option"),))
    (first, *_) = exit_sentences(told("main", said), "main", said)
    assert first == "main('--version') exits with 2: no such option"


@pytest.mark.parametrize(
    ("expected", "sentence"),
    [
        ("True", "save('notes.txt') gives True and writes 'a' to notes.txt"),
        ("None", "save('notes.txt') writes 'a' to notes.txt"),
    ],
)
def test_what_is_written_is_said_beside_the_result(expected: str, sentence: str) -> None:
    check = replace(equals("save('notes.txt')", expected), files=(("notes.txt", "a"),))
    found = writing_sentences(told("save", check), "save")
    assert found[0] == sentence
    assert found[-1] == "save writes files"


def test_a_file_that_nobody_reads_is_only_there() -> None:
    check = replace(StepCheck("printed", "save('a.db')"), files=(("a.db", THERE),))
    assert writing_sentences(told("save", check), "save")[0] == "save('a.db') makes a.db"
    assert lines_of(check, [])[-1] == '    assert (tmp_path / "a.db").exists()'
    folder = replace(StepCheck("printed", "make('a')"), files=(("a", THERE),))
    assert writing_sentences(told("make", folder), "make")[0] == "make('a') makes 'a'"
    one = told("save", check, equals("count()", "1"))
    expected = "After save('a.db'), count() is 1 and a.db exists"
    assert writing_sentences(one, "save")[0] == expected


def test_a_file_that_an_earlier_call_may_have_written_is_left() -> None:
    lines = done("box = Box()"), done("box.push('a')")
    check = replace(equals("box.peek()", "'a'"), files=(("notes.txt", "a"),))
    found = writing_sentences(told("Box.peek", *lines, check, subject="box"), "Box.peek")
    assert found[0] == "Box.peek() after push('a') gives 'a' and leaves 'a' in notes.txt"
    assert not any(" writes " in one for one in found)


def test_what_is_written_is_told_with_what_is_looked_at() -> None:
    written = replace(StepCheck("printed", "save('notes.txt')"), files=(("notes.txt", "a"),))
    one = told("save", written, equals("count()", "1"))
    assert writing_sentences(one, "save")[0] == (
        "After save('notes.txt'), count() is 1 and notes.txt holds 'a'"
    )


@pytest.mark.parametrize(
    ("expression", "expected", "sentence"),
    [
        (
            "[item.name for item in find('a')]",
            "['b', 'c']",
            "find('a') gives items with name 'b' and 'c'",
        ),
        ("[one.tag for one in find('a')]", "['map']", "find('a') gives one item with tag 'map'"),
        (
            "list(islice(find('a'), 2))",
            "[1, 2]",
            "find('a') gives [1, 2] first",
        ),
        ("list(find('a'))[:2]", "[1, 2]", "find('a') gives [1, 2] first"),
        ("list(find('a'))", "[1, 2]", "find('a') gives [1, 2]"),
        (
            "[one.tag for one in islice(find('a'), 1)]",
            "['map']",
            "find('a') gives items with tag 'map'",
        ),
        ("[str(item) for item in list(find('a'))]", "['1.0']", "find('a') gives what reads '1.0'"),
        (
            "[type(item).__name__ for item in find('a')]",
            "['Row', 'Cell']",
            "find('a') gives objects of type Row and Cell",
        ),
        (
            "[(item.line, item.name) for item in find('a')]",
            "[(1, 'b'), (2, 'c')]",
            "find('a') gives items with line and name (1, 'b') and (2, 'c')",
        ),
        (
            "[item.name for item in find('a')]",
            "['b', 'c', 'd', 'e']",
            "find('a') gives items with name 'b' first, 4 in all",
        ),
    ],
)
def test_items_of_a_result_are_said_in_words(expression: str, expected: str, sentence: str) -> None:
    found = result_sentences(told("find", equals(expression, expected)), "find")
    assert found[0] == sentence


@pytest.mark.parametrize(
    "expression",
    [
        "[(item.line, other.name) for item in find('a')]",
        "[(item.line.name, item.start.name) for item in find('a')]",
        "[() for item in find('a')]",
        "[other.name for item in find('a')]",
        "[[item.name for part in item] for item in find('a')]",
        "[type(other).__name__ for item in find('a')]",
        "[str(other) for item in find('a')]",
    ],
)
def test_what_is_of_no_item_is_not_said_of_items(expression: str) -> None:
    assert item_facts(equals(expression, "['a', 'b']")) is None


def test_a_piece_from_the_middle_of_a_sentence_is_told_with_all_of_it() -> None:
    check = replace(
        fails("make('a')", "No Micro QR Code can handle it"), match="QR Code can handle it"
    )
    assert error_sentences(told("make", check), "make", check)[0] == (
        "make('a') raises ValueError: No Micro QR Code can handle it"
    )
    later = replace(
        fails("make('a')", "It is short. Nothing can handle it"), match="Nothing can handle it"
    )
    assert error_sentences(told("make", later), "make", later)[0] == (
        "make('a') raises ValueError: Nothing can handle it"
    )


@pytest.mark.parametrize(
    ("message", "match"),
    [
        ("Invalid number of hours ({} is not between 0 and 23)", "Invalid number of hours"),
        ("{!r} is no hour of a day", "is no hour of a day"),
        ("{0!s:>4} is no hour of a day", "is no hour of a day"),
        ("Type %s is no hour of a day", "is no hour of a day"),
    ],
)
def test_a_message_that_was_not_filled_is_said_as_far_as_it_is_matched(
    message: str, match: str
) -> None:
    check = replace(fails("at('28:32')", message), match=match)
    assert error_sentences(told("at", check), "at", check)[0] == (
        f"at('28:32') raises ValueError: {match}"
    )


def test_a_line_that_is_only_executed_is_not_told_as_asserted() -> None:
    item = told("parse", equals("parse(b'1')", "1"), done("parse(b'')"))
    assert result_sentences(item, "parse")[0] == "parse(b'1') gives 1"
    more = told("parse", equals("parse(b'1')", "1"), done("x = 1"), equals("parse(b'2')", "2"))
    assert "then parse(b'2') is 2" in result_sentences(more, "parse")[0]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a\n", "the line 'a'"),
        ("\n", "an empty line"),
        ("a\n\n", "the line 'a' and an empty one"),
        ("Status: None\r\n", r"'Status: None\r\n'"),
        ("a\nb\n", "the lines 'a' and 'b'"),
        ("a\n  b\n", "the lines 'a' and '  b'"),
        ("1 asks for it at 0\n2 asks for it at 1\n1 gets it at 3\n",
         "the lines '1 asks for it at 0', '2 asks for it at 1' and '1 gets it at 3'"),
        ("\none line of more words\nthan a docstring has for it",
         "the lines '', 'one line of more words' and 'than a docstring has for it'"),
        ("head\n" + "line\n" * 4 + "  foot\n", "6 lines, from 'head' to '  foot'"),
        ("first\n" + "-" * 120, "2 lines with 'first'"),
        ("\x1b[1mred and a lot more\x1b[0m\nblue and a lot more\n",
         r"the lines '\x1b[1mred"),
        ("one line of as many words as a docstring has for what is printed",
         "'one line of as many words as a"),
        ("one line of more words than a docstring has for all that is printed there",
         "a text of 73 characters that begins with 'one line of more words than a docstring'"),
    ],
)  # fmt: skip
def test_what_is_printed_is_told_by_whole_lines(text: str, words: str) -> None:
    assert printed_words(text).startswith(words)


def test_what_a_call_gives_beside_what_it_prints_is_told() -> None:
    asked = StepCheck("printed", "run('a')", "2", printed="no a\n")
    assert (
        result_sentences(told("run", asked), "run")[0]
        == r"run('a') gives 2 and prints the line 'no a'"
    )
    assert fact_of(asked, Wording()) == r"run('a') gives 2 and prints the line 'no a'"
    nothing = StepCheck("printed", "run('a')", "", printed="no a\n")
    assert result_sentences(told("run", nothing), "run")[0] == r"run('a') prints the line 'no a'"


@pytest.mark.parametrize(
    ("lines", "sentence"),
    [
        (["out = StringIO()", "report = Report()", "report.write(['a'], out)"],
         r"Report().write(['a'], out) writes the line 'a' to out"),
        (["out = StringIO()", "report = Report(out)", "report.write(['a'])"],
         r"Report(out).write(['a']) writes the line 'a' to out"),
        (["out = io.StringIO()", "write(['a'], file=out)"],
         r"write(['a'], file=out) writes the line 'a' to out"),
        (["out = Sheet()", "write(['a'], file=out)", "out.fetch()"],
         r"write(['a'], file=out) writes the line 'a' to out"),
    ],
)  # fmt: skip
def test_what_is_written_to_a_stream_is_told_of_the_call(lines: list[str], sentence: str) -> None:
    look = lines.pop() if lines[-1].startswith("out.") else "out.getvalue()"
    read = replace(equals(look, r"'a\n'"), aside=look == "out.fetch()")
    checks = [*map(done, lines), read]
    assert result_sentences(told("Report.write", *checks, subject="report"), "")[0] == sentence


@pytest.mark.parametrize(
    "lines",
    [
        ["out = StringIO('b')", "write(['a'], out)"],
        ["out = StringIO()", "write(['a'])"],
        ["out = StringIO()", "report = Report()", "other = Report()", "report.write(other, out)"],
        ["out = Sheet(80)", "write(['a'], out)", "out.fetch()"],
        ["out = Basket([1, 2])", "pay(out)", "out.lines()"],
    ],
)
def test_another_stream_is_told_line_by_line(lines: list[str]) -> None:
    look = lines.pop() if lines[-1].startswith("out.") else "out.getvalue()"
    read = replace(equals(look, r"'a\n'"), aside=look == "out.fetch()")
    checks = [*map(done, lines), read]
    found = result_sentences(told("Report.write", *checks, subject="report"), "")
    assert not any(" writes " in one for one in found)


@pytest.mark.parametrize(
    ("noun", "told"),
    [
        *[("item", "an item"), ("user agent", "a user agent"), ("unit", "a unit")],
        *[("Usher", "an Usher"), ("uninstaller", "an uninstaller"), ("job", "a job")],
        *[("unidentified item", "an unidentified item"), ("EulerAngle", "an EulerAngle")],
        *[("unidirectional link", "a unidirectional link"), ("eulogy", "a eulogy")],
        *[("unimportant note", "an unimportant note"), ("unimodal curve", "a unimodal curve")],
    ],
)
def test_a_noun_has_the_article_that_is_spoken_before_it(noun: str, told: str) -> None:
    assert with_article(noun) == told


def test_what_is_said_of_several_things_is_said_once() -> None:
    facts = ["a.go() gives True", "a.stop() gives True", "b is True", "c is True", "len(d) is 2"]
    assert merged(facts) == ["a.go() and a.stop() give True", "b and c are True", "len(d) is 2"]
    assert merged(["a.go() gives True", "a.go() gives True"]) == ["a.go() gives True"]
    told = ["a('is ') gives 'x is y'", "b() gives 'x is y'", "b() gives 2"]
    assert merged(told) == ["a('is ') and b() give 'x is y'", "b() gives 2"]


def test_one_word_of_a_message_is_not_told_as_all_of_it() -> None:
    message = "Function <code object add at 0x7f902da50310, file 'm.py'>"
    raised = Raised("LookupError", "builtins", message, "m.py", 3, True)
    check = StepCheck("raises", "call()", raised=raised, match="Function")
    assert error_sentences(told("call", check), "call", check)[0] == "call() raises LookupError"


def test_no_message_is_told_with_names_of_the_code_in_which_cases_run() -> None:
    message = "level should be a number instead of <class 'lift_case.test_case.<locals>.Mine'>"
    raised = Raised("TypeError", "builtins", message, "m.py", 3, True)
    check = StepCheck(
        "raises", "call()", raised=raised, match="level should be a number instead of"
    )
    assert "lift_case" not in error_sentences(told("call", check), "call", check)[0]


def test_two_equal_lines_are_told_only_where_they_are_short() -> None:
    assert text_words("a b\na b\n") == "a text of twice the line 'a b'"
    assert len(text_words(f"{'a b ' * 1000}\n" * 2)) < 100
