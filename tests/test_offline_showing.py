"""What counts as shown by a call that returns something."""

from __future__ import annotations

from pathlib import Path

from offline_program import write_program

from pytest_lift.agents.offline.natural.offered import Offer
from pytest_lift.agents.offline.search.showing import Showing
from pytest_lift.calls.call import Call
from pytest_lift.calls.case import Case, Observation, Outcome, Step
from pytest_lift.calls.names import Resolver
from pytest_lift.calls.targets.finding import find_targets

SHOP = """
    class Price:
        def __init__(self, value):
            self.value = value

        @property
        def doubled(self):
            return 2 * self.value

        def added(self, more):
            return self.value + more
"""


def test_what_no_test_shows_for_its_result_is_told_no_more(tmp_path: Path) -> None:
    """A child tells of the first results of each symbol until they are done: of what other tests
    show, the first batch told already."""
    program = write_program(tmp_path, {"shop.py": SHOP})
    resolver = Resolver(program)
    found = find_targets(program, resolver)
    targets = {target.symbol: target for target in found}
    defined = {(target.path, target.symbol) for target in found}
    showing = Showing(True, set(), frozenset(), defined, Offer(program, resolver))
    seen = Observation((Outcome("int", "2"),))
    for symbol, goals in (("Price.doubled", 0), ("Price.added", 1)):
        assert len(showing.answer_of(Call(targets[symbol]), seen)) == goals
    assert showing.done == {"shop.py:Price.doubled"}


def test_what_callbacks_get_is_shown_for_all_that_is_called(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"shop.py": SHOP})
    resolver = Resolver(program)
    found = find_targets(program, resolver)
    targets = {target.symbol: target for target in found}
    defined = {(target.path, target.symbol) for target in found}
    showing = Showing(True, set(), frozenset(), defined, Offer(program, resolver))
    call = Call(targets["Price.added"], receiver=Call(targets["Price"], (("value", "1"),)))
    steps = (Step("Price(1).added(2)", check=True), Step("calls", check=True, aside=True))
    case = Case("shop.py", "Price.added", steps)
    silent = Observation((Outcome("int", "3"), Outcome("list", "[]")))
    heard = Observation((Outcome("int", "3"), Outcome("list", "[2]")))
    assert showing.heard(call, case, silent) == frozenset()
    assert showing.heard(call, case, heard) == {"heard shop.py:Price.added"}
