"""Of what a call changes, a test tells what says more than the call itself."""

from __future__ import annotations

from pathlib import Path

import pytest
from begun_search import search_of

from pytest_lift.agents.offline.choosing.looks.changes import with_changes
from pytest_lift.agents.offline.choosing.selection import Chosen
from pytest_lift.agents.offline.search.kept import KeptCase
from pytest_lift.calls.call import Call

FILES = {
    "counting.py": """
        import logging


        class Reader(logging.Handler):
            def __init__(self):
                super().__init__()
                self.source = ""
                self.read = 0
                self.kind = "plain"
                self.end = 0

            def count(self, text):
                self.source = text
                self.end = len(text)
                self.read += 1
                self.setLevel(len(text))
                return text.count("a")

            def named(self, source):
                self.source = source
                return self

            def is_long(self, text):
                self.end = len(text)
                return len(text) > 3

            def rest(self, text):
                \"\"\"What comes after self.end.\"\"\"
                return text[self.end :]
    """,
    "queues.py": """
        class Queue:
            \"\"\"A queue.

            last: what was pushed last.
            \"\"\"

            def __init__(self):
                self.info = {"head": 0, "tail": 0}
                self.chunks = []
                self.size = 0
                self.dirty = True
                self.last = []

            def __len__(self):
                return self.size

            @property
            def count(self):
                return self.size

            def push(self, item):
                self.chunks.append(item)
                self.info["head"] += 1
                self.size += 1
                self.dirty = True
                self.last = [item]

            def pop(self):
                self.dirty = False
                self.last = []
                return "banana"


        class Emitter:
            \"\"\"Writes.

            width: where lines end.
            \"\"\"

            def __init__(self, stream):
                self.stream = stream
                self.column, self.width = 0, 4

            def write(self, text):
                self.stream.write(text)
                self.column += len(text)
                self.width += 1


        class Mark:
            def __init__(self, emitter):
                self.text = f"{emitter.column}"


        class Basket:
            def __init__(self):
                self.items = []

            def push(self, item):
                self.items.append(item)
    """,
}


@pytest.mark.parametrize(
    ("method", "name", "checks"),
    [
        ("count", "reader", ["reader.count('banana')", "reader.read"]),
        ("named", "", ["reader.source"]),
        ("named", "reader", ["reader.source"]),
    ],
    ids=["no echo and no attribute of a library", "what a method set", "the object itself"],
)
def test_what_says_nothing_more_is_not_told(
    tmp_path: Path, method: str, name: str, checks: list[str]
) -> None:
    search, by_name = search_of(tmp_path, FILES)
    target = by_name[f"Reader.{method}"]
    given = ((target.parameters[0].name, "'banana'"),)
    call = Call(target, given, receiver=Call(by_name["Reader"]), name=name)
    case = search.write(call)
    assert case is not None
    seen = search.prober.observe([case], 10)[case.key]
    (item,) = with_changes([Chosen(KeptCase(case, seen, call), frozenset())], search)
    found = [step.source for step in item.kept.case.steps if step.check]
    assert [one.replace("new_", "") for one in found] == checks


@pytest.mark.parametrize(
    ("name", "checks"),
    [
        ("Queue.push", ["queue.last", "len(queue)"]),
        ("Basket.push", ["basket.items"]),
        ("Queue.pop", ["queue.pop()"]),
    ],
    ids=[
        "what nobody else reads is not told beside the length",
        "it is where nothing else is",
        "flags are not told beside an answer",
    ],
)
def test_an_object_keeps_its_books_for_itself(tmp_path: Path, name: str, checks: list[str]) -> None:
    search, by_name = search_of(tmp_path, FILES)
    owner, _, method = name.partition(".")
    given = (("item", "'a'"),) if method == "push" else ()
    call = Call(by_name[name], given, receiver=Call(by_name[owner]), name=owner.lower())
    case = search.write(call)
    assert case is not None
    seen = search.prober.observe([case], 10)[case.key]
    (item,) = with_changes([Chosen(KeptCase(case, seen, call), frozenset())], search)
    found = [step.source for step in item.kept.case.steps if step.check]
    assert sorted(found) == sorted(checks)


def test_places_that_no_document_names_are_not_told_beside_what_was_written(tmp_path: Path) -> None:
    search, by_name = search_of(tmp_path, FILES)
    made = Call(by_name["Emitter"], (("stream", "StringIO()"),))
    call = Call(by_name["Emitter.write"], (("text", "'a'"),), receiver=made, name="emitter")
    case = search.write(call)
    assert case is not None
    seen = search.prober.observe([case], 10)[case.key]
    (item,) = with_changes([Chosen(KeptCase(case, seen, call), frozenset())], search)
    found = [step.source for step in item.kept.case.steps if step.check]
    assert found == ["stream.getvalue()", "emitter.width"]
