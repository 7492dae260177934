"""What a call does that is seen only after another one is shown with that."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from begun_search import search_of

from pytest_lift.agents.offline.choosing.looks.later_effects import with_later_effects
from pytest_lift.agents.offline.choosing.selection import Chosen
from pytest_lift.agents.offline.search.kept import KeptCase
from pytest_lift.calls.call import Call
from pytest_lift.calls.case import Step

BATCHES = """
    class Sender:
        def __init__(self, to):
            self.to = to
            self.waiting = []

        def reset(self):
            self.waiting = []

        def flush(self):
            self.to += self.waiting
            self.waiting = []


    class Draft:
        def publish(self):
            pass


    class Batch(Sender):
        def publish(self, where):
            raise ValueError(where)

        def add(self, word):
            self.waiting.append(word)

        def now(self, word):
            self.to.append(word)

        def nothing(self, word):
            pass
"""


@pytest.mark.parametrize(
    ("method", "before", "lines"),
    [
        ("add", "", ["batch.add('a')", "batch.flush()", "sent"]),
        ("add", "batch.now('b')", ["batch.add('a')", "batch.flush()", "sent"]),
        ("add", "random.seed(1)", ["random.seed(1)", "batch.add('a')", "batch.flush()", "sent"]),
        ("now", "", ["batch.now('a')", "sent"]),
        ("nothing", "", ["batch.nothing('a')", "sent"]),
    ],
)
def test_what_shows_later_is_shown_with_the_call_that_shows_it(
    method: str, before: str, lines: list[str], tmp_path: Path
) -> None:
    search, targets = search_of(tmp_path, {"batches.py": BATCHES})
    made = Call(targets["Batch"], (("to", "[]"),))
    call = Call(targets[f"Batch.{method}"], (("word", "'a'"),), receiver=made, name="batch")
    case = search.write(call)
    assert case is not None
    steps = [
        Step("sent = []"),
        Step("batch = Batch(sent)"),
        *([Step(before)] if before else []),
        Step(f"batch.{method}('a')", check=True, acts=True),
        Step("sent", check=True),
    ]
    case = replace(case, steps=tuple(steps), imports=(*case.imports, "import random"))
    seen = search.prober.observe([case], 10)[case.key]
    chosen = [Chosen(KeptCase(case, seen, call), frozenset())]
    (found,) = with_later_effects(chosen, search)
    assert [step.source for step in found.kept.case.steps][-len(lines) :] == lines
