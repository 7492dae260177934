"""`make self`: which mutants of the package's own spine its own tests notice.

The spine is what decides whether a suite got worse, what a test shows, what lands and what runs
where. Its modules are mutated and measured with the package's own engine against the fast tests of
`SPINE`, a group at a time. The bar: of each module's mutants at least 90 % are detected. What
survives is listed; what cannot be noticed by anything is explained in `survivors.json`, and does
not count.

    make self ARGS="--groups ratchet,gate"        some of them
    make self ARGS="--show"                        with the change of each survivor
    make self-sample                               about 35 mutants, always the same ones
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from known_lines import known_lines

from pytest_lift.mutation.mutation import DETECTED, Mutant, Mutation, Sample, marked
from pytest_lift.mutation.mutator import Mutator
from pytest_lift.project.discovery import find_program
from pytest_lift.sandbox.jail import Jail, python_reads
from pytest_lift.sandbox.probe import choose
from pytest_lift.suite.suite import read_suite

ROOT = Path(__file__).resolve().parents[1]
EXPLAINED = Path(__file__).with_name("survivors.json")
SOURCES = "src/pytest_lift"
QUICK = ("ratchet", "trace", "expectations", "gate", "budget")
"""Groups of a sample: their tests take a second each."""
CHOSEN = ("-m", "not slow and not package")
SHARE = 0.004
"""Of the mutants of these, about 35: the same ones until their functions change."""


@dataclass(frozen=True)
class Group:
    """Modules, and the tests that speak for them."""

    modules: tuple[str, ...]
    tests: tuple[str, ...]


SPINE: dict[str, Group] = {
    "ratchet": Group(
        ("evolve/acceptance.py", "measure/measurement.py"),
        ("evolve_acceptance", "evolve_acceptance_mutants", "evolve_acceptance_parts"),
    ),
    "trace": Group(
        (
            "trace/trace.py",
            "trace/statuses.py",
            "trace/covering.py",
        ),
        ("trace", "status_rule", "covering", "judged", "texts"),
    ),
    "expectations": Group(
        (
            "expectations/requirement_match.py",
            "expectations/asserted.py",
            "expectations/moments.py",
            "expectations/clauses.py",
            "expectations/pieces.py",
            "expectations/sentences.py",
            "trace/texts.py",
        ),
        (
            *("asserted", "clauses", "misreadings", "requirement_match", "pieces", "sentences"),
            *("sentences_read", "texts"),
        ),
    ),
    "landing": Group(
        (
            "store/landing.py",
            "store/journal.py",
            "files/locks.py",
            "files/atomic.py",
        ),
        (
            "landing",
            "settings_landing",
            "evolve_publisher",
            "history",
            "atomic",
            "journal",
            "locks",
        ),
    ),
    "gate": Group(
        (
            "gate/regression.py",
            "assertions/checks.py",
            "gate/evasion.py",
            "gate/forbidden.py",
            "assertions/test_checks.py",
            "gate/pinned.py",
            "assertions/substance.py",
        ),
        (
            *("gating", "gate_additions", "checks", "gate_evasion", "gate_forbidden"),
            *("gate_forbidden_words", "regression", "gate_pinned"),
            *("substance", "test_checks"),
        ),
    ),
    "budget": Group(("llm/budget.py",), ("budget",)),
    "check": Group(
        ("check/checking.py", "check/known.py", "suite/never_run.py", "check/fixing.py"),
        (
            "checking",
            "check_known",
            "check_known_nearest",
            "suite_never_run",
            "check_fixing",
            "check_words",
        ),
    ),
    "sandbox": Group(
        ("sandbox/jail.py", "sandbox/mounts.py"),
        ("sandbox_tiers", "sandbox_probe", "sandbox_mounts"),
    ),
    # By itself: what it tries is done by a process without mutmut, which imports the others.
    "probe": Group(("sandbox/probe.py",), ("sandbox_tiers", "sandbox_probe")),
}
"""Name -> group: below `src/pytest_lift`, and of `tests/test_NAME.py`."""


def main() -> int:
    options = _options()
    groups = {name: SPINE[name] for name in options.groups.split(",")} if options.groups else SPINE
    if options.sample:
        groups = {"sample": together([SPINE[name] for name in QUICK])}
    explained = read_explained()
    rows: list[dict[str, Any]] = []
    unknown: list[str] = []
    print(f"{'module':<28}{'mutants':>8}{'detected':>9}{'explained':>10}{'%':>7}{'s':>6}")
    began = time.monotonic()
    for name, group in groups.items():
        mutation, seconds = measured(group, SHARE if options.sample else 1.0)
        keys = stable_keys(mutation)
        for module in group.modules:
            row, survivors = counted(module, mutation, keys, explained)
            rows.append({"group": name, **row})
            told = [row[key] for key in ("mutants", "detected", "explained", "percent")]
            print(f"{module:<28}{told[0]:>8}{told[1]:>9}{told[2]:>10}{told[3]:>7}{seconds:>6.0f}")
            for key, mutant in survivors if options.show else ():
                print(f"  {key}\n{_indented(mutant.diff)}")
        unknown += stale(explained, group.modules, keys)
    for key in unknown:
        print(f"explained, and there is no such mutant any more: {key}")
    total = {key: sum(row[key] for row in rows) for key in ("mutants", "detected", "explained")}
    counting = total["mutants"] - total["explained"]
    figures = {
        "bench": "spine",
        "sample": options.sample,
        **total,
        "percent": round(100 * total["detected"] / max(counting, 1), 1),
        "worst_percent": min(row["percent"] for row in rows),
        "stale_explanations": unknown,
        "seconds": round(time.monotonic() - began),
        "load_average": os.getloadavg()[0],
        "rows": rows,
    }
    print(json.dumps(figures))
    return 0


def together(groups: Sequence[Group]) -> Group:
    """All of them as one."""
    modules = tuple(module for group in groups for module in group.modules)
    return Group(modules, tuple(test for group in groups for test in group.tests))


def measured(group: Group, share: float) -> tuple[Mutation, float]:
    """The mutants of a group, in a copy of what git knows; and how many seconds it took."""
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="lift-self-") as folder:
        copy = Path(folder, "copy")
        for path in _tracked():
            (copy / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / path, copy / path)
        wanted = [f"{SOURCES}/{module}" for module in group.modules]
        with (copy / "pyproject.toml").open("a", encoding="utf-8") as file:
            file.write(f"\n[tool.mutmut]\nonly_mutate = {json.dumps(wanted)}\n")
        jail = choose("off", Jail("off", reads=python_reads(copy)))
        tests = tuple(f"tests/test_{name}.py" for name in group.tests)
        mutator = Mutator(
            Path(folder, "mutation"),
            copy,
            jail,
            tests,
            CHOSEN,
            sample=Sample(share),
        )
        program = find_program(copy)
        # Of the other modules nobody asks, and a report of theirs takes longer than the tests.
        mutated = replace(program, paths=tuple(wanted))
        lines = known_lines(copy, Path(folder), mutated, "tests", CHOSEN, jail, tests)
        mutation = mutator.measure(read_suite(copy, "tests"), program, lines=lambda: lines)
    for note in mutation.notes:
        print(f"  note: {note}")
    return mutation, time.monotonic() - began


def _tracked() -> Iterator[str]:
    """What a clone of this has, with what is not committed yet."""
    ask = ["git", "-C", str(ROOT), "ls-files", "-co", "--exclude-standard", "-z"]
    done = subprocess.run([*ask, "src", "tests", "benchmarks", "pyproject.toml", "README.md"],
                          capture_output=True, text=True, check=True)  # fmt: skip
    return (path for path in done.stdout.split("\0") if path and (ROOT / path).is_file())


def stable_keys(mutation: Mutation) -> dict[str, str]:
    """mutmut's key -> one that stays until the function is changed where the mutant is."""
    marks = marked(mutation.mutants.values())
    return {
        key: f"{mutant.file.removeprefix(f'{SOURCES}/')}::{mutant.symbol} {marks[key]}"
        for key, mutant in mutation.mutants.items()
    }


def counted(
    module: str, mutation: Mutation, keys: Mapping[str, str], explained: Mapping[str, str]
) -> tuple[dict[str, Any], list[tuple[str, Mutant]]]:
    """One module's row, and what survives there unexplained."""
    mine = {k: m for k, m in mutation.mutants.items() if m.file == f"{SOURCES}/{module}"}
    verdicts = {key: mutation.verdicts[key] for key in mine if key in mutation.verdicts}
    detected = [key for key, verdict in verdicts.items() if verdict in DETECTED]
    alive = [key for key in verdicts if key not in detected and keys[key] not in explained]
    counting = len(detected) + len(alive)
    row: dict[str, Any] = {
        "module": module,
        "mutants": len(verdicts),
        "detected": len(detected),
        "explained": len(verdicts) - counting,
        "percent": round(100 * len(detected) / counting, 1) if counting else 100.0,
    }
    return row, [(keys[key], mine[key]) for key in sorted(alive, key=lambda k: mine[k].line)]


def stale(
    explained: Mapping[str, str], modules: tuple[str, ...], keys: Mapping[str, str]
) -> list[str]:
    """Explanations of mutants that are not there any more."""
    known = set(keys.values())
    return [k for k in explained if k.partition("::")[0] in modules and k not in known]


def read_explained() -> dict[str, str]:
    """Key -> why nothing can notice it."""
    if not EXPLAINED.is_file():
        return {}
    found: dict[str, str] = json.loads(EXPLAINED.read_text("utf-8"))
    return found


def _indented(text: str) -> str:
    return "\n".join(f"      {line}" for line in text.splitlines())


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--groups", help="names of SPINE, between commas")
    parser.add_argument("--show", action="store_true", help="each survivor's change")
    parser.add_argument("--sample", action="store_true", help="about 35 mutants only")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
