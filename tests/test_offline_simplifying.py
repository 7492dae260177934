"""A call becomes one that a person would type, as long as it reaches what it was chosen for."""

from __future__ import annotations

import time
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from jails import best_jail
from offline_program import write_program

from pytest_lift.agents.offline.choosing.selection import Chosen
from pytest_lift.agents.offline.choosing.shrinking.simpler import (
    inside,
    plainer,
    simpler,
    simpler_expressions,
)
from pytest_lift.agents.offline.choosing.shrinking.simplifying import alike, shrink
from pytest_lift.agents.offline.natural.dicts.fewer import fewer_members
from pytest_lift.agents.offline.natural.oddness import oddness
from pytest_lift.agents.offline.natural.renaming import with_letters
from pytest_lift.agents.offline.search.dullness import dullness
from pytest_lift.agents.offline.search.kept import KeptCase
from pytest_lift.agents.offline.search.reach import Reach
from pytest_lift.agents.offline.texts.shaped import SHAPED
from pytest_lift.calls.call import Call, as_line
from pytest_lift.calls.case import Case
from pytest_lift.calls.drafting import as_case
from pytest_lift.calls.names import Resolver
from pytest_lift.calls.prober import Prober
from pytest_lift.calls.targets.finding import find_targets
from pytest_lift.source.program import Program

JOB = """
    class Job:
        def __init__(self, interval):
            self.interval = interval
            self.unit = None

        @property
        def days(self):
            self.unit = "days"
            return self

        def to(self, latest):
            self.latest = latest
            return self

        def at(self, text):
            if self.unit != "days":
                raise ValueError("no unit")
            if not isinstance(text, str):
                raise TypeError("a string is needed")
            return self
"""

BOX = """
    class Box:
        def __init__(self, size):
            self.size = size

        @property
        def double(self):
            return 2 * self.size

        @property
        def triple(self):
            return 3 * self.size

        @property
        def third(self):
            if not self.size:
                raise ValueError("an empty box has no third")
            return self.size / 3
"""
TAG = """
    def tag(name, loud=False):
        return {"tag": name}
"""
PICK = """
    def pick(words, least):
        return [word for word in words if len(word) >= least]
"""


@pytest.mark.parametrize("odd", ["2 + 1j", "2 ** 64", "iter([2])", "range(5)", "'[ne'", "1000"])
def test_odd_values_have_a_plainer_one(odd: str) -> None:
    assert any(oddness(plain) < oddness(odd) for plain in plainer(odd))


@pytest.mark.parametrize("plain", ["1", "'a'", "(1, 2)", "None", "True"])
def test_plain_values_are_not_odd(plain: str) -> None:
    assert oddness(plain) == 0


@pytest.mark.parametrize("odd", ["Decimal", "dict", "sorted"])
def test_other_functions_have_a_plainer_one(odd: str) -> None:
    assert [*plainer(odd)] == ["len", "str"]


def test_what_is_given_to_an_object_in_an_argument_may_go() -> None:
    left = [*simpler_expressions("[Box('a', colour=None, size=2)]")]
    assert {"[Box('a', size=2)]", "[Box('a', colour=None)]"} <= {*left}


def test_the_oddest_argument_is_made_simpler_first(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"pick.py": PICK})
    (pick,) = find_targets(program, Resolver(program))
    call = Call(pick, (("words", "'hello'"), ("least", "iter([1, 2])")))
    changed = (one for one in simpler(call) if one.given["words"] == "'hello'")
    assert next(changed).given["least"] == "1"


def test_types_keep_all_that_they_are_of() -> None:
    assert [*simpler_expressions("dict[str, int]")] == []


def test_bytes_stay_bytes_first_and_inside_of_others() -> None:
    assert [*plainer("b'GET'")] == ["b'a'", "'a'"]
    assert [*plainer("True")] == ["1", "2", "0"]
    assert [*simpler_expressions("(b'GET', 1)")][-1] == "(b'a', 1)"


@pytest.mark.parametrize(
    ("source", "wanted", "empty"),
    [
        ("[[1], 2]", "[[1]]", "[[], 2]"),
        ("{('a', 'b')}", "{('a',)}", "{()}"),
        ("f([1])", "f([])", ""),
        ("{1, 2}", "{1}", ""),
        ("{()}", "set()", ""),
    ],
)
def test_what_is_inside_of_a_container_is_not_emptied(source: str, wanted: str, empty: str) -> None:
    found = [*simpler_expressions(source)]
    assert wanted in found
    assert empty not in found


@pytest.mark.parametrize(
    ("text", "letters"),
    [("[;2]", {"a[b", "a;b", "a]b"}), ("x.y.z", {"a.b.c"}), ("a;b", set()), ("hello", set())],
)
def test_letters_with_a_mark_between_them_take_the_place_of_a_short_text(
    text: str, letters: set[str]
) -> None:
    found = simpler_expressions(f"StringIO({text!r})")
    texts = {one for one in found if SHAPED.fullmatch(one[10:-2])}
    assert texts - {f"StringIO({text!r})"} >= {f"StringIO({one!r})" for one in letters}
    assert letters or not texts


def test_infinite_and_huge_numbers_are_odd() -> None:
    assert oddness("float('inf')") > 2 * oddness("1.5")
    assert {"1", "0", "-1"} <= {*plainer("float('-inf')")}
    assert oddness("2 ** 64") > oddness("2 * 64") + oddness("1000")
    assert {"1000", "100000"} <= {*plainer("2 ** 64")}


def test_texts_in_a_container_become_letters() -> None:
    assert next(plainer("['hello', '', 'cmd_name']")) == "['a', 'b', 'c']"
    assert next(plainer("('hello',)")) == "('a',)"
    assert next(plainer("{'x', 'b'}")) == "{'a', 'b'}"
    for source in ("['a', 'b']", "[1, 'x']", "[]"):
        assert "a" not in next(plainer(source), ""), source


def test_where_the_length_matters_a_word_is_as_long() -> None:
    assert [*plainer("']Y'")][-1] == [*plainer("(1, 2)")][-1] == "'ab'"
    assert [*plainer("'a b'")][-1] == "'abc'"
    assert not {"'ab'", "'abc'"} & {*plainer("'hello!'"), *plainer("[1]"), *plainer("'abc'")}


def test_a_list_loses_its_last_items_first() -> None:
    assert [*simpler_expressions("[1, 2]")][:2] == ["[1]", "[2]"]


@pytest.mark.parametrize(
    ("whole", "fewer"),
    [
        ("{'b': 2, 'a': 1, 'maximum': 5}", ["{'maximum': 5}", "{'a': 1}", "{'b': 2}"]),
        (
            "make({1: 1, 2: 2, 3: 3, 4: 4, 5: 5})",
            ["make({4: 4, 5: 5})", "make({1: 1, 2: 2, 3: 3})"],
        ),
        ("[{}, {'a': {'b': 1, 'c': 2}}]", ["[{}, {'a': {'c': 2}}]", "[{}, {'a': {'b': 1}}]"]),
        ("{'a': 1}", []),
        ("'{a, b}'", []),
    ],
)
def test_a_dict_loses_most_of_its_members_at_once(whole: str, fewer: list[str]) -> None:
    assert [*fewer_members(whole)] == fewer


def test_members_go_before_single_values_are_changed(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"pick.py": PICK})
    (pick,) = find_targets(program, Resolver(program))
    call = Call(pick, (("words", "{'b': 'x', 'a': 1, 'maximum': 5}"), ("least", "1")))
    first = [one.given["words"] for _, one in zip(range(4), simpler(call), strict=False)]
    assert "{'maximum': 5}" in first


def test_a_text_is_exchanged_wherever_a_call_has_it(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"pick.py": PICK, "box.py": BOX})
    targets = {one.symbol: one for one in find_targets(program, Resolver(program))}
    words, box = "['$$', 'a', 'is $$']", Call(targets["Box"], (("size", "{'$$': 'x'}"),))
    call = Call(targets["pick"], (("words", words), ("least", "'$$'")), before=(box,))
    (other,) = with_letters(call)
    assert [*other.values] == [("words", "['b', 'a', 'is $$']"), ("least", "'b'")]
    assert other.before[0].given["size"] == "{'b': 'x'}"
    assert other in simpler(call)
    assert [*with_letters(call.but(before=()).with_value("least", "'x'"))] == []


def test_a_letter_takes_the_place_of_an_accented_one_inside_of_others() -> None:
    assert "['a']" in simpler_expressions("['é']")
    assert "['a']" not in simpler_expressions("['b']")


def test_a_dict_takes_the_place_of_what_is_used_like_one() -> None:
    assert [*plainer("OrderedDict(a=1, b=2)")][:2] == ["{'a': 1}", "{}"]


def test_large_numbers_become_round_ones() -> None:
    assert [*simpler_expressions("2147418113")] == ["1", "2", "10", "100", "1000"]
    assert [*simpler_expressions("-0.3333333333333333")] == ["-0.3", "-0.33", "-0.333"]
    assert [*simpler_expressions("1.5")] == ["1", "2"]
    assert [*simpler_expressions("0.5")] == []


@pytest.mark.parametrize("same", ["[1]", "[1, 1]", "{'b'}"])
def test_a_list_with_nothing_to_tell_apart_is_odd(same: str) -> None:
    assert oddness(same) > oddness("[1, 2]") == oddness("{'a': 1}")


def shrunk(program: Program, root: Path, call: Call, shown: frozenset[int] = frozenset()) -> str:
    """Returns the source of a case that was made simpler; other cases reach the probes `shown`."""
    resolver, prober = Resolver(program), Prober(root, program, best_jail())
    case = as_case(call, resolver)
    assert case is not None
    seen = prober.observe([case], 10)[case.key]
    item = Chosen(KeptCase(case, seen, call), seen.hits - shown)
    until = time.monotonic() + 10
    (found,) = shrink([item], prober, lambda c: as_case(c, resolver), until)
    return found.kept.case.source


def test_a_date_stays_without_which_the_clock_is_asked(tmp_path: Path) -> None:
    text = """
        import datetime


        def stamp(day=None, sign="-"):
            given = filter(None, (day, datetime.date.today()))
            return f"{sign}{next(given).isoformat()}"
        """
    program = write_program(tmp_path, {"stamps.py": text})
    (target,) = find_targets(program, Resolver(program))
    call = Call(target, (("day", "datetime.date(2024, 2, 29)"), ("sign", "'?!'")))
    assert shrunk(program, tmp_path, call) == "stamp(day=datetime.date(2024, 2, 29))"


def test_noise_goes_and_what_is_needed_stays(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"job.py": JOB})
    calls = {target.symbol: Call(target) for target in find_targets(program, Resolver(program))}
    made = calls["Job"].with_value("interval", "1000")
    days = as_line(Call(calls["Job.days"].target, receiver=made, name="job"))
    again = as_line(Call(calls["Job.days"].target, receiver=made, name="job"))
    at = Call(
        calls["Job.at"].target, (("text", "2 + 1j"),), receiver=made, name="job",
        before=(days, again),
    )  # fmt: skip
    assert shrunk(program, tmp_path, at) == "job = Job(1).days\njob.at(1)"


def test_a_statement_may_go_after_which_the_object_is_all_that_there_is(tmp_path: Path) -> None:
    text = """
        class Box:
            def __setitem__(self, key, value):
                self.key = key
        """
    program = write_program(tmp_path, {"boxes.py": text})
    made, setting = map(Call, find_targets(program, Resolver(program)))
    put = setting.with_value("key", "1").with_value("value", "2")
    assert made in [*simpler(replace(put, receiver=made, name="box"))]


def test_a_letter_takes_the_place_of_an_object_that_the_story_makes(tmp_path: Path) -> None:
    text = """
        class Box:
            def put(self, value):
                self.value = value
        """
    program = write_program(tmp_path, {"boxes.py": text})
    made, putting = map(Call, find_targets(program, Resolver(program)))
    other = made.but(bound="other")
    put = putting.with_value("value", "other")
    call = put.but(receiver=made, name="box", before=(other, put.but(subject="box")))
    last = call.with_value("value", "'a'")
    first = call.but(before=(other, call.before[1].with_value("value", "'a'")))
    assert [last in simpler(call), first in simpler(call)] == [True, True]


RULES = """
    class Rules(dict):
        def copy(self):
            return Rules(self)

        @property
        def kept(self):
            return self


    def checked(rules, name):
        if name not in rules:
            return "unknown"
        return rules[name]
"""
LINE_OF_CHECKED = 10


@pytest.mark.parametrize("made", ["Rules({'size': 3}).copy()", "Rules({'size': 3}).kept"])
def test_an_object_gives_way_to_what_it_is_made_of(tmp_path: Path, made: str) -> None:
    program = write_program(tmp_path, {"rules.py": RULES})
    targets = {one.symbol: one for one in find_targets(program, Resolver(program))}
    call = Call(targets["checked"], (("rules", made), ("name", "'size'")))
    prober = Prober(tmp_path, program, best_jail())
    in_copies = (n for n, site in enumerate(prober.sites) if site.probe.line < LINE_OF_CHECKED)
    shown = frozenset(in_copies)
    assert shrunk(program, tmp_path, call, shown) == "checked({'a': 3}, 'a')"


def test_what_an_object_is_made_of_has_something_in_it() -> None:
    found = inside("of([], {'a': [1, 2]}, (), key=(3,)).root")
    assert [*found] == ["{'a': [1, 2]}", "[1, 2]", "(3,)"]
    assert [*inside("[f([1])]")] == [*inside("'f([1])'")] == []


def test_what_is_furthest_from_what_a_person_types_has_its_turn_first(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"tag.py": TAG, "pick.py": PICK})
    resolver, prober = Resolver(program), Prober(tmp_path, program, best_jail())
    pick, tag = find_targets(program, resolver)
    plain = Call(pick, (("words", "['hello']"), ("least", "3")))
    odd = Call(tag, (("name", "'a?b!c'"), ("loud", "2 ** 64 - 1")))
    cases = {call: case for call in (plain, odd) if (case := as_case(call, resolver))}
    seen = prober.observe([*cases.values()], 10)
    kept = [KeptCase(case, seen[case.key], call) for call, case in cases.items()]
    turns: list[str] = []

    def write(call: Call) -> Case | None:
        turns.append(call.target.symbol)
        return as_case(call, resolver)

    shrink([Chosen(one, one.seen.hits) for one in kept], prober, write, time.monotonic() + 10)
    assert turns[0] == "tag"
    assert turns.index("pick") <= 3, "the others have a turn before one has a second"


def test_calls_in_the_place_of_a_case_are_made_once_in_all_its_turns(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"pick.py": PICK})
    resolver, prober = Resolver(program), Prober(tmp_path, program, best_jail())
    (target,) = find_targets(program, resolver)
    call = Call(target, (("words", "['hello']"), ("least", "3")))
    case = as_case(call, resolver)
    assert case is not None
    seen = prober.observe([case], 10)[case.key]
    begun: list[str] = []

    def others(kept: KeptCase) -> list[Call]:
        begun.append(kept.case.key)
        return [call] * 100

    write = partial(as_case, resolver=resolver)
    item = Chosen(KeptCase(case, seen, call), seen.hits)
    shrink([item], prober, write, time.monotonic() + 10, others)
    assert len(begun) == len(set(begun))


def test_a_dull_case_gives_way_to_one_that_shows_something(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"pick.py": PICK})
    resolver, prober = Resolver(program), Prober(tmp_path, program, best_jail())
    (target,) = find_targets(program, resolver)
    empty = Call(target, (("words", "[]"), ("least", "2")))
    full = Call(target, (("words", "['one', 'b']"), ("least", "2")))
    cases = {call: case for call in (empty, full) if (case := as_case(call, resolver))}
    seen = prober.observe(list(cases.values()), 10)[cases[empty].key]
    item = Chosen(KeptCase(cases[empty], seen, empty), frozenset())
    item = replace(item, kept=replace(item.kept, goals=frozenset({"answer pick.py:pick"})))
    until = time.monotonic() + 10
    (found,) = shrink([item], prober, lambda c: as_case(c, resolver), until, lambda _: [full])
    assert dullness(found.kept.case, found.kept.seen) == 0, found.kept.case.source


@pytest.mark.parametrize(
    ("odd", "plain"),
    [
        ({"name": "b'abc'"}, "tag('a')"),
        ({"name": "True"}, "tag(1)"),
        ({"name": "[b'abc', 'some words']"}, "tag('a')"),
        ({"name": "'a'", "loud": "True"}, "tag('a')"),
    ],
)
def test_a_plain_value_takes_the_place_of_an_odd_one(
    tmp_path: Path, odd: dict[str, str], plain: str
) -> None:
    program = write_program(tmp_path, {"tag.py": TAG})
    (target,) = find_targets(program, Resolver(program))
    assert shrunk(program, tmp_path, Call(target, tuple(odd.items()))) == plain


def test_input_goes_as_a_whole_first(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"say.py": "def main():\n    print(input())\n"})
    (main,) = find_targets(program, Resolver(program))
    call = Call(main, argv=("say",), stdin="a")
    assert next(simpler(call)).stdin == ""


def test_properties_of_a_class_are_read_from_equal_objects(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"box.py": BOX})
    resolver, prober = Resolver(program), Prober(tmp_path, program, best_jail())
    targets = {target.symbol: target for target in find_targets(program, resolver)}
    items = []
    for name, size in (("double", "2"), ("triple", "3"), ("third", "0")):
        made = Call(targets["Box"], (("size", size),))
        call = Call(targets[f"Box.{name}"], receiver=made, name="box")
        case = as_case(call, resolver)
        assert case is not None
        seen = prober.observe([case], 10)[case.key]
        items.append(Chosen(KeptCase(case, seen, call), seen.hits))
    found = alike(items, prober, lambda call: as_case(call, resolver), 10)
    assert [item.kept.case.source.splitlines()[0] for item in found] == [
        "box = Box(2)",
        "box = Box(2)",
        "box = Box(0)",
    ]


JAR = """
    class Jar:
        def __init__(self, size=1):
            self.size = size

        def fill(self, share):
            if share > 1:
                raise ValueError("more than all")

        def label(self, text):
            if not text:
                raise ValueError("no text")
"""


def test_what_objects_refuse_is_given_to_equal_ones(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"jar.py": JAR})
    resolver, prober = Resolver(program), Prober(tmp_path, program, best_jail())
    targets = {target.symbol: target for target in find_targets(program, resolver)}
    items = []
    for name, parameter, value, size in (
        ("fill", "share", "2", "3"),
        ("label", "text", "''", "1"),
        ("fill", "share", "1", "3"),
    ):
        made = Call(targets["Jar"], (("size", size),))
        call = Call(targets[f"Jar.{name}"], ((parameter, value),), receiver=made, name="jar")
        case = as_case(call, resolver)
        assert case is not None
        seen = prober.observe([case], 10)[case.key]
        items.append(Chosen(KeptCase(case, seen, call), frozenset()))
    *refused, accepted = alike(items, prober, lambda call: as_case(call, resolver), 10)
    assert len({item.kept.case.source.splitlines()[0] for item in refused}) == 1
    assert accepted == items[-1]


def test_a_test_that_touches_no_file_has_no_folder(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"tag.py": TAG})
    (target,) = find_targets(program, Resolver(program))
    call = Call(target, (("name", "'a'"),), folder=True)
    resolver, prober = Resolver(program), Prober(tmp_path, program, best_jail())
    case = as_case(call, resolver)
    assert case is not None
    seen = prober.observe([case], 10)[case.key]
    items = [Chosen(KeptCase(case, seen, call), seen.hits)]
    (found,) = shrink(items, prober, lambda c: as_case(c, resolver), time.monotonic() + 10)
    assert case.placed
    assert not found.kept.case.placed


def test_nothing_that_does_not_fit_takes_the_place_of_what_does(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"tag.py": TAG})
    (target,) = find_targets(program, Resolver(program))
    call = Call(target, (("name", "'some-longer-text'"),))
    resolver, prober = Resolver(program), Prober(tmp_path, program, best_jail())
    case = as_case(call, resolver)
    assert case is not None
    item = Chosen(KeptCase(case, prober.observe([case], 10)[case.key], call), frozenset({0}))
    until = time.monotonic() + 10
    write = partial(as_case, resolver=resolver)
    (plain,) = shrink([item], prober, write, until)
    (same,) = shrink([item], prober, write, until, may_replace=lambda *_: False)
    assert plain.kept.call != call
    assert same.kept.call == call


UNITS = """
    class Job:
        def __init__(self, interval):
            self.interval = interval

        @property
        def day(self):
            if self.interval != 1:
                raise ValueError("use days")
            return "day"

        @property
        def hour(self):
            if self.interval != 1:
                raise ValueError("use hours")
            return "hour"

    def every(interval=1):
        return Job(interval)
"""


def test_failing_properties_are_read_from_equal_objects_whatever_made_them(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"units.py": UNITS})
    resolver, prober = Resolver(program), Prober(tmp_path, program, best_jail())
    targets = {target.symbol: target for target in find_targets(program, resolver)}
    reach, items = Reach(program, prober.sites), []
    for name, maker, value in (("day", "Job", "5"), ("hour", "every", "7"), ("hour", "every", "1")):
        made = Call(targets[maker], (("interval", value),))
        call = Call(targets[f"Job.{name}"], receiver=made, name="job")
        case = as_case(call, resolver)
        assert case is not None
        seen = prober.observe([case], 10)[case.key]
        own = frozenset(reach.of_target(call.target)) & seen.hits
        items.append(Chosen(KeptCase(case, seen, call), own))
    found = alike(items, prober, lambda call: as_case(call, resolver), 10)
    heads = [item.kept.case.source.splitlines()[0] for item in found]
    assert heads == ["job = Job(5)", "job = Job(5)", "job = every(interval=1)"]
