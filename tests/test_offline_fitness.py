"""Which arguments fit a parameter, and which ones nothing speaks for."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from offline_program import write_program

from pytest_lift.agents.offline.arguments.inputs import Inputs
from pytest_lift.agents.offline.natural.naturalness import Naturalness
from pytest_lift.agents.offline.natural.proposing import Proposals
from pytest_lift.calls.call import Call
from pytest_lift.calls.names import Resolver
from pytest_lift.calls.targets.finding import find_targets
from pytest_lift.calls.targets.target import Target

SHOP = """
    class Finder:
        def __init__(self, depth=1):
            self.depth = depth

    class Trail:
        def __init__(self, parts):
            self.parts = parts

        def __getitem__(self, index):
            return self.parts[index]

    def looked_up(lookup):
        if isinstance(lookup, str):
            lookup = lookup.split(".")
        elif isinstance(lookup, list):
            lookup = list(lookup)
        return [key for key in lookup if key]

    def grouped(name: str | Callable[[], str] | None = None):
        return name if not callable(name) else name()

    def merged(first, actions):
        return [first, actions]

    def chained(first):
        return [*first]

    def joined(*parts):
        return [part for part in parts]

    def noted(*parts: str):
        return " ".join(parts)
"""


@pytest.fixture
def shop(tmp_path: Path) -> tuple[Naturalness, dict[str, Target]]:
    program = write_program(tmp_path, {"shop.py": SHOP})
    targets = find_targets(program, Resolver(program))
    natural = Naturalness(Inputs(program, random.Random(1)), targets)
    return natural, {target.symbol: target for target in targets}


def test_an_object_of_the_program_does_not_fit_where_plain_values_are_taken(
    shop: tuple[Naturalness, dict[str, Target]],
) -> None:
    natural, targets = shop
    call = Call(targets["looked_up"], (("lookup", "'a'"),))
    assert natural.misfit(call) == 0
    assert natural.misfit(call.with_value("lookup", "Finder()")) == 1
    assert natural.misfit(call.with_value("lookup", "Trail(['a'])")) == 0  # it has items


def test_a_text_does_not_fit_where_others_of_the_file_are_shown_containers(
    shop: tuple[Naturalness, dict[str, Target]],
) -> None:
    natural, targets = shop
    call = Call(targets["merged"], (("first", "'a'"), ("actions", "1")))
    assert natural.misfit(call) == 0
    for shown in ("[1, 2]", "[3]", "(1, 2)"):
        natural.inputs.note(targets["chained"], "first", shown)
    natural.forget()
    assert natural.misfit(call) == 1
    assert natural.misfit(call.with_value("first", "[1, 2]")) == 0
    natural.inputs.note(targets["merged"], "first", "'ab'")
    natural.forget()
    assert natural.misfit(call) == 0


def test_a_text_is_typed_before_a_function_where_either_is_taken(
    shop: tuple[Naturalness, dict[str, Target]],
) -> None:
    natural, targets = shop
    named = Call(targets["grouped"], (("name", "'tea'"),))
    made = named.with_value("name", "lambda: 'tea'")
    assert natural.misfit(named) == 0 < natural.misfit(made)
    assert Call(targets["grouped"], (("name", "'hello'"),)) in [*Proposals(natural).mended(made)]


@pytest.mark.parametrize(
    "odd", ["b'a'", "{1, 2}", "object()", "Counter()", "Decimal('1.1')", "2 + 1j", "len"]
)
def test_plain_values_stand_where_nothing_is_known(
    odd: str, shop: tuple[Naturalness, dict[str, Target]]
) -> None:
    natural, targets = shop
    plain = Call(targets["merged"], (("first", "[1, 2]"), ("actions", "{'a': 1}")))
    assert natural.misfit(plain) == 0
    assert natural.misfit(plain.with_value("actions", odd)) > 0
    replaced = [*Proposals(natural).mended(plain.with_value("actions", odd))]
    assert plain in replaced
    rest = Call(targets["joined"], extra=("'a'", odd))
    assert natural.misfit(rest) > natural.misfit(rest.but(extra=("'a'", "1")))


def test_the_rest_of_the_arguments_are_guesses_until_something_is_known(
    shop: tuple[Naturalness, dict[str, Target]],
) -> None:
    natural, targets = shop
    rest = Call(targets["joined"], extra=("'tea'", "1"))
    assert natural.guesses(rest) == 2
    natural.inputs.note_rest(rest.target, "parts", "'tea'")
    natural.forget()
    assert natural.guesses(rest) == 1
    assert "'tea'" in natural.inputs.pool(rest.target, rest.target.parameters[0])
    hinted = Call(targets["noted"], extra=("'tea'", "1"))
    assert natural.guesses(hinted) == 0
    assert not natural.fits(hinted)
    assert natural.fits(hinted.but(extra=("'tea'", "'cup'")))


ASKED = """
    class Day:
        def __init__(self, number):
            self.number = number

    def festival(year, eve=None):
        if eve and year:
            return year - 1
        return year

    def shifted(year, by=None):
        return year + by if by else year

    def shown(day):
        return day.number
"""


def test_what_is_only_asked_to_be_true_is_a_flag(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"days.py": ASKED})
    found = {one.symbol: one for one in find_targets(program, Resolver(program))}
    natural = Naturalness(Inputs(program, random.Random(1)), [*found.values()])
    festival = Call(found["festival"], (("year", "2024"), ("eve", "True")))
    assert natural.misfit(festival) == 0
    assert natural.misfit(festival.with_value("eve", "[1, 2, 3]")) > 0
    shifted = Call(found["shifted"], (("year", "2024"), ("by", "3")))
    assert natural.misfit(shifted) == 0


def test_what_does_not_fit_in_an_earlier_line_costs(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"days.py": ASKED})
    found = {one.symbol: one for one in find_targets(program, Resolver(program))}
    natural = Naturalness(Inputs(program, random.Random(1)), [*found.values()])
    lines = [Call(found["Day"], (("number", value),), bound="day") for value in ("3", "b'3'")]
    plain, odd = (Call(found["shown"], (("day", "day"),), before=(line,)) for line in lines)
    assert natural.misfit(plain) == natural.misfit(odd)
    assert natural.oddness(odd) - natural.oddness(plain) >= natural.misfit(lines[1]) > 0


def test_what_is_given_inside_of_an_argument_fits_or_does_not(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"days.py": ASKED})
    found = {one.symbol: one for one in find_targets(program, Resolver(program))}
    natural = Naturalness(Inputs(program, random.Random(1)), [*found.values()])
    shown = Call(found["shown"], (("day", "Day(3)"),))
    odd = shown.with_value("day", "Day(b'3')")
    assert natural.fitness.misfit_inside("Day(3)") == 0 < natural.fitness.misfit_inside("Day(b'3')")
    assert natural.oddness(shown) < natural.oddness(odd)


READ = """
    class Lines:
        def __init__(self, lines):
            self.left = list(lines)

        def __next__(self):
            return self.left.pop(0)

        def __iter__(self):
            return iter(self.left)

    def shown(lines):
        return [line.strip() for line in lines]

    def quote_at(string, offset):
        return string[offset] if offset < len(string) else None

    def first_of(string):
        return string[0] if isinstance(string, list) else string

    def document():
        first_of(repr(quote_at(str(1), 0)))
        return shown(Lines(["a", "b"]))
"""


def test_what_the_program_passes_fits_where_the_code_reads_items_of_it_alone(
    tmp_path: Path,
) -> None:
    program = write_program(tmp_path, {"reading.py": READ})
    found = {one.symbol: one for one in find_targets(program, Resolver(program))}
    natural = Naturalness(Inputs(program, random.Random(1)), [*found.values()])
    values = ("'hello'", "['hello']", "Lines(['hello'])")
    misfits = [natural.fitness.misfit(found["shown"], "lines", one) for one in values]
    assert misfits == [1.0, 0.0, 0.0]
    assert natural.fitness.misfit(found["quote_at"], "string", "['a', 'b']") == 1.0
    assert natural.fitness.misfit(found["first_of"], "string", "['a', 'b']") == 0.0


DEALING = """
    class Dealer:
        def __init__(self):
            self.hand = []

    class Player:
        def __init__(self, name):
            self.hand = [name]

    class Guest(Player):
        pass

    def deal(player, card):
        player.hand.append(card)
        return len(player.hand)

    def judged(holder):
        return len(holder.hand)
"""


def test_objects_of_the_class_that_a_parameter_is_named_after_go_first(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"dealing.py": DEALING})
    targets = {one.symbol: one for one in find_targets(program, Resolver(program))}
    misfit = Naturalness(Inputs(program, random.Random(1)), [*targets.values()]).fitness.misfit
    deal, judged = targets["deal"], targets["judged"]
    assert misfit(deal, "player", "Dealer()") > 0
    assert misfit(deal, "player", "Player('a')") == misfit(deal, "player", "Guest('a')") == 0
    assert misfit(judged, "holder", "Dealer()") == 0


def test_a_hint_that_allows_anything_tells_nothing(tmp_path: Path) -> None:
    code = """
        def is_marked(member: object, sign: str) -> bool:
            return _ask(member, sign)

        def stored(value: object) -> list[object]:
            return [value]
    """
    program = write_program(tmp_path, {"marks.py": code})
    marked, stored, *_ = targets = find_targets(program, Resolver(program))
    natural = Naturalness(Inputs(program, random.Random(1)), targets)
    assert natural.guesses(Call(marked, (("member", "1"), ("sign", "'a'")))) == 1
    assert natural.guesses(Call(stored, (("value", "1"),))) == 0


@pytest.mark.parametrize(("kinds", "misfit"), [(("list", "str"), 0.0), (("list",), 1.0)])
def test_what_is_given_texts_and_lists_under_a_name_for_anything_takes_dicts_too(
    tmp_path: Path, kinds: tuple[str, ...], misfit: float
) -> None:
    program = write_program(tmp_path, {"dumping.py": "def dump(obj):\n    return obj\n"})
    targets = find_targets(program, Resolver(program))
    inputs = Inputs(program, random.Random(1))
    for kind in kinds:
        inputs.note_kind(targets[0], "obj", kind)
    natural = Naturalness(inputs, targets)
    assert natural.misfit(Call(targets[0], (("obj", "{'a': 1}"),))) == misfit
