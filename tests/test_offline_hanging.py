"""Arguments without an end are no arguments of what reads them to their end."""

from __future__ import annotations

import random
from pathlib import Path

from begun_search import search_of
from offline_program import write_program

from pytest_lift.agents.offline.arguments.inputs import Inputs
from pytest_lift.agents.offline.natural.kinds import maker_of
from pytest_lift.agents.offline.search.hanging import MOST_BLOCKED, BlockingArguments
from pytest_lift.calls.call import Call
from pytest_lift.calls.names import Resolver
from pytest_lift.calls.targets.finding import find_targets

TEXT = """
    def first(items, n=2):
        return list(items)[:n]


    def last(items):
        return list(items)[-1]


    def total(items, *more):
        return sum(items) + sum(more)


    def size(items):
        return len(list(items))


    def least(items):
        return min(items)
"""


def test_what_makes_an_argument() -> None:
    made = ["itertools.count(1, 2)", "count()", "[1]", "counts", "Board('a').side"]
    assert [maker_of(text) for text in made] == ["count", "count", "", "", "Board"]


def test_what_blocked_is_not_tried_again(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"ends.py": TEXT})
    first, last, total, size, least = find_targets(program, Resolver(program))
    blocking = BlockingArguments()
    blocking.note(Call(first, (("items", "Board(1)"),)))
    assert blocking.have(Call(first, (("items", "Board(2)"),)))
    assert not blocking.have(Call(first, (("items", "[1, 2]"),)))
    for target in (last, total, size):
        assert not blocking.have(Call(target, (("items", "Board(1)"),)))
        assert not blocking.have(Call(target, (("items", "count()"),)))
        blocking.note(Call(target, (("items", "count(1)"),)))
    assert MOST_BLOCKED == 3
    assert blocking.have(Call(least, (("items", "itertools.count()"),)))
    assert blocking.have(Call(total, (("items", "[1]"),), extra=("count()",)))
    assert not blocking.have(Call(least, (("items", "Board(1)"),)))


def test_a_documented_argument_without_an_end_is_for_its_target_alone(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"ends.py": TEXT})
    first, last, *_ = find_targets(program, Resolver(program))
    inputs = Inputs(program, random.Random(1))
    for text in ("count(5)", "range(5, 8)"):
        inputs.note(first, "items", text)
    assert {"count(5)", "range(5, 8)"} <= set(inputs.pool(first, first.parameters[0]))
    pool = inputs.pool(last, last.parameters[0])
    assert "range(5, 8)" in pool
    assert "count(5)" not in pool


def test_what_may_block_is_not_written(tmp_path: Path) -> None:
    search, by_name = search_of(tmp_path, {"ends.py": TEXT})
    endless = Call(by_name["first"], (("items", "count(1)"),))
    search.drafts.blocking.note(endless)
    assert search.write(endless) is None
    assert search.write(Call(by_name["first"], (("items", "[1]"),))) is not None
