"""What a case shows without a part it also shows with few others before it, else it is put back."""

from __future__ import annotations

from pathlib import Path

from jails import best_jail
from offline_program import write_program

from pytest_lift.agents.offline.needed.rerun import as_case
from pytest_lift.agents.offline.needed.steadied import steadied
from pytest_lift.agents.offline.writing.oracles.checks import Verified
from pytest_lift.agents.offline.writing.oracles.verifying import verify
from pytest_lift.calls.case import Case, Step
from pytest_lift.calls.names import Resolver
from pytest_lift.calls.prober import Prober

NAMES = """
    class Register:
        def __init__(self):
            self.names = []


    SHARED = Register()


    def take(name, register=SHARED):
        if name in register.names:
            raise ValueError(name)
        register.names.append(name)
        return name.upper()


    def count(name, start=0):
        return start + len(name)
"""


def test_a_case_that_needs_another_one_before_it_is_put_back(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"names.py": NAMES})
    prober = Prober(tmp_path, program, best_jail())

    def item(*lines: str) -> Verified:
        steps = tuple(Step(line.rstrip("?"), check=line.endswith("?")) for line in lines)
        imports = ("from names import Register, count, take",)
        case = Case("names.py", "take", steps, imports, "searched")
        found = verify(case, prober.observe([case], 10)[case.key], program, Resolver(program))
        assert found is not None
        return found

    begun = "register = Register()"
    twice = item(begun, "take('a', register)", "take('a', register)?")
    counted = item("count('abc')", "count('abc')?")
    shorter, alone = item("take('a')?"), item("count('abc')?")
    seen = prober.observe([as_case(one) for one in (twice, counted)], 10)
    told = dict(enumerate(seen[as_case(one).key] for one in (twice, counted)))
    found = steadied([shorter, alone], [twice, counted], told, prober, 10.0)
    assert found == [twice, alone]
    assert steadied([shorter, alone], [twice, counted], told, prober, 0.0) == [twice, counted]
