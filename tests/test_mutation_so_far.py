"""Who waits for mutants is told how many have run, and the score so far."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

from mutated_project import MutatedProject

from pytest_lift.measure.time_budget import Activity
from pytest_lift.mutation.mutation import Verdict
from pytest_lift.mutation.portions import SoFar


def run_of(*verdicts: Verdict | None) -> dict[str, Verdict | None]:
    return {f"m.x_f__mutmut_{number}": verdict for number, verdict in enumerate(verdicts)}


def told(*verdicts: Verdict | None) -> str:
    so_far = SoFar(lambda: run_of(*verdicts))
    so_far.count()
    return so_far.told()


def test_those_that_have_a_verdict_are_counted() -> None:
    so_far = SoFar(lambda: run_of("killed", None, "excluded", None))
    assert so_far.count() == (2, 4)


def test_of_what_cannot_be_read_the_last_is_told() -> None:
    answers = [run_of("killed", None), {}]
    so_far = SoFar(lambda: answers.pop(0))
    assert so_far.count() == so_far.count() == (1, 2)
    assert SoFar(dict).count() == (0, 0)


def test_a_score_is_told_from_ten_mutants_on_with_its_interval() -> None:
    nine: tuple[Verdict | None, ...] = ("killed", "timed-out", "crashed", *["survived"] * 6)  # type: ignore[assignment]
    assert told(*nine, "excluded", None) == ""
    assert told(*nine, "untested", *[None] * 90) == (", 30% of them detected (11 to 59% of all)")
    assert told(*nine, "survived") == ", 30% of them detected"


def test_the_score_stands_in_the_line_of_what_is_going_on() -> None:
    activity = Activity(lambda: 5.0)
    activity.begin("mutate")
    so_far = SoFar(lambda: run_of(*["killed"] * 10, *[None] * 10))  # type: ignore[list-item]
    with activity.wait("running", count=so_far.count, noun="mutants", figure=so_far.told):
        assert activity.told.startswith(
            " 0:00  measuring mutants: running, 10 of 20 mutants, "
            "100% of them detected (83 to 100% of all)"
        )


def watched(read: Callable[[], object], over: threading.Event) -> list[tuple[int, int]]:
    so_far, seen = SoFar(read), []  # type: ignore[arg-type]
    while not over.wait(0.005):
        seen.append(so_far.count())
    return seen


def test_a_real_run_is_told_while_it_goes_on(tmp_path: Path) -> None:
    project, over = MutatedProject(tmp_path).shop(), threading.Event()
    seen: list[tuple[int, int]] = []
    thread = threading.Thread(
        target=lambda: seen.extend(watched(project.mutator.so_far, over)), daemon=True
    )
    thread.start()
    mutation = project.measure()
    over.set()
    thread.join()
    assert seen == sorted(seen, key=lambda pair: (pair[1], pair[0]))
    assert {total for _, total in seen} == {0, len(mutation.verdicts)}
    assert any(0 < done < total for done, total in seen)
    assert project.mutator.so_far() == {}
