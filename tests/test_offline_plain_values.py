"""Keys, marks, ends, choices and stored values are what a person gives there."""

from __future__ import annotations

import random
from collections.abc import Callable, ItemsView
from dataclasses import replace
from pathlib import Path

import pytest
from offline_program import write_program

from pytest_lift.agents.offline.arguments.inputs import Inputs
from pytest_lift.agents.offline.choosing.shrinking.simpler import simpler_expressions
from pytest_lift.agents.offline.natural.kinds import KINDS
from pytest_lift.agents.offline.natural.naturalness import Naturalness
from pytest_lift.agents.offline.natural.oddness import oddness
from pytest_lift.agents.offline.natural.proposing import Proposals
from pytest_lift.agents.offline.natural.values import ordered
from pytest_lift.agents.offline.natural.values.marks import instead_of
from pytest_lift.agents.offline.natural.values.plain_parts import plainer_parts
from pytest_lift.agents.offline.natural.values.usual import in_these_times, is_of_other_times
from pytest_lift.calls.call import Call, as_line
from pytest_lift.calls.cost import cost_of
from pytest_lift.calls.names import Resolver
from pytest_lift.calls.targets.finding import find_targets
from pytest_lift.calls.targets.target import Target
from pytest_lift.source.symbols import Parameter

CODE = """
    UNITS = {"metre": 1, "inch": 0.0254}
    WHEN = {"begin": 1, "end": 0, 0: 0}
    NUMBERS = {1: "one", 2: "two", "three": 3}
    MODES = {"one"}
    MODES = {"two"}

    class Store:
        KINDS = ("plain", "rich")

        def __init__(self, data=None):
            self.data = dict(data or {})

        def get(self, k, d=None):
            if k in self.data:
                return self.data[k]
            return d

        def __setitem__(self, name, value):
            self.data[name] = value

    class Line:
        def __init__(self, start, end):
            self.start = start
            self.end = end

    def counted(lines, iterables, status):
        return sum(1 for _ in lines), [len(list(one)) for one in iterables], [*status]

    def asked(url, sep):
        return (url or "/", sep or "/")

    def lines(text, eol=None, sign="-", missing=None):
        if eol is None:
            eol = "\\n"
        missing = missing or "?"
        return (sign + text + eol).replace("?", missing)

    def metres(amount, unit, style="short", kind=None):
        if style == "short":
            return amount * UNITS[unit]
        return kind in Store.KINDS, style == "wide"

    DATE_LONG = "%Y-%m-%d"
    DATE_SHORT = "%Y%m%d"
    LINES = "l"

    _ALIGN = "default"
    _BREAKS = True
    _MARK = "-"

    def aligned(text, align=_ALIGN, breaks=_BREAKS, mark=_MARK, widths=None):
        align = "left" if align == _ALIGN else align
        return getattr(text, align), breaks, mark, widths

    def paid(amount, when="end", number=1):
        return amount * WHEN[when], NUMBERS[number]

    def written(text, marks=None):
        return text if marks is None else marks

    def based(number, from_base, to_base):
        return number, from_base, to_base

    def dated(dt, form=DATE_LONG, home=None):
        return form + str(home)

    def priced(unit, kind, style, mode, request):
        UNITS = dict(request)
        plain = style in request.KINDS, mode in self.UNITS
        return UNITS[unit], kind in KINDS, plain

    def cut(n, mark=LINES, most=LINES):
        n = "most" if n > LINES else n
        mark = "few" if mark != LINES else mark
        return n, mark, "all" if most == _MARK else most

    def drawn(dt, form: Line = DATE_LONG):
        return form.start

    class Command:
        def __init__(self, parser):
            self.parser = parser

        def parse_args(self, args):
            return self.parser.parse_args(args)
    """


@pytest.fixture
def natural(tmp_path: Path) -> Naturalness:
    program = write_program(tmp_path, {"store.py": CODE})
    return Naturalness(Inputs(program, random.Random(1)), find_targets(program, Resolver(program)))


@pytest.fixture
def target(natural: Naturalness) -> Callable[[str], Target]:
    program = natural.inputs.program
    known = {one.symbol: one for one in find_targets(program, Resolver(program))}
    return known.__getitem__


def test_what_stands_in_the_place_of_none_tells_what_is_given(
    natural: Naturalness, target: Callable[[str], Target]
) -> None:
    lines = target("lines")
    assert natural.typed(lines, "eol") == ("'\\r\\n'",)
    assert natural.typed(lines, "sign") == ("'_'",)
    asked = target("asked")
    assert natural.typed(asked, "url") == ("'https://example.com/'",)
    assert natural.typed(asked, "sep") == ("','",)
    missing = lines.parameters[3]
    assert natural.inputs.usage(lines, missing).fallbacks == ["'?'"]
    assert natural.inputs.kinds(lines, missing) == ["str"]
    call = Call(lines, (("text", "'hello'"), ("eol", "'a'")))
    better = call.with_value("eol", "'\\r\\n'")
    assert better in Proposals(natural).mended(call)
    assert natural.oddness(better) < natural.oddness(call)


@pytest.mark.parametrize(
    ("default", "mark"),
    [("'-'", "'_'"), ("'\\n'", "'\\r\\n'"), ("'~~'", "'--'"), ("'--'", "'=='"), ("'  '", "'\\t'"),
     ("'a'", ""), ("1", ""), ("''", ""), (None, "")],
)  # fmt: skip
def test_a_mark_takes_the_place_of_a_mark(default: str | None, mark: str) -> None:
    assert instead_of(default) == mark


def test_words_of_a_command_line_are_a_list(
    natural: Naturalness, target: Callable[[str], Target]
) -> None:
    parsing = target("Command.parse_args")
    assert natural.typed(parsing, "args")[0] == "['a']"
    letters = Call(parsing, (("args", "'abc'"),), receiver=Call(target("Command"), ()))
    assert letters.with_value("args", "['a']") in [*Proposals(natural).mended(letters)]
    assert natural.oddness(letters) > 0


def test_texts_by_which_the_code_chooses_are_typed(
    natural: Naturalness, target: Callable[[str], Target]
) -> None:
    metres = target("metres")
    assert natural.typed(metres, "unit") == ("'metre'", "'inch'")
    assert natural.typed(metres, "style") == ("'wide'",)  # 'short' is the default
    assert natural.typed(metres, "kind") == ("'plain'", "'rich'")
    assert natural.is_known(metres, "unit", "'inch'")
    assert not natural.is_known(metres, "unit", "'mile'")


@pytest.mark.parametrize(
    ("function", "name"),
    [("priced", "unit"), ("priced", "kind"), ("priced", "style"), ("priced", "mode"),
     ("cut", "n"), ("cut", "mark"), ("cut", "most")],
)  # fmt: skip
def test_other_tables_and_comparisons_tell_no_choices(
    natural: Naturalness, target: Callable[[str], Target], function: str, name: str
) -> None:
    chosen = target(function)
    usage = natural.inputs.inference.usage(chosen.path, chosen.symbol, name)
    assert not usage.choices


def test_tables_may_have_some_numbers_for_keys(
    natural: Naturalness, target: Callable[[str], Target]
) -> None:
    paid = target("paid")
    assert natural.typed(paid, "when") == ("'begin'",)  # 'end' is the default
    assert natural.typed(paid, "number") == ()


def test_keys_are_like_those_that_the_object_has(
    natural: Naturalness, target: Callable[[str], Target]
) -> None:
    made = Call(target("Store"), (("data", "{'red': 1, 'blue': 2}"),))
    call = Call(target("Store.get"), (("k", "1"),), receiver=made)
    proposed = [dict(one.values)["k"] for one in Proposals(natural).mended(call)]
    assert [one for one in dict.fromkeys(proposed) if one != "1"][:3] == ["'red'", "'blue'", "'b'"]
    named, missing = call.with_value("k", "'red'"), call.with_value("k", "'b'")
    assert natural.oddness(named) <= natural.oddness(missing) < natural.oddness(call)
    numbers = call.but(receiver=made.with_value("data", "{1: 'a'}"))
    assert natural.oddness(numbers) < natural.oddness(call)


def test_keys_of_an_empty_object_are_texts_or_what_was_put_in(
    natural: Naturalness, target: Callable[[str], Target]
) -> None:
    call = Call(target("Store.get"), (("k", "1"),), receiver=Call(target("Store")), name="store")
    assert call.with_value("k", "'a'") in Proposals(natural).mended(call)
    assert natural.oddness(call.with_value("k", "'a'")) < natural.oddness(call)
    put = Call(target("Store.__setitem__"), (("name", "1"), ("value", "2")), receiver=call.receiver)
    filled = call.but(before=(as_line(put),))
    assert natural.oddness(filled) < natural.oddness(filled.with_value("k", "'a'"))


@pytest.mark.parametrize(
    ("start", "end"),
    [("2", "1"), ("-1", "-2"), ("datetime.timedelta(seconds=90)", "datetime.timedelta(minutes=1)"),
     ("datetime.date(2024, 2, 29)", "datetime.date(1999, 12, 31)"), ("1", "0.5")],
)  # fmt: skip
def test_an_end_comes_after_the_start(
    natural: Naturalness, target: Callable[[str], Target], start: str, end: str
) -> None:
    call = Call(target("Line"), (("start", start), ("end", end)))
    turned = Call(target("Line"), (("start", end), ("end", start)))
    assert turned in Proposals(natural).mended(call)
    assert natural.oddness(turned) < natural.oddness(call)
    assert turned.but(values=call.values) not in Proposals(natural).mended(turned)


def test_what_has_no_order_is_left_alone(
    natural: Naturalness, target: Callable[[str], Target]
) -> None:
    plain = [("'b'", "'a'"), ("None", "1"), ("datetime.date(2024, 2, 31)", "1"), ("True", "False")]
    line = target("Line")
    calls = [Call(line, (("start", start), ("end", end))) for start, end in plain]
    assert not [
        one
        for call in calls
        for one in Proposals(natural).mended(call)
        if one != call
        if dict(one.values) == {"start": call.given["end"], "end": call.given["start"]}
    ]


def test_from_and_to_are_ends_of_times_alone(
    natural: Naturalness, target: Callable[[str], Target]
) -> None:
    based = target("based")
    numbers = Call(based, (("number", "1"), ("from_base", "16"), ("to_base", "2")))
    days = Call(based, (("from_base", "timedelta(days=2)"), ("to_base", "timedelta(days=1)")))
    assert ordered.oddness(numbers) == ordered.oddness(numbers.with_value("to_base", "16")) == 0
    assert not [*ordered.variants(numbers)]
    assert ordered.oddness(days) == ordered.REVERSED
    assert len([*ordered.variants(days)]) == 1


@pytest.mark.parametrize(
    ("bounds", "value", "new"),
    [
        ("[1, 5]", "23", "4"),
        ("(1, 5)", "'23'", "4"),
        ("[1, 5]", "3", ""),
        ("['b', 'a']", "0", "['a', 'b']"),
        ("[5, 1]", "0", "[1, 5]"),
    ],
)
def test_the_ends_of_a_container_and_of_what_is_assigned_are_in_order(
    bounds: str, value: str, new: str
) -> None:
    made = Call(Target("spans.py", "Span", "constructor", "Span", (), ()), (("bounds", bounds),))
    lower = Target("spans.py", "Span.lower", "statement", "Span", (), (), made.target)
    call = Call(lower, (("value", value),), receiver=made)
    others = [*ordered.variants(call), *ordered.variants(made)]
    assert [one.given.get("value", one.given.get("bounds")) for one in others] == [new][: len(new)]
    assert bool(ordered.oddness(call)) == bool(new)


def test_a_text_is_not_given_for_several_things(
    natural: Naturalness, target: Callable[[str], Target]
) -> None:
    counted = target("counted")
    call = Call(counted, (("lines", "'hello'"), ("iterables", "'ab'"), ("status", "'ab'")))
    taken_apart = [natural.is_taken_apart(counted, name, value) for name, value in call.values]
    assert taken_apart == [True, False, False]
    assert call.with_value("lines", "['hello']") in [*Proposals(natural).mended(call)]
    assert not natural.is_taken_apart(counted, "lines", "['hello']")


def test_what_is_only_given_back_is_a_plain_value(
    natural: Naturalness, target: Callable[[str], Target]
) -> None:
    get = target("Store.get")
    made = Call(target("Store"))
    call = Call(get, (("k", "'a'"), ("d", "1")), receiver=made)
    assert natural.misfit(call) == 0
    assert natural.oddness(call) < natural.oddness(call.with_value("d", "{'a': 1}"))
    assert natural.oddness(call) < natural.oddness(call.with_value("d", "Store({'a': 1})"))


def test_a_constant_like_the_default_is_typed(
    natural: Naturalness, target: Callable[[str], Target]
) -> None:
    assert natural.typed(target("dated"), "form") == ("DATE_SHORT",)
    assert "DATE_SHORT" not in natural.typed(target("drawn"), "form"), "its hint asks for a Line"


def test_a_moment_costs_no_more_than_a_number_that_is_none(
    natural: Naturalness, target: Callable[[str], Target]
) -> None:
    moment = KINDS["datetime"][0]
    call = Call(target("dated"), (("dt", moment),))
    assert cost_of(moment) + oddness(moment) + natural.oddness(call) == 0
    assert natural.oddness(call.with_value("dt", "1")) > 0


def test_what_is_empty_or_blank_is_odd() -> None:
    assert oddness("timedelta()") == oddness("timedelta(0)") > oddness("timedelta(days=1)")
    assert oddness("timedelta(days=0, hours=1)") == 0
    assert oddness("'\\n '") > oddness("''") > oddness("'a b'")


def test_a_typed_value_takes_the_place_of_any_value(
    natural: Naturalness, target: Callable[[str], Target]
) -> None:
    call = Call(target("lines"), (("text", "'hello'"), ("eol", "Decimal('1.1')")))
    assert call.with_value("eol", "'\\r\\n'") in Proposals(natural).mended(call)


def test_a_number_stands_for_what_nobody_types_inside_of_an_argument() -> None:
    found = [*simpler_expressions("wrapped(float('inf'))")]
    assert found[:2] == ["wrapped(1.5)", "wrapped(1)"]


def test_private_constants_tell_what_options_take(
    natural: Naturalness, target: Callable[[str], Target]
) -> None:
    aligned = target("aligned")
    assert natural.typed(aligned, "align") == ("'left'",)
    assert natural.inputs.kinds(aligned, aligned.parameters[2]) == ["bool"]
    assert natural.typed(aligned, "mark") == ("'_'",)


def test_known_containers_take_the_place_of_others_of_their_kind(
    natural: Naturalness, target: Callable[[str], Target]
) -> None:
    aligned = target("aligned")
    natural.inputs.note(aligned, "widths", "[None, 8]")
    natural.inputs.note(aligned, "widths", "{'a': 1}")
    call = Call(aligned, (("text", "'hello'"), ("widths", "[True, 8]")))
    proposed = [dict(one.values)["widths"] for one in Proposals(natural).variants(call)]
    assert "[None, 8]" in proposed
    assert "{'a': 1}" not in proposed


def test_objects_inside_of_arguments_lose_all_options_at_once(
    natural: Naturalness, target: Callable[[str], Target]
) -> None:
    made = "[Store(data={'a': 1}), Line(start=1, end=2), Store(data=Store(data={}))]"
    call = Call(target("written"), (("text", made), ("marks", "len(obj=1)")))
    (bare,) = [one for one in Proposals(natural).mended(call) if one.given["text"] != made][:1]
    assert bare.given["text"] == "[Store(), Line(start=1, end=2), Store()]"
    assert bare.given["marks"] == "len(obj=1)"


def test_what_is_seen_of_a_call_counts_from_then_on(
    natural: Naturalness, target: Callable[[str], Target]
) -> None:
    drawn = Call(target("drawn"), (("dt", "1"), ("form", "dated(1)")))
    inside = Call(target("written"), (("text", "drawn(1, dated(1))"),))
    assert natural.fits(drawn)
    assert natural.fits(inside)
    natural.inputs.objects.note_class("dated(1)", "Store")
    assert not natural.fits(drawn)
    assert not natural.fits(inside)


class CountedTargets(dict[str, Target]):
    """Targets by their names, which counts how often somebody goes through all of them."""

    walks = 0

    def items(self) -> ItemsView[str, Target]:
        self.walks += 1
        return super().items()


def test_the_options_of_a_program_are_looked_up_once(
    natural: Naturalness, target: Callable[[str], Target]
) -> None:
    counted = CountedTargets()
    counted["Line"] = target("Line")
    mending = Proposals(Naturalness(natural.inputs, [target("Store")], counted))
    walks = counted.walks
    for at in range(3):
        made = f"Store(data={{'a': {at}}})"
        call = Call(target("written"), (("text", made),))
        assert "Store()" in [one.given["text"] for one in mending.mended(call)]
    assert counted.walks == walks


def test_what_a_program_gave_as_bytes_is_not_what_a_person_types(
    natural: Naturalness, target: Callable[[str], Target]
) -> None:
    dump, text = "b'\\x01\\xa2\"\\x83'", "b'ab'"
    written = target("written")
    for value in (dump, text):
        natural.inputs.note_used(written, written.parameters[0], value)
    assert natural.says_little(written, "text", dump)
    assert not natural.says_little(written, "text", text)
    natural.inputs.note(written, "text", dump)
    assert not natural.says_little(written, "text", dump)


@pytest.mark.parametrize(
    ("value", "plainer"),
    [
        ("{False: 1, 'a': {None: 2}}", ["{'b': 1, 'a': {None: 2}}", "{1: 1, 'a': {None: 2}}"]),
        ("[b'a b', b'\\x00']", ["['a b', b'\\x00']", "[b'a b', 'a']"]),
        ("Reader(b'a')", []),
        ("b'\\x00\\xff\\x01\\x02ab'", ["b'012345'", "'é'"]),
        ("Reader(b'\\x00\\xff\\x01\\x02')", ["Reader(b'0123')"]),
        ("{1: 2, int: 3, (1, 2): 'é'}", []),
        ("range(3)", ["[0, 1, 2]", "(0, 1, 2)"]),
        ("{'a': iter([1, 2])}", ["{'a': [1, 2]}", "{'a': (1, 2)}"]),
        ("range(10000)", []),
        ("{'a': {'a': [{'a': 1}]}}", ["{'a': {'b': [{'c': 1}]}}"]),
        ("[{'a': 1}, {'a': {'b': 2}}]", []),
        ("where('!')", ["where('a')"]),
        ("'!'", []),
        ("Field(',', '|')", []),
        ("{'a': [1, float('inf')]}", ["{'a': [1, 1.5]}"]),
    ],
)
def test_plain_parts_are_tried_in_the_place_of_odd_ones(value: str, plainer: list[str]) -> None:
    assert [*plainer_parts(value)][:2] == plainer


def test_a_key_inside_of_the_same_key_is_odd() -> None:
    same, plain = "{'a': {'a': 1}}", "{'a': {'b': 1}}"
    assert oddness(same) > oddness(plain)
    assert oddness("[{'a': 1}, {'a': 2}]") == oddness("[{'a': 1}, {'b': 2}]")


def test_a_number_of_another_kind_is_plainer_than_a_text_where_whole_ones_are_taken(
    tmp_path: Path,
) -> None:
    code = """
        def roman(n):
            if not isinstance(n, int):
                raise ValueError("decimals cannot be converted")
            return ["I" for _ in range(n)]
        """
    program = write_program(tmp_path, {"numbers_.py": code})
    (taking,) = find_targets(program, Resolver(program))
    natural = Naturalness(Inputs(program, random.Random(1)), [taking])
    text, decimal = (Call(taking, (("n", one),)) for one in ("'a'", "1.5"))
    costs = [
        cost_of(one.text) + natural.oddness(one) + natural.made_up(one) for one in (text, decimal)
    ]
    assert costs[1] < costs[0]
    assert decimal in Proposals(natural).mended(text)


@pytest.mark.parametrize(
    ("value", "first"),
    [
        ("{'b': 2, 'a': 1, 'maximum': 5}", ["{'maximum': 5}"]),
        ("[{'a': 1, 'maximum': 5}]", ["[{'maximum': 5}]"]),
        ("{'b': 2, 'a': 1}", []),
        ("{'minimum': 2, 'maximum': 5}", []),
        ("{'a': 1, 2: 3}", []),
        ("{'a': 1, **b}", []),
    ],
)
def test_letters_beside_keys_that_tell_something_go(value: str, first: list[str]) -> None:
    found = [one for one in plainer_parts(value) if one in first or len(one) < len(value)]
    assert found == first


def test_a_letter_is_odd_where_texts_of_a_format_are_read(
    natural: Naturalness, target: Callable[[str], Target]
) -> None:
    dated = target("dated")
    letter, date = (Call(dated, (("dt", text),)) for text in ("'a'", "'2024-02-30'"))
    before = natural.oddness(letter)
    natural.inputs.note_read(dated, "dt", ["'2024-02-29'", "'2024-02-30'"])
    natural.forget()
    assert natural.oddness(letter) > before
    costs = [cost_of(one.text) + natural.oddness(one) for one in (date, letter)]
    assert costs[0] < costs[1]


@pytest.mark.parametrize(
    ("name", "value", "other"),
    [
        ("year", "1", True),
        ("start_year", "9377", True),
        ("theyear", "1397", False),
        ("timestamp", "1", True),
        ("timestamp", "1700000000", False),
        ("ordinal", "-3", True),
        ("years", "1", False),
        ("month", "1", False),
        ("year", "'1'", False),
    ],
)
def test_nobody_lives_in_the_first_years(name: str, value: str, other: bool) -> None:
    assert is_of_other_times(name, value) == other
    assert (in_these_times(name, value) != ()) == other
    assert in_these_times("start_ordinal", "1") == ()


def test_a_year_that_the_program_names_is_typed_where_documents_give_it(
    natural: Naturalness, target: Callable[[str], Target]
) -> None:
    dated = replace(target("written"), parameters=(Parameter("year", "positional"),))
    natural.inputs.note_used(dated, dated.parameters[0], "9377")
    assert natural.typed(dated, "year") == ("2024",)
    far, near = (natural.oddness(Call(dated, (("year", one),))) for one in ("9377", "1999"))
    assert far > near
    mended = Proposals(natural).mended(Call(dated, (("year", "1"),)))
    assert {"2024", "2023"} <= {one.given["year"] for one in mended}
    natural.forget()
    natural.inputs.note(dated, "year", "9377")
    assert natural.typed(dated, "year")[0] == "9377"


def test_years_of_another_calendar_are_typed_where_documents_give_most_others_such_years(
    natural: Naturalness, target: Callable[[str], Target]
) -> None:
    dated, months, others = (
        replace(target(name), parameters=(Parameter("year", "positional"),))
        for name in ("written", "lines", "paid")
    )
    for year in ("5781", "2023", "5783"):
        natural.inputs.note(dated, "year", year)
    assert natural.typed(dated, "year") == ("5781", "5783")
    assert natural.typed(months, "year") == ("5781", "5783"), "of the same file"
    named = replace(months, parameters=(Parameter("theyear", "positional"),))
    assert natural.typed(named, "theyear") == ("5781", "5783"), "a year by any name"
    for year in ("2021", "1986", "2010"):
        natural.inputs.note(others, "year", year)
    natural.forget()
    assert natural.typed(others, "year") == ("2021", "1986", "2010")
    assert natural.typed(months, "year") == ("2024",), "as many of each"
    years = replace(months, parameters=(Parameter("years", "positional"),))
    assert natural.typed(years, "years") == ("2",)


def test_an_option_takes_what_documents_give_under_its_last_words_and_what_is_beside_that(
    natural: Naturalness, target: Callable[[str], Target]
) -> None:
    zoned = replace(target("written"), parameters=(Parameter("zone_number", "positional"),))
    natural.inputs.note(zoned, "zone_number", "32")
    forced = replace(
        target("lines"), parameters=(Parameter("force_zone_number", "positional", "None"),)
    )
    assert natural.typed(forced, "force_zone_number") == ("32",)
    mended = Proposals(natural).mended(Call(forced, (("force_zone_number", "1"),)))
    assert {"32", "33"} <= {one.given["force_zone_number"] for one in mended}
    one, beside, far = (
        natural.oddness(Call(forced, (("force_zone_number", value),)))
        for value in "1 33 47".split()
    )
    assert beside < one <= far


def test_constants_of_a_class_that_a_parameter_takes_are_typed(tmp_path: Path) -> None:
    code = """
        class State:
            open = "open"
            closed = "closed"


        class Icon:
            def __init__(self, state=None):
                self._state = state

            @property
            def state(self):
                '''State of the icon, accepts string from :class:`icons.State` constants.'''
                return self._state

            @state.setter
            def state(self, state):
                self._state = state
        """
    program = write_program(tmp_path, {"icons.py": code})
    targets = find_targets(program, Resolver(program))
    natural = Naturalness(Inputs(program, random.Random(1)), targets)
    icon = next(one for one in targets if one.symbol == "Icon")
    assert natural.typed(icon, "state") == ("State.open", "State.closed")
    costs = [natural.oddness(Call(icon, (("state", one),))) for one in ("State.open", "'a'")]
    assert costs[0] < costs[1]
