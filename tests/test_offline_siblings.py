"""Of functions that differ only in constants and names, some are tested where results say little."""

from __future__ import annotations

from pathlib import Path
from typing import NoReturn

from offline_program import write_program

from pytest_lift.agents.offline.arguments.inference import Inference
from pytest_lift.agents.offline.choosing.selection import Chosen
from pytest_lift.agents.offline.choosing.weighing.siblings import (
    MOST_SHOWN,
    Families,
    families_of,
)
from pytest_lift.agents.offline.search.kept import KeptCase
from pytest_lift.agents.offline.search.reach import Function, Reach
from pytest_lift.calls.case import Case, Observation, Outcome, Step
from pytest_lift.calls.child.instrument import ProbePoint
from pytest_lift.calls.running.children import Site
from pytest_lift.source.program import Program
from pytest_lift.source.syntax import FunctionNode

UNITS = ("kb", "mb", "gb", "tb", "pb", "eb", "zb")
LINES = 3
"""Lines of each function, the blank one after it included."""


def converting(root: Path) -> Program:
    code = [f'def to_{unit}(size):\n    """Convert."""\n    return Size(size, "{unit}")\n'
            for unit in UNITS]  # fmt: skip
    return write_program(root, {"sizes.py": "".join(code)})


def conversion(number: int, result: str, origin: str = "searched") -> Chosen:
    symbol = f"to_{UNITS[number]}"
    steps = (Step(f"{symbol}(1)", check=True),)
    case = Case("sizes.py", symbol, steps, cost=number / 10, origin=origin)
    seen = Observation((Outcome("float", result),), frozenset({number}))
    return Chosen(KeptCase(case, seen), frozenset({number}))


def left(root: Path, chosen: list[Chosen], *branches: int) -> list[str]:
    program = converting(root)
    sites = [
        Site("sizes.py", ProbePoint("enter", LINES * n + 1, LINES * n + 3))
        for n in range(len(UNITS))
    ]
    sites += [Site("sizes.py", ProbePoint("enter", 1, 3))] * 200  # of what tests reach
    probes = frozenset(range(len(sites)))
    tested = probes - frozenset(range(len(UNITS)))
    reach, functions = Reach(program, sites), Inference(program).functions
    families = Families(functions, reach, probes, frozenset(branches), tested)
    found = families.without_siblings(chosen, lambda kept: kept.case.cost)
    return [item.kept.case.symbol for item in found]


def test_further_functions_of_a_family_are_tested_where_their_results_tell(tmp_path: Path) -> None:
    dull = [conversion(number, f"1.25e-{10 + number}") for number in range(len(UNITS))]
    shown = left(tmp_path, dull)
    assert shown == [f"to_{unit}" for unit in UNITS[:MOST_SHOWN]]

    assert left(tmp_path, [*dull[:-1], conversion(6, "12.5")])[-1] == "to_zb"
    assert left(tmp_path, [*dull[:-1], conversion(6, "1e-9", "documented")])[-1] == "to_zb"
    assert left(tmp_path, dull, 6)[-1] == "to_zb", "a branch is not lost"


def test_functions_that_do_something_else_are_no_family(tmp_path: Path) -> None:
    program = write_program(
        tmp_path,
        {
            "sizes.py": """
                def small(text): return int(text, 8)
                def large(text): return int(text, 16)
                def exact(text): return float(text, 16)
                def twice(text): return 2 * small(text)
                def thrice(text): return 3 * large(text)
                def more(text): return 3 * exact(text)
                def less(size, other): return size < other
                def same(size, other): return size == other
            """
        },
    )
    families = families_of(Inference(program).functions)
    named = {symbol: family for (_, symbol), family in families.items()}
    assert named["small"] == named["large"] != named["exact"]
    assert named["twice"] == named["thrice"] != named["more"]
    assert named["less"] != named["same"]


def test_a_family_takes_no_more_room_than_a_name_however_much_is_called(tmp_path: Path) -> None:
    lines = "".join(f"    total += {n}\n" for n in range(300))
    long = f"def added(total):\n{lines}    return total\n\n\n"
    calls = [f"def more_{n}(total):\n    return added(added(total))\n" for n in range(30)]
    program = write_program(tmp_path, {"sums.py": long + "\n\n".join(calls)})
    families = families_of(Inference(program).functions)
    assert len({*families.values()}) == 2
    assert max(map(len, families.values())) < 100


def test_families_are_looked_at_only_where_a_dull_result_enters_something(tmp_path: Path) -> None:
    class Unread(dict[Function, FunctionNode]):
        def items(self) -> NoReturn:
            raise AssertionError("the functions are read")

    program = converting(tmp_path)
    sites = [Site("sizes.py", ProbePoint("enter", 1, 3))]
    reach, probes = Reach(program, sites), frozenset({0})
    told = [conversion(0, "12.5")]
    families = Families(Unread(), reach, probes, probes, frozenset())
    assert families.without_siblings(told, lambda kept: kept.case.cost) == told
