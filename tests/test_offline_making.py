"""Calls that were kept lend their arguments to calls of other functions."""

from __future__ import annotations

import math
import random
from pathlib import Path

from begun_search import search_of
from jails import best_jail
from offline_program import write_program

from pytest_lift.agents.offline.arguments.inputs import Inputs
from pytest_lift.agents.offline.natural.offered import Offer
from pytest_lift.agents.offline.search.making import CallMaker
from pytest_lift.agents.offline.search.search import ProgramSearch
from pytest_lift.calls.call import Call
from pytest_lift.calls.names import Resolver
from pytest_lift.calls.prober import Prober
from pytest_lift.calls.targets.finding import find_targets
from pytest_lift.calls.targets.target import Target

READERS = """
    def tokens(line):
        return line.split()

    def parse(line, depth=1):
        return [line.strip()] * depth

    def width(size):
        return size

    def converted(value, type_):
        origin = getattr(type_, "__origin__", None)
        return origin(value) if origin else type_(value)
    """


def maker_of(tmp_path: Path) -> tuple[CallMaker, dict[str, Target]]:
    program = write_program(tmp_path, {"readers.py": READERS})
    resolver, rng = Resolver(program), random.Random(1)
    targets = find_targets(program, resolver)
    prober = Prober(tmp_path, program, best_jail())
    inputs = Inputs(program, rng)
    offer = Offer(program, resolver)
    search = ProgramSearch(prober, targets, resolver, inputs, offer, rng, math.inf, 100)
    return search.maker, {target.symbol: target for target in targets}


def given(maker: CallMaker, target: Target, name: str) -> list[str]:
    calls = [maker.fresh(target) for _ in range(120)]
    return [call.given[name] for call in calls if call is not None]


def test_a_parameter_of_the_same_name_is_given_what_was_kept(tmp_path: Path) -> None:
    maker, targets = maker_of(tmp_path)
    assert "'<a>'" not in given(maker, targets["parse"], "line")
    maker.grow(Call(targets["tokens"], (("line", "'<a>'"),)))
    assert "'<a>'" in given(maker, targets["parse"], "line")
    assert "'<a>'" not in given(maker, targets["width"], "size")


def test_its_texts_are_spliced_into_other_ones(tmp_path: Path) -> None:
    maker, targets = maker_of(tmp_path)
    call = Call(targets["parse"], (("line", "'b c'"),))
    assert not any("<a>" in maker.varied(call).text for _ in range(100))
    maker.grow(Call(targets["tokens"], (("line", "'<a>'"),)))
    assert any("<a>" in maker.varied(call).given["line"] for _ in range(100))


def test_texts_to_read_are_data_that_the_documentation_shows(tmp_path: Path) -> None:
    maker, targets = maker_of(tmp_path)
    maker.lines.contents.shown["yaml"] = ["a: 1\n"]
    assert "'a: 1\\n'" in given(maker, targets["parse"], "line")
    assert "'a: 1\\n'" not in given(maker, targets["width"], "size")


def test_most_calls_with_a_type_have_a_value_of_it(tmp_path: Path) -> None:
    maker, targets = maker_of(tmp_path)
    drawn = [maker.fresh(targets["converted"]) for _ in range(300)]
    of_dicts = [c for c in drawn if c is not None and c.given["type_"] == "dict[str, int]"]
    fitting = [call for call in of_dicts if call.given["value"] in ("{'a': 1}", "{1: 'a'}")]
    assert len(of_dicts) > 3
    assert len(fitting) > len(of_dicts) / 2


def test_a_key_is_read_by_which_something_was_stored(tmp_path: Path) -> None:
    code = """
        class Shelf:
            def __init__(self):
                self.books = {}

            def put(self, key: str, book: str):
                self.books[key] = book

            def take(self, key: str):
                return self.books[key]
    """
    search, targets = search_of(tmp_path, {"shelf.py": code})
    put, take = targets["Shelf.put"], targets["Shelf.take"]
    line = Call(put, (("key", "'dune'"), ("book", "'Dune'")), subject="shelf")
    made = Call(take, (), (), Call(targets["Shelf"]), "shelf", (line,))
    drawn = [search.objects.argument(made, take.parameters[0]) for _ in range(200)]
    assert 70 < drawn.count("'dune'") < 130
    alone = [search.objects.argument(made.but(before=()), take.parameters[0]) for _ in range(200)]
    assert "'dune'" not in alone


def test_a_path_of_what_is_read_is_given_with_the_texts_in_the_file(tmp_path: Path) -> None:
    code = """
        import json

        def from_json(fp):
            with open(fp, "r") as file:
                return json.load(file)

        def parse_json(text):
            return json.loads(text)
        """
    search, targets = search_of(tmp_path, {"settings.py": code})
    of_path = [*search.maker.reading([targets["from_json"]])]
    of_text = [*search.maker.reading([targets["parse_json"]])]
    assert {call.given["fp"] for call in of_path} == {"'input.json'"}
    contents = [call.files["input.json"] for call in of_path]
    assert len({*contents}) > 5
    assert {repr(one) for one in contents} <= {call.given["text"] for call in of_text}


def test_new_calls_are_varied_where_most_of_a_target_repeat_earlier_ones(tmp_path: Path) -> None:
    maker, targets = maker_of(tmp_path)
    target = targets["tokens"]
    progress = maker.progress[target.key]
    progress.calls.append(Call(target, (("line", "'b c'"),)))

    def different() -> int:
        calls = [maker.following(target) for _ in range(300)]
        return len({call.text for call in calls if call is not None})

    usually = different()
    progress.tries = progress.repeats = 10_000
    assert different() > 1.2 * usually
