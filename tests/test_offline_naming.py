"""Names and sentences end where a thought ends, and say what is special about a test."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from offline_program import write_program

from pytest_lift.agents.offline.docstrings.intents import Intents
from pytest_lift.agents.offline.docstrings.layout import docstring_lines
from pytest_lift.agents.offline.joining.cutting import cut_to_told
from pytest_lift.agents.offline.printing.files import distinct
from pytest_lift.agents.offline.printing.functions import PrintedTest, print_test
from pytest_lift.agents.offline.writing.grouping import ParametrizedRow, PlannedTest
from pytest_lift.agents.offline.writing.links import ClaimedLink
from pytest_lift.agents.offline.writing.naming import name_of, other_names
from pytest_lift.agents.offline.writing.oracles.checks import StepCheck, Verified
from pytest_lift.agents.offline.writing.words import clause, cut, phrase, slug
from pytest_lift.calls.case import Case, Raised, Step
from pytest_lift.requirements.requirement import Requirement, Requirements

CODEC = '''
    def dumps(obj, indent=None):
        """Serialize ``obj`` to a formatted text, which nobody needs to know about."""
        return repr(obj)


    class Reader:
        def read(self):
            return 1
'''
LONG = "Bytes can be left to the default function"
ITEMS = Requirements((Requirement("E-1", LONG, "", (), (), "r.yml", 1),))


def plan(
    symbol: str, check: StepCheck, link: ClaimedLink | None = None, **more: object
) -> PlannedTest:
    case = Case("codec.py", symbol, (Step(check.expression, True),), **more)  # type: ignore[arg-type]
    return PlannedTest(
        (Verified(case, (check,), (), frozenset()),), link or ClaimedLink(), "asserts"
    )


@pytest.fixture
def intents(tmp_path: Path) -> Intents:
    return Intents(write_program(tmp_path, {"codec.py": CODEC}), ITEMS)


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("keys must be str, int, float, bool or None, not", "keys_must_be_str"),
        ("Expecting property name enclosed in double quotes", "expecting_property_name"),
        ("Unterminated string starting at", "unterminated_string"),
        ("is not JSON serializable", "not_json_serializable"),
    ],
)
def test_messages_become_whole_phrases(message: str, expected: str) -> None:
    assert phrase(message) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("JSONEncoderForHTML", "json_encoder_for_html"),
        ("NaN on request", "nan_on_request"),
        ("one's own", "ones_own"),
        ("LifoSQLiteQueue", "lifo_sqlite_queue"),
        ("Invalid IPv6 URL", "invalid_ipv6_url"),
        ("IPvFuture address", "ipv_future_address"),
        ("removeURLs", "remove_urls"),
        ("GitHubIssues", "github_issues"),
    ],
)
def test_slugs(text: str, expected: str) -> None:
    assert slug(text) == expected


def test_a_sentence_is_cut_between_its_parts() -> None:
    doc = "Encode the given object and yield each string representation as available."
    assert clause(doc) == "Encode the given object"
    assert clause("Short one. And more.") == "Short one"


def test_a_message_is_not_cut_behind_a_preposition() -> None:
    assert cut("because an exception occurred on unpickling", 36) == "because an exception occurred"


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("Invalid number of hours (", "Invalid number of hours"),
        ("Invalid unit (valid units are `days`, `hours`, and `minutes`)", "Invalid unit"),
        ("until() takes a string, datetime.datetime, datetime.date", "until() takes a string"),
        (
            "jobs is only allowed for weekly jobs. Using days",
            "jobs is only allowed for weekly jobs.",
        ),
        ("must be positive, not ", "must be positive"),
        ("' is not a mode", "is not a mode"),
        ("is empty", "is empty"),
        ("is not a mode '", "is not a mode"),
    ],
)
def test_a_message_is_cut_at_the_end_of_a_clause(message: str, expected: str) -> None:
    assert cut(message, 44) == expected


def test_the_title_of_a_requirement_is_the_name() -> None:
    check = StepCheck("equals", "dumps(b'a')", "'a'")
    stated = plan("dumps", check, ClaimedLink(("E-1",)), origin="requirement", requirement="E-1")
    assert name_of(stated, LONG) == "test_dumps_bytes_can_be_left_to_the_default_function"


def test_the_class_stands_in_a_name_only_where_two_are_alike() -> None:
    check = StepCheck("equals", "Reader().read()", "1")
    stated = plan(
        "Reader.read", check, ClaimedLink(("E-1",)), origin="requirement", requirement="E-1"
    )
    name = name_of(stated, "One by one")
    assert name == "test_one_by_one"
    assert other_names(stated, name)[0] == "test_read_one_by_one"


def test_a_name_that_is_taken_tells_the_objects_and_the_literals_of_the_call() -> None:
    check = StepCheck("equals", "dumps({'a': 3}, Reader(True), key='size')", "'3'")
    documented = plan("dumps", check, origin="documented")
    name = name_of(documented)
    assert other_names(documented, name) == [
        "test_dumps_as_documented_with_reader",
        "test_dumps_as_documented_of_dict",
        "test_dumps_as_documented_of_a",
        "test_dumps_as_documented_of_size",
        "test_dumps_as_documented_of_3",
    ]


def test_what_happens_without_an_option_is_not_told_for_it_is_not_asserted(
    intents: Intents,
) -> None:
    check = StepCheck("equals", "dumps([1], indent=2)", "'[\\n  1\\n]'")
    shown = plan("dumps", check, keywords=("indent",), effect="indent=2")
    told = "dumps([1], indent=2) gives a text of the lines '[', '  1' and ']'."
    assert intents.intent(shown) == told


def test_a_refusal_is_told_with_the_input(intents: Intents) -> None:
    error = Raised("ValueError", "builtins", "Extra data: 1", "codec.py", 3, True)
    check = StepCheck("raises", "dumps('[1')", raised=error, match="Extra data")
    assert intents.intent(plan("dumps", check)) == "dumps('[1') raises ValueError: Extra data."


def test_a_docstring_breaks_between_words_that_are_in_no_literal() -> None:
    call = "rjust('one two three', width=24, fill='- ') gives '- - - - - -one two three'"
    two = docstring_lines(f"{call}; without fill='- ' the result is '   one two three'.")
    assert two == [f"{call};", "without fill='- ' the result is '   one two three'."]
    assert docstring_lines("short.") == ["short."]
    assert len(docstring_lines("'" + "a " * 60 + "'.")) == 1


def test_a_docstring_does_not_break_behind_the_key_of_a_dict() -> None:
    text = f"flatten(d) gives a dict with {'x' * 30} and a dict with 'a': '0' and with {'y' * 40}."
    assert not docstring_lines(text)[0].endswith(":")
    fields = "name: Optional[str] and buildings: List[Building] in class City"
    text = f"With {fields}, Schema(City).load({{}}) is {'[1, 2, 3], ' * 4}."
    assert docstring_lines(text)[0].startswith("With name: Optional[str]")


def test_no_intent_ends_in_dots(intents: Intents) -> None:
    check = StepCheck("equals", "dumps([1])", "'[1]'")
    more = StepCheck("equals", "dumps([2])", "'[2]'")
    case = Case("codec.py", "dumps", (Step("dumps([1])", True),), origin="documented")
    shown = PlannedTest(
        (Verified(case, (check, more), (), frozenset()),), ClaimedLink(), "scenario"
    )
    assert intents.intent(shown) == "dumps(obj) gives '[1]' for [1], and '[2]' for [2]."


def test_rows_are_told_by_their_results_the_first_with_what_it_is_of(intents: Intents) -> None:
    given = [("[1, 2, 3]", 2), ("[]", 0), ("'abc'", 4), ("{1: 2}", 1)]
    checks = [StepCheck("equals", f"dumps({obj}, {n})", f"'{n}'") for obj, n in given]
    cases = [Case("codec.py", "dumps", (Step(check.expression, True),)) for check in checks]
    rows = tuple(ParametrizedRow((("obj", obj), ("indent", str(n))), f"'{n}'") for obj, n in given)
    members = tuple(
        Verified(case, (check,), (), frozenset()) for case, check in zip(cases, checks, strict=True)
    )
    table = PlannedTest(members, ClaimedLink(), "rows", "dumps(obj, indent)", rows)
    assert intents.intent(table) == (
        "dumps([1, 2, 3], 2) gives '2', dumps([], 0) gives '0', "
        "dumps('abc', 4) gives '4' and dumps({1: 2}, 1) gives '1'."
    )
    pair = replace(table, members=members[:2], rows=rows[:2])
    assert intents.intent(pair) == ("dumps([1, 2, 3], 2) gives '2' and dumps([], 0) gives '0'.")
    assert "test_dumps_by_obj_and_indent" in other_names(table, "test_dumps")
    told = replace(rows[0], arguments=(*rows[0].arguments, ("expected", "'2'")))
    assert "test_dumps_by_obj_and_indent" in other_names(replace(table, rows=(told,)), "test_dumps")


def test_an_example_says_what_it_documents(intents: Intents) -> None:
    steps = (StepCheck("none", "shown = repr"), StepCheck("equals", "shown([1])", "'[1]'"))
    case = Case("codec.py", "dumps", tuple(Step(c.expression) for c in steps), origin="documented")
    one = PlannedTest((Verified(case, steps, (), frozenset()),), ClaimedLink(), "steps")
    assert intents.intent(one) == "dumps as documented: repr([1]) is '[1]'."


def test_calls_that_look_alike_are_tests_of_their_own(intents: Intents) -> None:
    checks = [StepCheck("equals", f"dumps({['word'] * n})", f"'{n}'") for n in (30, 40)]
    members = tuple(
        Verified(Case("codec.py", "dumps", (Step(c.expression, True),)), (c,), (), frozenset())
        for c in checks
    )
    both = PlannedTest(members, ClaimedLink(), "asserts")
    assert not intents.tells(both)
    alone = cut_to_told([both], intents)
    assert [intents.intent(one) for one in alone] == [
        "dumps(obj) gives '30'.",
        "dumps(obj) gives '40'.",
    ]


def test_rows_that_are_too_many_are_told_by_what_all_do_and_an_example(intents: Intents) -> None:
    checks = [StepCheck("equals", f"dumps({n}, {n})", f"'{n}'") for n in range(1000, 1012)]
    members = tuple(
        Verified(Case("codec.py", "dumps", (Step(c.expression, True),)), (c,), (), frozenset())
        for c in checks
    )
    rows = tuple(
        ParametrizedRow((("obj", str(n)), ("indent", str(n))), f"'{n}'") for n in range(1000, 1012)
    )
    table = PlannedTest(members, ClaimedLink(), "rows", "dumps(obj, indent)", rows)
    both = "dumps(obj, indent) gives what is expected for each obj and indent"
    assert intents.intent(table) == f"{both}, such as '1000' for 1000 and 1000."
    wide = tuple(ParametrizedRow((("obj", "9" * 30), ("indent", "9" * 30)), "'9'") for _ in rows)
    other = tuple(replace(row, expected=f"'{n}'") for n, row in enumerate(wide))
    assert intents.intent(replace(table, rows=other)) == f"{both}."
    one_each = tuple(ParametrizedRow(row.arguments[:1], row.expected) for row in rows)
    assert intents.intent(replace(table, template="dumps(obj)", rows=one_each)) == (
        "dumps(obj) gives what is expected for each obj, such as '1000' for 1000."
    )
    given = [("''", "'0'"), ("9", "9"), *((str(n), f"'{n}'") for n in range(1000, 1012))]
    pairs = tuple(ParametrizedRow((("obj", n), ("expected", text)), "") for n, text in given)
    steps = (StepCheck("equals", "dumps(obj)", "expected"),)
    columns = replace(table, form="table", template="", rows=pairs, steps=steps)
    assert intents.intent(columns) == (
        "dumps(obj) gives what is expected for each obj, such as '1000' for 1000."
    )
    same = tuple(ParametrizedRow(row.arguments[:1], "0") for row in rows)
    alike = replace(table, template="dumps(obj)", rows=same)
    assert intents.intent(alike) == "dumps(obj) gives 0 for each obj."


def test_a_file_that_is_read_is_told_with_what_it_holds(intents: Intents) -> None:
    check = StepCheck("equals", "dumps('in.txt')", "'a'")
    one = plan("dumps", check, files={"in.txt": "cherries"})
    assert intents.intent(one) == "dumps('in.txt') gives 'a', where in.txt holds 'cherries'."


def test_the_heading_of_an_example_stands_before_what_it_gives(intents: Intents) -> None:
    check = StepCheck("equals", "dumps([1])", "'[1]'")
    one = plan("dumps", check, origin="documented", title="Texts of lists")
    assert intents.intent(one) == "Texts of lists: dumps([1]) gives '[1]'."
    assert name_of(one) == "test_dumps_texts_of_lists"


def test_a_table_of_long_values_is_told_by_its_call(intents: Intents) -> None:
    given = [repr(f"{n} {'word ' * 30}") for n in (1, 2)]
    checks = [StepCheck("equals", f"dumps({one}, indent={one})", one) for one in given]
    members = tuple(
        Verified(Case("codec.py", "dumps", (Step(c.expression, True),)), (c,), (), frozenset())
        for c in checks
    )
    rows = tuple(ParametrizedRow((("obj", one),), one) for one in given)
    table = PlannedTest(members, ClaimedLink(), "rows", "dumps(obj, indent=9)", rows)
    said = "dumps(obj, indent=9) gives what is expected for each obj."
    assert intents.intent(table) == said
    odd = replace(table, template=f"dumps(obj, {'indent, ' * 9})")
    assert len(intents.intent(odd)) <= 141


@pytest.mark.parametrize("more", [{"effect": "indent=2"}, {"keywords": ("indent",)}])
def test_an_option_that_a_test_has_lost_is_not_in_its_name(more: dict[str, object]) -> None:
    given = plan("dumps", StepCheck("equals", "dumps([1], indent=2)", "'[1]'"), **more)  # type: ignore[arg-type]
    assert name_of(given) == "test_dumps_with_indent"
    lost = plan("dumps", StepCheck("equals", "dumps([1])", "'[1]'"), **more)  # type: ignore[arg-type]
    assert name_of(lost) == "test_dumps"
    assert not any("indent" in one for one in other_names(lost, "test_dumps"))


def test_a_longer_name_says_nothing_twice() -> None:
    given = plan("dumps", StepCheck("equals", "dumps([1], limit=Limit())", "'[1]'"))
    assert "test_dumps_with_limit" in other_names(given, "test_dumps")
    assert not any("limit_with" in one for one in other_names(given, "test_dumps_with_limit"))


def test_a_longer_name_has_to_fit_into_its_line() -> None:
    lines = ("def test_a(one, two):", "    pass")
    tests = [PrintedTest("test_a", lines, (), "a.py", 1, ("test_a_" + "b" * 80, "test_a_c"))] * 3
    assert [test.name for test in distinct(tests)] == ["test_a", "test_a_c", "test_a_2"]


def test_a_longer_name_tells_a_test_from_the_others_of_its_name() -> None:
    """What all of them are given tells nothing; where nothing else is there, it does."""
    lines = ("def test_a():", "    pass")
    variants = (("test_a_of_ref", "test_a_of_max"), ("test_a_of_ref", "test_a_of_min"))
    tests = [PrintedTest("test_a", lines, (), "a.py", 1, others) for others in variants]
    assert [test.name for test in distinct(tests, ["test_a"])] == ["test_a_of_max", "test_a_of_min"]
    bare = [replace(test, others=("test_a_of_ref",)) for test in tests]
    assert [test.name for test in distinct(bare)] == ["test_a", "test_a_of_ref"]


def test_what_only_the_docstring_names_is_not_imported(intents: Intents) -> None:
    check = StepCheck("equals", "dumps([1])", "'[1]'")
    planned = plan("dumps", check)
    lines = ("from codec import dumps", "from codec import gives")
    (member,) = planned.members
    printed = print_test(replace(planned, members=(replace(member, imports=lines),)), intents)
    assert '"""dumps([1]) gives' in printed.text
    assert printed.imports == ("from codec import dumps", "import pytest")


def test_a_clause_ends_before_a_word_that_joins_it_to_another() -> None:
    text = "Class equivalent to numpy.matrix, but that behaves better when it has doubtful numbers."
    assert clause(text) == "Class equivalent to numpy.matrix"


@pytest.mark.parametrize(
    ("command", "name", "others"),
    [
        (("app", "0"), "test_app", ["test_app_given_one_argument"]),
        (("app", "0", "1"), "test_app", ["test_app_given_two_arguments"]),
        (("app",), "test_app_without_arguments", []),
    ],
)
def test_a_command_is_told_by_the_number_of_its_arguments(
    command: tuple[str, ...], name: str, others: list[str]
) -> None:
    planned = plan("app", StepCheck("equals", "result.output", "'a'"))
    (member,) = planned.members
    commanded = replace(member, case=replace(member.case, command=command))
    assert other_names(replace(planned, members=(commanded,)), name) == others


@pytest.mark.parametrize(
    ("argv", "other"),
    [
        (("app", "--version", "--output"), "test_app_exits_with_version_and_output"),
        (("app",), "test_app_exits_without_arguments"),
    ],
)
def test_what_reads_the_command_line_by_itself_is_told_by_its_words(
    argv: tuple[str, ...], other: str
) -> None:
    planned = plan("app", StepCheck("equals", "caught.value.code", "1"))
    (member,) = planned.members
    read = replace(member, case=replace(member.case, argv=argv))
    assert other_names(replace(planned, members=(read,)), "test_app_exits")[0] == other


def test_a_third_option_tells_command_lines_apart() -> None:
    planned = plan("app", StepCheck("equals", "caught.value.code", "1"))
    (member,) = planned.members
    read = replace(member, case=replace(member.case, argv=("app", "--a", "--bee=1", "--sea", "2")))
    others = other_names(replace(planned, members=(read,)), "test_app_with_a_and_bee_exits")
    assert others[0] == "test_app_with_a_and_bee_and_sea_exits"


def test_the_keys_of_a_dict_are_told_to_be_its_keys(intents: Intents) -> None:
    check = StepCheck("equals", "list(dumps([1]).keys())", "['a']")
    assert intents.intent(plan("dumps", check)) == "list(dumps([1]).keys()) is ['a']."


def test_no_flag_and_no_line_of_a_class_is_in_a_name() -> None:
    defined = StepCheck("none", "class Line(Tuple[int]):\n    ...")
    planned = plan("dumps", StepCheck("true", "dumps(Line) == True"))
    (item,) = planned.members
    planned = replace(planned, members=(replace(item, checks=(defined, *item.checks)),))
    assert not [one for one in other_names(planned, "test_dumps") if "_of_" in one]


@pytest.mark.parametrize(
    ("before", "name"),
    [
        ((), "test_box_close_of_new_box"),
        (("box.fill(1)",), "test_box_close_after_fill"),
    ],
)
def test_what_a_test_does_itself_is_not_what_happened_before(
    before: tuple[str, ...], name: str
) -> None:
    lines = ("box = Box()", *before, "box.close()")
    done = [StepCheck("none", line) for line in lines]
    checks = (*done, StepCheck("is", "box.is_closed", "True"))
    case = Case("codec.py", "Box.close", tuple(Step(one.expression) for one in checks))
    closed = PlannedTest((Verified(case, checks, (), frozenset()),), ClaimedLink(), "asserts")
    assert next(iter(other_names(closed, name_of(closed)))) == name


@pytest.mark.parametrize(
    ("results", "told"),
    [
        (("'1'", "'2'"), "dumps gives '1' for 1 and '2' for 2."),
        (("'1'", "'1'"), "dumps gives '1' for 1 and 2."),
        (("'1'", "'2'", "'1'"), "dumps gives '1' for 1 and 3; '2' for 2."),
    ],
)
def test_arguments_that_give_the_same_are_told_together(
    intents: Intents, results: tuple[str, ...], told: str
) -> None:
    checks = [StepCheck("equals", f"dumps({n})", one) for n, one in enumerate(results, 1)]
    members = tuple(
        Verified(Case("codec.py", "dumps", (Step(c.expression, True),)), (c,), (), frozenset())
        for c in checks
    )
    rows = tuple(ParametrizedRow((("obj", str(n)),), one) for n, one in enumerate(results, 1))
    table = PlannedTest(members, ClaimedLink(), "rows", "dumps(obj)", rows)
    assert intents.intent(table) == told


def test_a_type_with_parameters_tells_names_apart() -> None:
    made = StepCheck("none", "field = dumps(tuple[int, ...])")
    checks = (made, StepCheck("is", "field.required", "True"))
    case = Case("codec.py", "dumps", tuple(Step(one.expression) for one in checks))
    taken = PlannedTest((Verified(case, checks, (), frozenset()),), ClaimedLink(), "asserts")
    assert other_names(taken, name_of(taken)) == ["test_dumps_of_tuple_int"]


def test_a_long_text_is_told_by_the_word_that_it_alone_has(intents: Intents) -> None:
    systems = ("Windows", "Linux", "Mac", "Android", "Symbian", "Haiku", "Plan", "Minix", "Solaris")
    texts = [
        f"Mozilla/5.0 (X11; U; {one} i686; en-US) AppleWebKit/532.9 (KHTML)" for one in systems
    ]
    checks = [StepCheck("equals", f"dumps({one!r})", f"'{n}'") for n, one in enumerate(texts)]
    members = tuple(
        Verified(Case("codec.py", "dumps", (Step(c.expression, True),)), (c,), (), frozenset())
        for c in checks
    )
    rows = tuple(ParametrizedRow((("obj", repr(one)),), f"'{n}'") for n, one in enumerate(texts))
    table = PlannedTest(members, ClaimedLink(), "rows", "dumps(obj)", rows)
    told = "dumps(obj) gives what is expected for each obj, such as '2' for a text with 'Mac'."
    assert intents.intent(table) == told


@pytest.mark.parametrize(
    ("symbol", "expression", "form", "name"),
    [
        ("Reader.__ne__", "Reader() != reader", "false", "test_reader_equality"),
        ("Reader.__ne__", "Reader() != reader", "true", "test_reader_inequality"),
        ("Reader.__eq__", "Reader() == reader", "false", "test_reader_inequality"),
        ("Reader.__eq__", "Reader() == reader", "true", "test_reader_equality"),
        ("Reader.__lt__", "Reader() < reader", "false", "test_reader_less_than"),
    ],
)
def test_objects_that_are_equal_are_named_so_by_whatever_operator(
    symbol: str, expression: str, form: str, name: str
) -> None:
    assert name_of(plan(symbol, StepCheck(form, expression))) == name


def test_objects_of_which_some_are_equal_are_named_by_the_operator() -> None:
    checks = [StepCheck(form, "Reader() != reader") for form in ("true", "false")]
    both = plan("Reader.__ne__", checks[0])
    both = replace(both, members=(*both.members, *plan("Reader.__ne__", checks[1]).members))
    assert name_of(both) == "test_reader_inequality"
