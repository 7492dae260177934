"""Cases that tell mutants from the program: how they are found, and that their tests fail."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from types import SimpleNamespace

import pytest
from jails import best_jail
from mutated_fares import (
    CAPITALS,
    CHANGES,
    ENDLESS,
    EXITING,
    FIRST_ZONE,
    KIND,
    LEAKING,
    MESSAGE,
    SENIOR,
    STEP_FREE,
    SUITE,
    ZONES,
    mutants_of,
    write_fares,
    write_mutated,
)
from offline_program import brief, write_program

from pytest_lift.agents.offline.generator import generator
from pytest_lift.agents.offline.mutants.guesses import literals_of
from pytest_lift.agents.offline.mutants.judging import sees
from pytest_lift.agents.offline.mutants.killing import Killing
from pytest_lift.agents.offline.writing.oracles.verifying import verify
from pytest_lift.calls.case import Case, Observation, Outcome, Raised, Step
from pytest_lift.calls.matching import Matcher
from pytest_lift.calls.mutant_prober import MutantProber, reaching_lines
from pytest_lift.calls.names import Resolver
from pytest_lift.calls.prober import Prober
from pytest_lift.calls.reading import written_calls
from pytest_lift.calls.targets.finding import find_targets
from pytest_lift.mutation.mutation import Mutation
from pytest_lift.scope.scope import Scope, whole
from pytest_lift.source.program import Program
from pytest_lift.suite.suite import suite_of


@pytest.fixture
def program(tmp_path: Path) -> Program:
    return write_fares(tmp_path)


@pytest.fixture
def mutated(tmp_path: Path, program: Program) -> Path:
    return write_mutated(tmp_path / "elsewhere" / "mutants", program)


@pytest.fixture
def prober(tmp_path: Path, program: Program, mutated: Path) -> MutantProber:
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    return MutantProber(mutated, tmp_path, program, best_jail(), mutants_of(program), scratch)


def call(expression: str) -> Case:
    name = expression.partition("(")[0]
    return Case("fares.py", name, (Step(expression, check=True),), (f"from fares import {name}",))


def told(prober: MutantProber, *cases: Case) -> list[set[int]]:
    """For each case the numbers in `CHANGES` of the mutants that do something else."""
    every = frozenset(prober.numbers)
    found = prober.run(cases, every, 20, wanted=[every for _ in cases])
    return [
        {prober.numbers[key] for key in found[case.key].others} if case.key in found else set()
        for case in cases
    ]


def test_a_mutant_that_returns_something_else_is_told_apart(prober: MutantProber) -> None:
    cases = call("fare(2, 6)"), call("fare(2, 65)"), call("fare(2, 40)"), call("label(3)")
    assert told(prober, *cases) == [{STEP_FREE}, {SENIOR}, set(), {CAPITALS}]


def test_so_is_one_that_raises_something_else(prober: MutantProber) -> None:
    assert told(prober, call("fare(0)"), call("fare(1)")) == [{MESSAGE, KIND}, {FIRST_ZONE}]


def test_what_a_case_hands_on_may_raise(prober: MutantProber) -> None:
    """Where the mutant never calls it, it does something else."""
    define = Step('class Zones:\n    def __lt__(self, other):\n        raise KeyError("failed")')
    steps = define, Step("fare(Zones())", check=True)
    case = Case("fares.py", "fare", steps, ("from fares import fare",), defines=1)
    assert told(prober, case) == [{FIRST_ZONE}]


def test_objects_that_are_equal_are_not_told_apart(prober: MutantProber) -> None:
    assert told(prober, call("ticket(2)")) == [{ZONES}]


def test_one_that_never_ends_is_told_apart_and_costs_no_other_case(prober: MutantProber) -> None:
    cases = call("count_down(2)"), call("count_down(0)"), call("label(1)")
    assert told(prober, *cases) == [{ENDLESS}, set(), {CAPITALS}]


def test_so_is_one_that_ends_the_process(prober: MutantProber) -> None:
    assert told(prober, call("stop(1)"), call("label(1)")) == [{EXITING}, {CAPITALS}]


def test_what_a_mutant_leaves_behind_does_not_reach_the_next_case(prober: MutantProber) -> None:
    cases = call("remember('a')"), call("remember('b')"), call("label(1)")
    assert told(prober, *cases) == [{LEAKING}, {LEAKING}, {CAPITALS}]


def test_only_mutants_of_lines_that_are_executed_are_tried(prober: MutantProber) -> None:
    case = call("fare(0)")
    every = frozenset(prober.numbers)
    one = prober.run([case], every, 20)[case.key]
    assert {prober.numbers[key] for key in one.tried} == {MESSAGE, FIRST_ZONE, KIND}
    assert one.called == {"fares.x_fare"}


def test_a_mutant_that_was_told_apart_is_not_tried_again(prober: MutantProber) -> None:
    cases = call("label(1)"), call("label(2)")
    found = prober.run(cases, frozenset(prober.numbers), 20)
    assert [len(found[case.key].tried) for case in cases] == [1, 0]


def test_a_case_that_would_be_no_test_is_not_tried(prober: MutantProber) -> None:
    case = call("label('x')")
    assert not prober.run([case], frozenset(prober.numbers), 20)[case.key].tried


def test_lines_of_a_mutant_are_counted_from_its_function(program: Program) -> None:
    mutants = mutants_of(program)
    assert reaching_lines(mutants[SENIOR], program) == {7}
    assert reaching_lines(mutants[MESSAGE], program) == {3}


def verified(root: Path, program: Program, case: Case):  # type: ignore[no-untyped-def]
    seen = Prober(root, program, best_jail()).observe([case], 10)[case.key]
    return verify(case, seen, program, Resolver(program))


def test_only_what_is_asserted_counts(tmp_path: Path, program: Program) -> None:
    item = verified(tmp_path, program, call("fare(2, 40)"))
    assert sees(item, Observation((Outcome("int", "401"),)))
    assert not sees(item, Observation((Outcome("float", "400.0"),)))
    assert sees(item, Observation(rejected="timeout"))
    assert not sees(item, Observation((Outcome("int", "400"),), rejected="state"))


BOXES = """
    class Box(dict):
        pass

    class Bag:
        def __init__(self, items, most=3):
            self.items, self.most = items, most

    class Chest: pass
    class Crate: pass
    class Jar: pass
    class Tin: pass
"""
FIVE, SIX, OTHERS = "[1, 2, 3, 4, 5]", "[1, 2, 3, 4, 5, 6]", "[1, 2, 3, 4, 6]"
ALL = "['Box', 'Chest', 'Crate', 'Jar', 'Tin']"


@pytest.mark.parametrize(
    ("usual", "wrap", "others"),
    [
        (FIVE, "{}[:5]", {
            (FIVE, "{}[:5]"): False, (OTHERS, "{}[:5]"): True, (SIX, ""): False, (OTHERS, ""): True,
            (SIX, "list"): True, ("7", ""): True, ("{'a': 1}", ""): True,
        }),
        (FIVE, "list({})[:5]", {(SIX, "list"): False, (SIX, ""): False, (FIVE, "islice"): False}),
        (FIVE, "islice", {(FIVE, "islice"): False, (SIX, "list"): False, (OTHERS, "list"): True}),
        (FIVE, "list", {(FIVE, ""): False, (FIVE, "islice"): True, (SIX, "list"): True}),
        (FIVE, "", {(FIVE, "list"): True, (FIVE, "{}[:5]"): True}),
        (FIVE, "sorted({})", {("[5, 4, 3, 2, 1]", ""): False, (OTHERS, "list"): True}),
        (FIVE, "{}.tolist()", {(FIVE, "{}.tolist()"): False, (FIVE, ""): True}),
        (FIVE, "asyncio.run({})", {(FIVE, "asyncio.run({})"): False, (FIVE, ""): True}),
        ("Box({'a': 1})", "", {("Box({'a': 1})", ""): False, ("Box({'a': 2})", ""): True}),
        ("[Box({'a': 1})]", "list",
         {("[Box({'a': 1})]", "list"): False, ("[Box({'a': 2})]", "list"): True}),
        ("Bag([1], most=3)", "", {("Bag([1], most=3)", ""): False, ("Bag([2], most=3)", ""): True}),
        (ALL, "", {(ALL, ""): False, ("['Box', 'Tin', 'Chest', 'Jar', 'Crate', 'More']", ""): False,
                   ("['Box', 'Tin']", ""): True, ("None", ""): True}),
    ],
)  # fmt: skip
def test_a_mutant_is_judged_by_what_the_test_reads(
    tmp_path: Path, usual: str, wrap: str, others: Mapping[tuple[str, str], bool]
) -> None:
    program = write_program(tmp_path, {"boxes.py": BOXES})
    case = Case("boxes.py", "load", (Step("load()", check=True), Step("load()", check=True)))
    names = tuple(("boxes", name) for name in ("Bag", "Box") if f"{name}(" in usual)
    first = Outcome("list", usual, wrap, names)
    item = verify(case, Observation((first, Outcome("int", "3"))), program, Resolver(program))
    assert item is not None
    judged = {}
    for source, read in others:
        outcomes = Outcome("list", source, read, names), Outcome("int", "3")
        judged[source, read] = sees(item, Observation(outcomes))
    assert judged == others
    assert sees(item, Observation((first, Outcome("int", "4"))))


def test_what_is_not_asserted_of_an_argument_is_not_judged(program: Program) -> None:
    """A look at what a call left as it was is no part of the test."""
    steps = (
        Step("ages = [1]"), Step("zones = [2]"), Step("fare(ages, zones)", check=True),
        Step("ages", check=True, began="[1]"), Step("zones", check=True, began="[2]"),
    )  # fmt: skip
    case = Case("fares.py", "fare", steps, ("from fares import fare",))
    usual = Outcome("int", "3"), Outcome("list", "[1]"), Outcome("list", "[2, 5]")
    item = verify(case, Observation(usual), program, Resolver(program))
    assert item is not None
    assert not sees(item, Observation(usual))
    assert sees(item, Observation((*usual[:2], Outcome("list", "[2]"))))


def test_an_exact_test_sees_other_words(tmp_path: Path, program: Program) -> None:
    plain = call("fare(0)")
    exact = Case(plain.path, plain.symbol, plain.steps, plain.imports, exact=True)
    other = Raised("FareError", "fares", "a ticket is for XXone zone or moreXX", "", 0, True)
    wider = Raised("FareError", "fares", "XXa ticket is for one zone or moreXX", "", 0, True)
    others = [Observation((Outcome(raised=raised),)) for raised in (other, wider)]
    loose, close = (verified(tmp_path, program, case) for case in (plain, exact))
    assert [sees(loose, one) for one in others] == [True, False]
    assert [sees(close, one) for one in others] == [True, True]


def test_the_diff_gives_boundaries_words_and_names(program: Program) -> None:
    found = literals_of(mutants_of(program)[SENIOR])
    assert {"64", "65", "66"} <= set(found.values)
    assert "age" in found.names
    assert "zones: %d" in literals_of(mutants_of(program)[CAPITALS]).texts


def test_tests_that_are_there_are_seeds(program: Program) -> None:
    targets = find_targets(program, Resolver(program))
    calls = written_calls(suite_of("tests", {"tests/test_fares.py": SUITE}), Matcher(targets))
    assert [dict(one.values) for one in calls] == [
        {"zones": "2"},
        {"zones": "3"},
        {"zones": "1", "age": "3"},
        {"zones": "0"},
    ]


def survivors(program: Program) -> Mutation:
    """What `SUITE` leaves of the mutants; `stop` and `label` are never called."""
    mutants = mutants_of(program)
    unseen = {CAPITALS: "untested", ENDLESS: "untested", EXITING: "untested", LEAKING: "untested"}
    verdicts = {m.key: unseen.get(n, "survived") for n, m in enumerate(mutants)}
    verdicts[mutants[KIND].key] = "killed"
    return Mutation({m.key: m for m in mutants}, verdicts)  # type: ignore[arg-type]


def run_tests(root: Path, mutated: Path, key: str) -> int:
    """pytest's exit code on the tests of `root`, with a mutant in the place of its function."""
    env = {**os.environ, "PYTHONPATH": str(mutated), "MUTANT_UNDER_TEST": key}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:lift"]
    done = subprocess.run(
        [*command, "-x", "-o", "addopts=", "tests"],
        cwd=root / "apart",
        env=env,
        capture_output=True,
        timeout=60,
        check=False,
    )
    return done.returncode


@pytest.mark.parametrize(("left", "written"), [(-1.0, 0), (60.0, 3)])
def test_after_the_deadline_no_call_is_written(left: float, written: int) -> None:
    """There may be thousands of them."""
    calls: list[object] = []
    search = SimpleNamespace(targets=(), progress={}, write=calls.append)
    judge = SimpleNamespace(search=search, killers=lambda items, told: [])
    prober = SimpleNamespace(mutants=(), tries={})
    deadline = time.monotonic() + left
    killing = Killing(judge, prober, random.Random(0), deadline, frozenset())  # type: ignore[arg-type]
    assert killing.run(["a", "b", "c"]) == []  # type: ignore[list-item]
    assert len(calls) == written


@pytest.fixture
def refined(
    request: pytest.FixtureRequest, tmp_path: Path, program: Program, mutated: Path
) -> Mapping[str, str | None]:
    """What is written for the whole program. Where it is told as the scope, the search that comes
    first takes a few seconds, and not half of the time."""
    places = tuple(whole(file) for file in program.files.values())
    given = brief(
        tmp_path,
        program,
        "refine",
        tests={"tests/test_fares.py": SUITE},
        seconds=30.0,
        mutation=survivors(program),
        mutated=mutated,
        scope=Scope(("fares",), places) if request.param else None,
    )
    return generator(given).files


@pytest.mark.parametrize(
    "refined", [True, pytest.param(False, marks=pytest.mark.slow)], indirect=True
)
def test_new_tests_fail_on_survivors_and_pass_on_the_program(
    tmp_path: Path, program: Program, mutated: Path, refined: Mapping[str, str | None]
) -> None:
    pytest.importorskip("mutmut")
    place = tmp_path / "apart" / "tests"
    place.mkdir(parents=True)
    (tmp_path / "apart" / "pyproject.toml").write_text('[tool.mutmut]\nsource_paths=["fares.py"]\n')
    for path, text in refined.items():
        (place / Path(path).name).write_text(text or "", "utf-8")
    assert run_tests(tmp_path, mutated, "") == 0
    mutants = mutants_of(program)
    for number in (STEP_FREE, SENIOR, MESSAGE, FIRST_ZONE, CAPITALS):
        assert run_tests(tmp_path, mutated, mutants[number].key) == 1, CHANGES[number]


@pytest.mark.slow
def test_without_the_folder_of_mutants_the_tests_are_the_same(
    tmp_path: Path, program: Program
) -> None:
    tests = {"tests/test_fares.py": SUITE}
    briefs = [
        brief(tmp_path, program, "refine", tests=tests, mutation=mutation, seconds=90.0)
        for mutation in (None, survivors(program))
    ]
    before, after = (dict(generator(one).files) for one in briefs)
    assert before
    assert after == before
