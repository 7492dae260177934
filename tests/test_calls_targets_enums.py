"""Members of enumerations are objects that calls are made on; what only a script defines is none."""

from __future__ import annotations

from pathlib import Path

import pytest
from jails import best_jail
from offline_program import write_program

from pytest_lift.calls.call import Call
from pytest_lift.calls.drafting import as_case
from pytest_lift.calls.names import Resolver
from pytest_lift.calls.survey import survey
from pytest_lift.calls.targets.finding import find_targets
from pytest_lift.calls.targets.target import Target

CARDS = {
    "cards.py": """
        from enum import Enum


        class Suit(Enum):
            _order_ = "HEARTS SPADES"
            HEARTS = "H"
            SPADES = "S"

            @property
            def is_red(self):
                return self is Suit.HEARTS


        if __name__ == "__main__":

            def play():
                return 1
        """
}


@pytest.fixture
def targets(tmp_path: Path) -> dict[str, Target]:
    program = write_program(tmp_path, CARDS)
    found = survey(program, tmp_path, best_jail(), 20)
    return {one.symbol: one for one in find_targets(program, Resolver(program), found)}


def test_a_member_stands_where_other_classes_are_called(
    targets: dict[str, Target], tmp_path: Path
) -> None:
    suit = targets["Suit"]
    assert suit.members == ("Suit.HEARTS", "Suit.SPADES")
    call = Call(targets["Suit.is_red"], receiver=Call(suit, (("member", "Suit.SPADES"),)))
    case = as_case(call, Resolver(write_program(tmp_path, CARDS)))
    assert case is not None
    assert (case.source, case.imports) == ("Suit.SPADES.is_red", ("from cards import Suit",))


def test_what_only_a_script_defines_is_no_target(targets: dict[str, Target]) -> None:
    assert "play" not in targets
