"""Of the texts of a format, those that people type come first."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from offline_program import write_program

from pytest_lift.agents.offline.arguments.inputs import Inputs
from pytest_lift.agents.offline.natural.naturalness import Naturalness
from pytest_lift.agents.offline.natural.proposing import Proposals
from pytest_lift.agents.offline.texts.formats import formats
from pytest_lift.agents.offline.texts.recognition import Recognition
from pytest_lift.agents.offline.texts.strangeness import strangeness
from pytest_lift.calls.call import Call
from pytest_lift.calls.names import Resolver
from pytest_lift.calls.targets.finding import find_targets
from pytest_lift.calls.targets.target import Target

CODE = """
    import csv
    import json


    class Table:
        def __init__(self, rows):
            self.rows = rows

        def size(self):
            return len(self.rows)


    def from_json(text):
        return Table(json.loads(text))


    def place(index: int):
        return index + 1


    def from_csv(fp):
        return Table(list(csv.reader(fp)))
"""
Known = tuple[Naturalness, dict[str, Target]]


@pytest.fixture
def known(tmp_path: Path) -> Known:
    program = write_program(tmp_path, {"tables.py": CODE})
    targets = find_targets(program, Resolver(program))
    inputs = Inputs(program, random.Random(1))
    Recognition(inputs, tmp_path).note(targets)
    return Naturalness(inputs, targets), {target.symbol: target for target in targets}


@pytest.mark.parametrize(
    ("text", "odd"),
    [
        ('[{"id": 1, "name": "a"}, {"id": 2, "name": "b"}]', False),
        ("# Title", False),
        ("2024-02-29", False),
        ("no text of a format \\u00e9", False),
        ('"\\u00e9"', True),
        ("[]", True),
        ('{"a": 1,}', True),
    ],
)
def test_escapes_mistakes_and_nothing_are_strange(text: str, odd: bool) -> None:
    assert bool(strangeness(text)) is odd


def test_few_of_the_texts_are_strange() -> None:
    texts = [text for one in formats().values() for text in one.texts]
    assert 10 * sum(map(bool, map(strangeness, texts))) < len(texts)


def test_a_plain_document_costs_less_than_an_escaped_letter(known: Known) -> None:
    natural, targets = known
    odd = Call(targets["from_json"], (("text", repr('"\\u00e9"')),))
    plain = odd.with_value("text", repr('[{"id": 1, "name": "a"}, {"id": 2, "name": "b"}]'))
    assert natural.oddness(plain) < natural.oddness(odd)
    assert plain in [*Proposals(natural).variants(odd)]


def test_a_document_with_several_features_costs_less_than_one(known: Known) -> None:
    natural, targets = known
    odd = Call(targets["from_csv"], (("fp", repr('"a b",c\n').join(("StringIO(", ")"))),))
    plain = odd.with_value("fp", repr("name,value\na,1\nb,2\n").join(("StringIO(", ")")))
    assert natural.oddness(plain) + 0.1 < natural.oddness(odd)
    assert plain in [*Proposals(natural).mended(odd)]


def test_an_object_that_is_refused_may_be_any_plain_value(known: Known) -> None:
    natural, targets = known
    odd = Call(targets["place"], (("index", "Table([])"),))
    assert odd.with_value("index", "'hello'") in [*Proposals(natural).mended(odd)]


def test_what_reads_texts_gets_streams_of_texts_of_its_format(known: Known) -> None:
    natural, targets = known
    pool = natural.inputs.pool(targets["from_csv"], targets["from_csv"].parameters[0])
    assert pool[0] == repr("name,value\na,1\nb,2\n").join(("StringIO(", ")"))
    table = Call(targets["from_csv"], (("fp", pool[0]),))
    word = table.with_value("fp", "StringIO('hello')")
    assert natural.made_up(word) > natural.made_up(table)


def test_a_file_with_escapes_costs_more_than_a_plain_one(known: Known) -> None:
    natural, targets = known
    call = Call(targets["from_json"], (("text", "'input.env'"),), files={"input.env": "A=é\n"})
    plain = call.but(files={"input.env": "A=1\n"})
    assert natural.filling.oddness(plain) < natural.filling.oddness(call)
    assert not any(map(natural.filling.oddness, natural.filling.others(call)))


def test_what_a_document_shows_elsewhere_is_no_line_of_a_format(known: Known) -> None:
    natural, targets = known
    for text in (".env.secret", "A=$B"):
        natural.inputs.note(targets["from_json"], "text", repr(text))
    natural.forget()
    call = Call(targets["from_json"], (("text", "'input.env'"),))
    costs = [
        natural.filling.oddness(call.but(files={name: text}))
        for name, text in (
            ("input.env", ".env.secret"),
            ("input.txt", ".env.secret"),
            ("input.env", "A=$B"),
        )
    ]
    assert costs[0] > 0 == costs[1] == costs[2]
