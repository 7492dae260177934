"""What a test gives and does plays a part in what it asserts in the end."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from jails import best_jail
from offline_program import write_program

from pytest_lift.agents.offline.docstrings.intents import Intents
from pytest_lift.agents.offline.needed.kept_values import KeptValue, tables_of
from pytest_lift.agents.offline.needed.needed import _Idle, _NeededParts, only_needed
from pytest_lift.agents.offline.needed.parted import calls_apart
from pytest_lift.agents.offline.needed.rerun import Rewritten, as_case, with_lines
from pytest_lift.agents.offline.needed.shown_options import with_options_shown
from pytest_lift.agents.offline.needed.smaller import smaller_cases
from pytest_lift.agents.offline.needed.unrelated import without_unrelated_looks
from pytest_lift.agents.offline.printing.functions import print_test
from pytest_lift.agents.offline.writing.grouping import PlannedTest
from pytest_lift.agents.offline.writing.links import Linker
from pytest_lift.agents.offline.writing.oracles.checks import StepCheck, Verified
from pytest_lift.agents.offline.writing.oracles.verifying import verify
from pytest_lift.calls.case import Case, Observation, Origin, Step
from pytest_lift.calls.names import Resolver
from pytest_lift.calls.prober import Prober
from pytest_lift.requirements.requirement import Requirements
from pytest_lift.source.program import Program

SHOP = """
    class Shop:
        def __init__(self, name="shop", *, limit=0, strict=False):
            self.name, self.limit, self.strict = name, limit, strict
            self.offers = []
            self.hidden = []

        def offer(self, thing, note=None):
            if self.strict and not thing:
                raise ValueError("nothing to offer")
            self.offers.append(thing)

        def drop(self, thing):
            if thing in self.offers:
                self.offers.remove(thing)
            return len(self.offers)

        def hide(self, thing):
            if thing and self.name:
                self.hidden.append(thing)

        def count(self):
            return len(self.offers)

        def __enter__(self):
            return self

        def __exit__(self, *_):
            with open("offers.txt", "w", encoding="utf-8") as file:
                file.write(",".join(self.offers))


    def wrapped(thing):
        return thing


    class Till:
        def __init__(self, coins, notes=()):
            self.coins, self.notes = coins, notes

        def total(self):
            return sum(self.coins)


    def opened(till):
        return till.coins[:1]


    def checked(text, level=1):
        if level == 2:
            if text == "x":
                return 1
            for _ in text:
                if _ == "y":
                    return 2
        return len(text)


    def refused(text, line=0):
        if not text:
            raise ValueError("no text in line %s" % line)
"""
OWN = frozenset(
    {"Shop", "offer", "drop", "hide", "count", "wrapped", "checked", "Till", "total", "opened"}
    | {"refused"}
)
IMPORTS = (
    "from types import SimpleNamespace",
    *(
        f"from shop import {name}"
        for name in ("Shop", "wrapped", "checked", "Till", "opened", "refused")
    ),
)


@pytest.fixture
def program(tmp_path: Path) -> Program:
    return write_program(tmp_path, {"shop.py": SHOP})


@pytest.fixture
def prober(tmp_path: Path, program: Program) -> Prober:
    return Prober(tmp_path, program, best_jail())


def verified(
    prober: Prober,
    *several: Sequence[str],
    symbol: str = "Shop.count",
    place: str = "shop.py",
    imports: tuple[str, ...] = IMPORTS,
    origin: Origin = "searched",
) -> list[Verified]:
    """Returns the cases of lines; those that end in ``?`` are looked at."""
    items = []
    for lines in several:
        steps = tuple(Step(line.rstrip("?"), check=line.endswith("?")) for line in lines)
        case = Case(place, symbol, steps, imports, origin)
        seen = prober.observe([case], 10)[case.key]
        item = verify(case, seen, prober.program, Resolver(prober.program))
        assert item is not None
        items.append(item)
    return items


def needed(
    prober: Prober, *several: Sequence[str], symbol: str = "Shop.count", tested: bool = True
) -> list[list[str]]:
    """Returns the lines that are left of cases; `tested` is whether what they reach is tested."""
    items = verified(prober, *several, symbol=symbol)
    branches = frozenset(range(len(prober.sites)))
    found, _ = only_needed(items, prober, OWN, branches, branches if tested else frozenset())
    return [[check.expression for check in one.checks] for one in found]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (["Shop(limit=3).count()?"], ["Shop().count()"]),
        (["Shop('a').count()?"], ["Shop().count()"]),
        (["shop = Shop(limit=3)", "shop.count()?"], ["shop = Shop()", "shop.count()"]),
        (["checked(wrapped('ab'))?"], ["checked('ab')"]),
        (["opened(Till([1, 2], {'a': 3}))?"], ["opened(Till([1, 2]))"]),
        (["checked(opened(Till([], [1, 2])))?"], ["checked(opened(Till([])))"]),
        (
            ["till = Till([[2, 3]], [1])", "isinstance(opened(till), list)?"],
            ["till = Till([])", "isinstance(opened(till), list)"],
        ),
        (
            ["shop = Shop()", "shop.hide('b')", "shop.offer('a', 'note')", "shop.count()?"],
            ["shop = Shop()", "shop.offer('a')", "shop.count()"],
        ),
        (
            ["opened(SimpleNamespace(coins=[1, 2], notes='a', name='b'))?"],
            ["opened(SimpleNamespace(coins=[1, 2]))"],
        ),
        (["Shop(name='a', limit=2, strict=True).name?"], ["Shop(name='a').name"]),
    ],
)
def test_what_plays_no_part_goes(prober: Prober, before: list[str], after: list[str]) -> None:
    assert needed(prober, before) == [after]


@pytest.mark.parametrize(
    "lines",
    [
        ["shop = Shop()", "shop.offer('a')", "shop.drop('a')", "shop.count()?"],  # taken away again
        ["Shop(strict=True).offer('')?"],
        ["checked('y', level=2)?"],
        ["wrapped(wrapped('a'))?"],
        ["type(wrapped(Till([]))).__name__ in ('Till', 'list')?"],  # an object is what is taken
        ["Till([0]).total()?"],  # what it has in it is what is asked
    ],
)
def test_what_plays_a_part_stays(prober: Prober, lines: list[str]) -> None:
    symbol = "wrapped" if "wrapped" in lines[0] else "Shop.count"
    assert needed(prober, lines, symbol=symbol) == [[line.rstrip("?") for line in lines]]


def test_an_option_goes_that_changes_nothing_but_what_is_not_asserted_of_a_message(
    prober: Prober,
) -> None:
    (item,) = verified(prober, ["refused('', line=7)?"], symbol="refused")
    (found,), _ = only_needed([item], prober, OWN, frozenset())
    (check,) = found.checks
    assert (check.expression, check.match) == ("refused('')", "no text in line")
    assert check.raised is not None
    assert check.raised.message == "no text in line 0"


def test_a_function_goes_with_the_argument_that_named_it(prober: Prober) -> None:
    (item,) = verified(prober, ["def named():\n    return 'a'", "Shop(named).count()?"])
    drafts = [[check.expression for check in one.item.checks] for one in smaller_cases(item, OWN)]
    assert drafts == [["Shop().count()"]]


def test_only_little_that_is_reached_may_go(prober: Prober) -> None:
    one = ["checked('ab', level=2)?"]
    assert needed(prober, one, symbol="checked", tested=False) == [["checked('ab', level=2)"]]
    assert needed(prober, one, symbol="checked") == [["checked('ab')"]]


def test_a_case_that_lost_what_it_is_about_goes(prober: Prober) -> None:
    lines = ["shop = Shop()", "shop.hide('b')", "shop.name?"]
    assert needed(prober, lines, symbol="Shop.hide") == []
    assert needed(prober, lines, symbol="Shop") == [["shop = Shop()", "shop.name"]]
    deleted = ["shop = Shop()", "others = {'a': 1}", "del others['a']", "shop.name?"]
    assert needed(prober, deleted, symbol="Shop.__delitem__") == []


def test_a_case_that_lost_what_it_is_about_is_about_its_class(prober: Prober) -> None:
    lines = ["shop = Shop()", "shop.hide('b')", "shop.name?"]
    items = verified(prober, lines, symbol="Shop.hide")
    counted = frozenset(range(len(prober.sites))) - items[0].hits
    made = prober.observe([as_case(replace(items[0], checks=items[0].checks[::2]))], 10)
    (seen,) = made.values()
    found, _ = only_needed(items, prober, OWN, counted | seen.hits)
    assert [(one.case.symbol, len(one.checks)) for one in found] == [("Shop", 2)]


def test_files_that_nothing_reads_go(prober: Prober) -> None:
    files = {"a.txt": "hello"}
    steps = (Step("Shop(limit=3).count()", check=True),)
    case = Case("shop.py", "Shop.count", steps, IMPORTS, files=files, folder=True, argv=("a",))
    seen = prober.observe([case], 10)[case.key]
    item = verify(case, seen, prober.program, Resolver(prober.program))
    assert item is not None
    (one,), _ = only_needed([item], prober, OWN, frozenset())
    assert not one.case.placed
    assert [check.expression for check in one.checks] == ["Shop().count()"]

    read = replace(case, steps=(Step("checked(open('a.txt').read())", check=True),))
    seen = prober.observe([read], 10)[read.key]
    item = verify(read, seen, prober.program, Resolver(prober.program))
    assert item is not None
    (one,), _ = only_needed([item], prober, OWN, frozenset())
    assert (one.case.files, one.case.argv) == (files, None)


def test_a_documented_case_loses_what_it_defines_in_vain(prober: Prober) -> None:
    lines = ["class Market(Shop, Sized):\n    ...", "Shop(limit=3).count()?"]
    imports = (*IMPORTS, "from typing import Sized")
    items = verified(prober, lines, imports=imports, origin="documented")
    (one,), _ = only_needed(items, prober, OWN, frozenset())
    assert [check.expression for check in one.checks] == ["Shop(limit=3).count()"]


def test_what_a_documented_case_does_last_still_makes_a_difference(prober: Prober) -> None:
    lines = ["shop = Shop()", "shop.offer('a')", "shop.offer('b')", "shop.offers.clear()"]
    items = verified(prober, [*lines, "shop.count()?"], imports=IMPORTS, origin="documented")
    (one,), _ = only_needed(items, prober, OWN, frozenset())
    found = [check.expression for check in one.checks]
    assert found in ([lines[0], lines[1], *lines[3:], "shop.count()"],
                     [lines[0], *lines[2:], "shop.count()"])  # fmt: skip
    items = verified(prober, ["shop = Shop()", "hash(shop)", "shop.count()?"], imports=IMPORTS,
                     origin="documented")  # fmt: skip
    (one,), _ = only_needed(items, prober, OWN, frozenset())
    assert [check.expression for check in one.checks] == ["shop = Shop()", "shop.count()"]


def test_options_that_went_are_not_in_the_name(prober: Prober) -> None:
    (item,) = verified(prober, ["Shop(limit=3).count()?"])
    case = replace(item.case, keywords=("limit",))
    (bare,) = verified(prober, ["Shop().count()?"])
    shorter = with_lines(replace(item, case=case), bare.checks)
    assert (shorter.case.keywords, shorter.case.source) == ((), "Shop().count()")


BOX = """
    class Box:
        def __init__(self, width=1, colour="red", label="box"):
            self.width = 2 if width == 2 else width
            self.colour = "green" if colour == "green" else colour
            self.label = "x" if label == "x" else label
        def area(self):
            return 7


    class Tray:
        def __setattr__(self, name, value):
            if name == "depth":
                value = abs(value)
            if name == "rim":
                value = value or None
            if name == "label":
                value = str(value)
            super().__setattr__(name, value)
"""


@pytest.fixture
def boxes(tmp_path: Path) -> Prober:
    return Prober(tmp_path, write_program(tmp_path, {"box.py": BOX}), best_jail())


def in_table(prober: Prober, *several: Sequence[str]) -> tuple[list[list[str]], str]:
    """Returns the lines that are left of cases, and the tables of what objects keep."""
    imports = ("from box import Box", "from box import Tray")
    items = verified(prober, *several, place="box.py", symbol="Box.area", imports=imports)
    branches = frozenset(range(len(prober.sites)))
    found, kept = only_needed(items, prober, {"Box", "area"}, branches, classes={"Box", "Tray"})
    plans = tables_of(kept, Linker(Requirements(), prober.program))
    intents = Intents(prober.program, Requirements())
    tables = "\n".join(print_test(plan, intents).text for plan in plans)
    return [[check.expression for check in one.checks] for one in found], tables


def test_options_that_objects_only_keep_are_rows_of_one_table(boxes: Prober) -> None:
    cases = [["Box(width=2).area()?"], ["Box(colour='green').area()?"], ["Box(label='x').area()?"]]
    left, table = in_table(boxes, *cases)
    assert left == [["Box().area()"]] * 3
    assert 'def test_box_keeps_options(name, value):\n    """Box has each option' in table
    assert '("width", 2),\n        ("colour", "green"),' in table
    assert "box = Box(**{name: value})\n    assert getattr(box, name) == value" in table


def test_few_options_are_no_table(boxes: Prober) -> None:
    left, table = in_table(boxes, ["Box(width=2).area()?"], ["Box(colour='green').area()?"])
    assert not table
    assert left == [["Box(width=2).area()"], ["Box().area()"]], "one branch may go"


def test_what_is_set_and_read_back_is_a_row(boxes: Prober) -> None:
    rows = (("depth", "3"), ("rim", "4"), ("label", "'b'"))
    cases = [["tray = Tray()", f"tray.{name} = {value}", f"tray.{name}?"] for name, value in rows]
    left, table = in_table(boxes, *cases)
    assert left == []
    assert "def test_tray_keeps_what_is_set(name, value):" in table
    assert "    setattr(tray, name, value)\n    assert getattr(tray, name) == value" in table


def test_a_documented_object_shows_its_options(boxes: Prober) -> None:
    imports = ("from box import Box",)
    how = {"place": "box.py", "symbol": "Box", "imports": imports, "origin": "documented"}
    (item,) = verified(boxes, ["box = Box(width=4, colour='blue')", "box?"], **how)  # type: ignore[arg-type]
    (check,) = [one for one in item.checks if one.form != "none"]
    assert check.form == "attributes"
    plain = replace(check, attributes=(("label", "'box'"),))
    usual = replace(item, checks=(item.checks[0], plain))
    (one,) = with_options_shown([usual], boxes, {"Box"})
    assert [(look.expression, look.expected) for look in one.checks[1:]] == [
        ("box.width", "4"),
        ("box.colour", "'blue'"),
    ]
    looks = replace(item, checks=(item.checks[0], StepCheck("equals", "box.label", "'box'")))
    assert with_options_shown([looks], boxes, {"Box"}) == [one]
    asked = replace(item, checks=(item.checks[0], StepCheck("equals", "box.area()", "7")))
    assert with_options_shown([asked], boxes, {"Box"}) == [asked]
    assert with_options_shown([item], boxes, {"Box"}) == [item], "it shows them"
    assert with_options_shown([usual], boxes, {"Tray"}) == [usual]
    assert [step.source for step in one.case.steps] == [look.expression for look in one.checks]
    assert with_options_shown([usual], boxes, {"Box"}, {usual.case.key}) == [usual]
    assert with_options_shown([usual], boxes, {"Box"}, until=time.monotonic()) == [usual]
    nothing = replace(item, checks=())
    assert with_options_shown([nothing], boxes, {"Box"}) == [nothing]


@pytest.mark.parametrize(
    "look",
    [Step("box.label", check=True, want="'box'"), Step("box.label", check=True)],
    ids=["shown", "asked"],
)
def test_what_the_document_looks_at_stays(boxes: Prober, look: Step) -> None:
    case = Case("box.py", "Box", (Step("box = Box(width=4)"), look), (), "documented")
    case = replace(case, imports=("from box import Box",))
    seen = boxes.observe([case], 10)[case.key]
    item = verify(case, seen, boxes.program, Resolver(boxes.program))
    assert item is not None
    assert item.checks[1].expression == "box.label"
    assert with_options_shown([item], boxes, {"Box"}) == [item]


def test_the_arguments_of_what_keeps_an_option_stay_as_they_are() -> None:
    case = Case("box.py", "Box", ())
    one = KeptValue(case, "box", "Box('(, ')", "given", "width", "2")
    assert one.checks[0].expression == "box = Box('(, ', width=2)"
    plain = KeptValue(case, "box", "Box()", "given", "width", "2")
    assert plain.checks[0].expression == "box = Box(width=2)"


def many(prober: Prober, number: int, until: float) -> _NeededParts:
    """Returns cases, each of which alone reaches something, with a part that is not needed."""
    (item,) = verified(prober, ["Shop(limit=3).count()?"])
    items = [replace(item, hits=frozenset({n})) for n in range(number)]
    seen = Observation((), frozenset())
    idle = [_Idle(Rewritten(item, 3), seen)] * 10
    costly = dict.fromkeys(range(number), idle)
    return _NeededParts(items, prober, OWN, frozenset(range(number)), until, costly=costly)


def test_what_a_part_costs_does_not_depend_on_the_number_of_cases(prober: Prober) -> None:
    def seconds(number: int) -> float:
        parts = many(prober, number, time.monotonic() + 60)
        began = time.process_time()
        assert parts.give_up(0) == 0
        return time.process_time() - began

    few, more = (min(seconds(number) for _ in range(3)) for number in (400, 4000))
    assert more < 40 * few  # it would be a hundred times


def test_probes_of_two_cases_are_alone_when_one_has_lost_them(prober: Prober) -> None:
    first, second = verified(prober, ["Shop(limit=3).count()?"], ["Shop().count()?"])
    both = [replace(one, hits=frozenset({1})) for one in (first, second)]
    idle = _Idle(Rewritten(both[0], 3), Observation((), frozenset()))
    parts = _NeededParts(both, prober, OWN, frozenset({1}), time.monotonic() + 60)
    assert parts._lost(0, idle) == set()
    parts._take(0, idle)
    assert parts._lost(1, idle) == {1}


def test_nothing_is_tried_when_the_time_is_over(prober: Prober) -> None:
    items = verified(prober, ["Shop(limit=3).count()?"])
    late = only_needed(items, prober, OWN, frozenset(), until=time.monotonic())
    assert late == (items, {})
    parts = _NeededParts(items, prober, OWN, frozenset(), time.monotonic() + 60)
    parts.begin([0])
    assert parts.open == [0]
    parts.until = time.monotonic() - 1
    parts.round()
    assert (parts.open, parts.costly) == ([], {})
    assert parts._left() == 0


def test_a_case_without_a_part_is_as_doubtful_as_before(prober: Prober) -> None:
    (item,) = verified(prober, ["shop = Shop()", "shop.hide(1)", "shop.count()?"])
    doubtful = replace(item, case=replace(item.case, doubtful=True))
    shorter = with_lines(doubtful, [doubtful.checks[0], doubtful.checks[-1]])
    assert shorter.case.key != doubtful.case.key
    assert shorter.case.doubtful


def test_a_block_has_no_line_and_leaves_no_variable_for_nothing(
    prober: Prober, program: Program
) -> None:
    block = (
        "with Shop() as shop:\n    shop.hide('x')\n    shop.hidden\n    result = shop.offer('a')"
    )
    steps = (Step(block), Step("result", check=True))
    case = Case("shop.py", "Shop.offer", steps, IMPORTS, folder=True)
    seen = prober.observe([case], 10)[case.key]
    item = verify(case, seen, program, Resolver(program))
    assert item is not None
    ((one,), _) = only_needed([item], prober, OWN, frozenset())
    linker = Linker(Requirements(()), program)
    plan = PlannedTest((one,), linker.link(one.case, one.checks), "steps")
    text = print_test(plan, Intents(program, Requirements(()))).text
    assert "After shop.offer('a') inside of Shop() as shop, offers.txt holds 'a'." in text
    assert text.endswith(
        '    with Shop() as shop:\n        shop.offer("a")\n'
        '    assert (tmp_path / "offers.txt").read_text(encoding="utf-8") == "a"'
    )


def test_what_earlier_calls_did_is_no_effect_of_one_that_gives_nothing(prober: Prober) -> None:
    begin = ["shop = Shop()", "shop.offer('a')"]
    several = [
        [*begin, "shop.drop('b')?", "shop.count()?"],
        [*begin, "shop.drop('a')?", "shop.count()?"],
        [*begin, "wrapped('b')?", "shop.count()?"],
    ]
    items = verified(prober, *several, symbol="Shop.drop")
    items[2] = replace(items[2], case=replace(items[2].case, symbol="wrapped"))
    found = without_unrelated_looks(items, prober)
    assert [len(one.checks) for one in found] == [4, 4, 3]
    assert found[2].checks[-1].expression == "wrapped('b')"


def apart(prober: Prober, *several: Sequence[str]) -> list[tuple[str, list[str]]]:
    """Returns what the cases of lines are about, and their lines, with their calls apart."""
    items = verified(prober, *several, symbol="wrapped")
    places = {f"Shop.{name}": "shop.py" for name in ("offer", "drop", "hide", "count")}
    branches = frozenset(range(len(prober.sites)))
    found = calls_apart(items, prober, Resolver(prober.program), places, branches)
    return [(one.case.symbol, [check.expression for check in one.checks]) for one in found]


def test_a_call_on_the_way_that_reaches_something_is_a_test_of_its_own(prober: Prober) -> None:
    lines = ["shop = Shop()", "shop.drop('a')", "result = wrapped('b')", "result?"]
    assert apart(prober, lines) == [
        ("wrapped", ["shop = Shop()", "result = wrapped('b')", "result"]),
        ("Shop.drop", ["shop = Shop()", "shop.drop('a')"]),
    ]


@pytest.mark.parametrize(
    "several",
    [
        [["shop = Shop()", "shop.offer('a')", "shop.count()?"]],
        [["shop = Shop()", "shop.hide('a')", "wrapped('b')?"]],
        [
            ["shop = Shop()", "shop.drop('a')", "wrapped('b')?"],
            ["shop = Shop()", "shop.drop('a')?"],
        ],
    ],
    ids=["it is needed", "it gives nothing to assert", "another case shows it"],
)
def test_a_call_on_the_way_stays_there(prober: Prober, several: list[list[str]]) -> None:
    assert len(apart(prober, *several)) == len(several)
