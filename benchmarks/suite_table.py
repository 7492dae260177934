"""The figures of suites over several projects, as means, and as a table beside the paper's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import mean
from typing import Any

SCENARIOS = ("as generated", "after repair", "after self-repair")
PAPER = {
    "MultiFileTest, best model": ((85, 77, 76, 73), (100, 90, 91, 88), (95, 91, 87, 85)),
    "MultiFileTest, GPT-3.5": ((60, 37, 38, 34), (100, 64, 63, 57), ()),
}
"""Executable, correct, lines, branches of each scenario, as the paper has them for Python."""
COLUMNS = (
    *("executable_percent", "correct_percent", "line_percent", "branch_percent"),
    *("unique_percent", "mutation_percent", "tokens", "seconds"),
)


def averages(rows: Sequence[Mapping[str, Any]], name: str) -> dict[str, Any]:
    """Means over the projects, a project counting as one."""
    steps = [row["scenarios"][name] for row in rows if name in row["scenarios"]]
    if not steps:
        return {}
    keys = ("correct_percent", "line_percent", "branch_percent", "unique_percent")
    told = [step["figures"] for step in steps]
    found = {key: round(mean(one[key] for one in told), 1) for key in keys}
    detected = [one["mutation_percent"] for one in told if one["mutation_percent"] is not None]
    return {
        "projects": len(steps),
        "executable_percent": round(100 * mean(one["executable"] for one in told), 1),
        **found,
        "mutation_percent": round(mean(detected), 1) if detected else None,
        "tests_mean": round(mean(one["tests"] for one in told), 1),
        "tokens": sum(step["tokens"] for step in steps),
        "seconds": round(sum(step["seconds"] for step in steps), 1),
        "repairs": sum(step["repairs"] for step in steps),
    }


def by_iteration(rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Means of what is accepted after each iteration; a lift that has ended stays as it is."""
    most = max((len(row["loop"]["iterations"]) for row in rows), default=0)
    found = []
    for number in range(most):
        known = [_accepted(row["loop"]["iterations"][: number + 1]) for row in rows]
        best = [one for one in known if one is not None]
        done = [one for row in rows for one in row["loop"]["iterations"][: number + 1]]
        if best:
            keys = ("tests", "line_percent", "branch_percent", "verified")
            row = {key: round(mean(one[key] for one in best), 1) for key in keys}
            measured_ = [m for one in best if (m := one["mutation_percent"]) is not None]
            row["mutation_percent"] = round(mean(measured_), 1) if measured_ else None
            found.append({"number": number, **row, "tokens": sum(one["tokens"] for one in done)})
    return found


def _accepted(iterations: Sequence[dict[str, Any]]) -> dict[str, Any] | None:
    return next((one for one in reversed(iterations) if one["accepted"]), None)


def worse(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """Projects whose suite runs or passes less after mechanical repair than before."""
    found = []
    for row in rows:
        steps = [row["scenarios"].get(name) for name in SCENARIOS[:2]]
        if all(steps):
            before, after = (step["figures"] for step in steps)
            fewer = after["passed"] < before["passed"]
            if fewer or (before["executable"] and not after["executable"]):
                found.append(row["project"])
    return found


def table(found: Mapping[str, Mapping[str, Any]], iterations: Sequence[Mapping[str, Any]]) -> None:
    head = ("executable", "correct", "lines", "branches", "unique", "mutants", "tokens", "seconds")
    print(f"{'':34}" + "".join(f"{name:>11}" for name in head))
    for number, name in enumerate(SCENARIOS):
        if own := found[name]:
            print(_line(name, [own[key] for key in COLUMNS]))
        for who, told in PAPER.items():
            if told[number]:
                print(_line(f"  {who}", told[number]))
    for row in iterations:
        label = f"the loop, iteration {row['number']} ({row['tests']} tests)"
        print(_line(label, ["", "", *(row.get(key, "") for key in COLUMNS[2:])]))


def _line(label: str, cells: Sequence[Any]) -> str:
    return f"{label:34}" + "".join(f"{'-' if cell is None else cell:>11}" for cell in cells)
