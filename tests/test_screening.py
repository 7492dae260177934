"""`screen` on plain values: no process is started, a run is a table of outcomes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from pytest_lift.coverage.coverage import Coverage
from pytest_lift.evolve.screening import BESIDE, FLAKY, ROUNDS, ScreenedCandidate, screen
from pytest_lift.measure.last_gate import PLAIN
from pytest_lift.measure.measurement import ABSENT, Knowledge, Measurement
from pytest_lift.run.result import Failure, Run, TestResult
from pytest_lift.suite.suite import Edit, Suite, suite_of
from pytest_lift.trace.trace import Trace

MINE = {"tests/test_mine.py": "def test_mine():\n    assert 1\n"}
FILE = "tests/test_new.py"
FOUND = suite_of("tests", MINE)
KNOWN = frozenset({"tests/test_mine.py::test_mine"})
Outcomes = Callable[[str], bool]


def with_tests(*names: str, suite: Suite = FOUND) -> Suite:
    text = "\n\n".join(f'def {name}():\n    """It holds."""\n    assert 1\n' for name in names)
    return suite.apply(Edit({FILE: text}))


def run_of(nodes: Sequence[str], passes: Outcomes) -> Run:
    results = {node: result(node, passes(node)) for node in nodes}
    ending = "passed" if all(map(passes, nodes)) else "failed"
    return Run(ending, results, tuple(nodes))


def result(node: str, passed: bool) -> TestResult:
    path = node.partition("::")[0]
    failure = None if passed else Failure("call", "AssertionError", "assert 0", path, 1, "")
    return TestResult(node, "passed" if passed else "failed", 0.1, failure)


@dataclass
class Table:
    """Answers runs from functions that say whether a test passes."""

    in_order: Outcomes = lambda node: True
    shuffled: Callable[[Suite, str], bool] = lambda suite, node: True
    after: Callable[[Sequence[str], str], bool] = lambda nodes, node: True
    """Whether a test passes that comes after others in this order."""
    apart: frozenset[str] = frozenset()
    last_gate: Refusing | None = None
    absent: frozenset[str] = frozenset()
    runs: list[str] = field(default_factory=list)
    knowledge: list[Knowledge] = field(default_factory=list)

    def measure(self, suite: Suite, knowledge: Knowledge) -> Measurement:
        self.runs.append("measure")
        self.knowledge.append(knowledge)
        nodes = [test.node for test in suite.tests() if test.node not in self.absent]
        return Measurement(suite, run_of(nodes, self.in_order), Coverage(), Trace())

    def repeat(self, suite: Suite, seed: int) -> Run:
        self.runs.append("repeat")
        nodes = [test.node for test in suite.tests()][:: 1 if seed >= 0 else -1]
        return run_of(nodes, lambda node: self.shuffled(suite, node))

    def try_tests(self, suite: Suite, chosen: Sequence[str]) -> tuple[Run, None]:
        self.runs.append("try")
        return run_of(chosen, lambda node: self.after(chosen[: chosen.index(node)], node)), None


@dataclass
class Refusing:
    """A plain pytest in which some tests fail."""

    nodes: frozenset[str]

    def refused(
        self, suite: Suite, accepted: Suite | None, known_failures: frozenset[str]
    ) -> dict[str, str]:
        there = {test.node for test in suite.tests()}
        return dict.fromkeys(self.nodes & there, f"{PLAIN}AssertionError")


def screened(candidate: Suite, table: Table, **more: object) -> ScreenedCandidate:
    told = {"known_failures": frozenset(), "known": KNOWN, "accepted": FOUND, **more}
    return screen(candidate, table, seed=1, **told)  # type: ignore[arg-type]


def names(suite: Suite) -> set[str]:
    return {test.node.rpartition("::")[2] for test in suite.tests()}


def test_a_passing_candidate_is_run_once_more_in_another_order() -> None:
    table, knowledge = Table(), Knowledge()
    found = screened(with_tests("test_a", "test_b"), table, knowledge=knowledge)
    assert (found.stable, found.dropped, found.failed) == (True, {}, False)
    assert (table.runs, table.knowledge) == (["measure", "repeat"], [knowledge])


def test_failing_tests_are_taken_out_and_the_rest_is_measured_again() -> None:
    table = Table(in_order=lambda node: not node.endswith("test_b"))
    found = screened(with_tests("test_a", "test_b"), table)
    assert (found.stable, found.failed) == (True, True)
    assert found.dropped == {f"{FILE}::test_b": "AssertionError"} == found.failing
    assert names(found.measurement.suite) == {"test_mine", "test_a"}
    assert names(found.first.suite) == {"test_mine", "test_a", "test_b"}
    assert table.runs == ["measure", "measure", "repeat"]


def test_a_test_of_the_users_that_fails_newly_is_never_taken_out() -> None:
    found = screened(with_tests("test_a"), Table(in_order=lambda node: "mine" not in node))
    assert not found.stable
    assert found.left == dict.fromkeys(KNOWN, "AssertionError")
    assert found.trouble == "tests/test_mine.py::test_mine (AssertionError)"


def test_known_failures_are_left_alone() -> None:
    table = Table(in_order=lambda node: "mine" not in node, shuffled=lambda s, n: "mine" not in n)
    found = screened(with_tests("test_a"), table, known_failures=KNOWN)
    assert (found.stable, found.dropped) == (True, {})


def test_a_new_test_that_fails_in_another_order_is_flaky() -> None:
    table = Table(shuffled=lambda suite, node: not node.endswith("test_b"))
    found = screened(with_tests("test_a", "test_b"), table)
    assert found.stable
    assert found.dropped == {f"{FILE}::test_b": f"{FLAKY}: AssertionError"}


def test_an_accepted_test_is_flaky_only_if_it_is_without_the_new_ones() -> None:
    accepted = with_tests("test_a")
    known = {*KNOWN, f"{FILE}::test_a"}
    candidate = with_tests("test_a", "test_b")

    def beside(suite: Suite, node: str) -> bool:
        return not (node.endswith("test_a") and "test_b" in names(suite))

    found = screened(candidate, Table(shuffled=beside), known=known, accepted=accepted)
    assert found.dropped == {f"{FILE}::test_a": f"{BESIDE}: AssertionError"}
    always = Table(shuffled=lambda suite, node: not node.endswith("test_a"))
    found = screened(candidate, always, known=known, accepted=accepted)
    assert found.dropped == {f"{FILE}::test_a": f"{FLAKY}: AssertionError"}


def test_a_new_test_that_makes_a_test_of_the_users_fail_goes_instead() -> None:
    def beside(suite: Suite, node: str) -> bool:
        return "mine" not in node or "test_b" not in names(suite)

    def after(before: Sequence[str], node: str) -> bool:
        return "mine" not in node or not any(one.endswith("test_b") for one in before)

    found = screened(with_tests("test_a", "test_b"), Table(shuffled=beside, after=after))
    assert found.stable
    (why,) = found.dropped.values()
    assert list(found.dropped) == [f"{FILE}::test_b"]
    assert why.startswith(f"{FLAKY}: it makes the later test tests/test_mine.py::test_mine fail")


def test_a_test_of_the_users_that_fails_in_another_order_anyway_is_no_reason() -> None:
    table = Table(shuffled=lambda suite, node: "mine" not in node)
    found = screened(with_tests("test_a"), table)
    assert (found.stable, found.dropped) == (True, {})


def test_a_test_that_did_not_run_goes() -> None:
    found = screened(with_tests("test_a", "test_b"), Table(absent=frozenset({f"{FILE}::test_b"})))
    assert found.dropped == {f"{FILE}::test_b": ABSENT}
    apart = Table(absent=frozenset({f"{FILE}::test_b"}), apart=frozenset({f"{FILE}::test_b"}))
    assert screened(with_tests("test_a", "test_b"), apart).dropped == {}


def test_the_users_plain_pytest_has_the_last_word() -> None:
    table = Table(last_gate=Refusing(frozenset({f"{FILE}::test_b"})))
    found = screened(with_tests("test_a", "test_b"), table)
    assert found.stable
    assert not found.failed
    assert found.refused_by_plain_pytest == {f"{FILE}::test_b": f"{PLAIN}AssertionError"}


def test_nothing_more_is_run_of_a_candidate_that_gains_nothing() -> None:
    table = Table(shuffled=lambda suite, node: False)
    found = screened(with_tests("test_a"), table, may_gain=lambda measurement: False)
    assert (found.stable, table.runs) == (True, ["measure"])


def test_a_candidate_that_goes_on_failing_is_given_up() -> None:
    """Each round another test fails."""
    failing = iter(f"test_{number}" for number in range(100))
    current = [next(failing)]

    def passes(node: str) -> bool:
        return not node.endswith(f"::{current[0]}")

    @dataclass
    class Worse(Table):
        def measure(self, suite: Suite, knowledge: Knowledge) -> Measurement:
            measured = super().measure(suite, knowledge)
            current[0] = next(failing)
            return measured

    table = Worse(in_order=passes)
    found = screened(with_tests(*(f"test_{number}" for number in range(10))), table)
    assert not found.stable
    assert len(found.dropped) == ROUNDS
    assert table.runs == ["measure"] * (ROUNDS + 1)
