"""`make attack`: hostile tests against every tier of the jail that works here, seen from outside.

Each attack of `attacks/` is one pytest run of a decoy project, started as a lift starts it. An
attack is *contained* when nothing of the decoys was touched, nothing stayed behind, no secret came
out, and (where only the test itself can tell) the test did not get what it wanted. The tier `off`
is the control: it shows that the attack works where nothing stops it. A forgery wants a failing
test to look passed, or what never ran to look covered; it is *worth nothing* when the gate refuses
it, or when the run says something else. Exit status 1 on anything that DOCUMENTED does not name.

    python benchmarks/attack.py [--tier T] [--only PATTERN] [--as-nobody]
"""

from __future__ import annotations

import argparse
import ast
import fnmatch
import json
import os
import sys
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from arena import ATTACKS, PROJECT, Arena
from unprivileged import as_nobody

from pytest_lift.gate.gating import gate
from pytest_lift.requirements.requirement import Requirements
from pytest_lift.sandbox.jail import TIERS
from pytest_lift.sandbox.probe import working_tiers
from pytest_lift.source.program import Program, SourceFile
from pytest_lift.suite.suite import Edit, Suite

MIB = 1 << 20
LIMITS = {
    "memory": 256 * MIB,
    "file_bytes": 64 * MIB,
    "open_files": 512,
    "processes": 128,
    "output_bytes": 16 * MIB,
    "scratch_bytes": 128 * MIB,
    "scratch_files": 4096,
}
"""Far below what the attacks of `resources.py` go for."""

HARMLESS = '''from pkg.mod import double


def test_double():
    """Twice the number."""
    assert double(2) == 4
'''
THEMES = ("files", "reading", "network", "processes", "resources", "escapes")
SECONDS = 12.0
LATE = 10.0
"""Seconds that a lift may take beyond the limit of a run, on a busy machine."""

IN_PROCESS = "in-process forgery: only the sabotage control would tell"
PATCHED_PROGRAM = "what a test patches in the program is a matter of mutants, not of jails"
THEMES = ("files", "reading", "network", "processes", "resources", "escapes")
SECONDS = 12.0
LATE = 10.0
"""Seconds that a lift may take beyond the limit of a run, on a busy machine."""

IN_PROCESS = "in-process forgery: only the sabotage control would tell"
FORGED_IN_PROCESS = (
    *("assertion_error_swallowed", "code_replaced", "exit_finishing", "item_replaced"),
    *("line_jumped", "outcome_before_log", "outcome_in_hook", "program_replaced"),
    *("recorder_by_closure", "recorder_by_frames", "recorder_by_gc"),
    *("report_patched", "runner_patched"),
    *("coverage_by_compile", "coverage_data", "coverage_json"),
)
"""What a test can do to the pytest that it runs in, without anything outside noticing."""


RIGHTS = "Landlock has no rule for rights, times and attributes of files (their content stays)"
SOCKETS = "Landlock has no rule for unix sockets that have a path"
SHARED = "/dev/shm is everybody's without namespaces, and multiprocessing needs it"
PROC = "/proc shows every process and connection without namespaces (no environment, no memory)"
TERMINALS = "/dev/pts is everybody's without namespaces, and tests of terminals need it"
KERNEL = "memory that the kernel holds for sockets counts against what is left of the machine only"

DOCUMENTED = {
    ("landlock", "files/chmod*"): RIGHTS,
    ("landlock", "files/chown"): RIGHTS,
    ("landlock", "files/utime"): RIGHTS,
    ("landlock", "files/setxattr"): RIGHTS,
    ("landlock", "network/pathname"): SOCKETS,
    ("landlock", "network/pass_descriptor"): SOCKETS,
    ("landlock", "reading/socket_of_others"): SOCKETS,
    ("landlock", "files/shm_of_others"): SHARED,
    ("landlock", "reading/shm_file"): SHARED,
    ("landlock", "resources/shm"): SHARED,
    ("landlock", "reading/command_lines_of_others"): PROC,
    ("landlock", "network/proc_net"): PROC,
    ("landlock", "escapes/terminal_output"): TERMINALS,
    ("*", "resources/socket_buffers"): KERNEL,
    ("*", "forgery/program_replaced"): PATCHED_PROGRAM,
    ("*", "forgery/code_replaced"): IN_PROCESS,
}
"""(pattern of tiers, pattern of attacks) -> why it is not contained, or not detected."""


@dataclass(frozen=True)
class Attack:
    """One hostile test."""

    theme: str
    name: str
    title: str
    node: str
    seen: str = "outside"
    """Who can tell: ``outside``, ``inside`` (the test passes) or ``then`` (the next one does)."""
    off: str = ""
    """Why it is not tried without a jail."""
    seconds: float = SECONDS
    measure: bool = False
    wait: float = 0.0
    """Seconds after the run before anybody looks."""
    then: str = ""
    goal: str = ""
    """Of a forgery: ``green`` or ``coverage``."""
    text: str = ""

    @property
    def id(self) -> str:
        return f"{self.theme}/{self.name}"


@dataclass(frozen=True)
class Verdict:
    """What came of one attack in one tier."""

    attack: Attack
    tier: str
    containment: str
    forgery: str
    evidence: tuple[str, ...]
    why: str = ""
    """The sentence of DOCUMENTED where it applies."""

    @property
    def bad(self) -> bool:
        failed = "ESCAPED" in self.containment or "NOT DETECTED" in self.forgery
        return failed and not self.why and self.tier != "off"


def attacks() -> Iterator[Attack]:
    """Everything in `attacks/`; a test function with a docstring is one."""
    for path in sorted(ATTACKS.glob("*.py")):
        for node in ast.parse(path.read_text("utf-8")).body:
            if not isinstance(node, ast.FunctionDef) or not node.name.startswith("test_"):
                continue
            if title := ast.get_docstring(node):
                place = f"tests/test_{path.stem}.py::{node.name}"
                yield Attack(path.stem, node.name[5:], title, place, **_told(node))
    for path in sorted((ATTACKS / "forgery").glob("*.py")):
        text = path.read_text("utf-8")
        tree = ast.parse(text)
        goal = "coverage" if "GOAL" in ast.unparse(tree) else "green"
        yield Attack(
            "forgery",
            path.stem,
            str(ast.get_docstring(tree)),
            f"tests/test_forged_{path.name}",
            measure=goal == "coverage" or "junit" in path.stem,
            goal=goal,
            text=text,
        )


def _told(node: ast.FunctionDef) -> dict[str, Any]:
    for mark in node.decorator_list:
        if isinstance(mark, ast.Call) and ast.unparse(mark.func) == "pytest.mark.attack":
            return {str(k.arg): ast.literal_eval(k.value) for k in mark.keywords}
    return {}


def judged(attack: Attack, tier: str, arena: Arena, honest: int) -> Verdict:
    """Try one attack in one tier."""
    if tier == "off" and attack.off:
        return Verdict(attack, tier, "not tried", "", (attack.off,))
    started = time.monotonic()
    answer = arena.ask(attack.node, attack.seconds, attack.measure)
    took = time.monotonic() - started
    if attack.then and answer is not None:
        folder = attack.node.partition("::")[0]
        answer = arena.ask(f"{folder}::{attack.then}", attack.seconds, False)
    time.sleep(attack.wait)
    found = [*arena.evidence(answer)]
    if answer is not None and took > attack.seconds + LATE:
        found.append(f"the lift was held up for {took:.0f} s")
    if answer is not None and attack.seen != "outside":
        reached = [n for n, o in answer["outcomes"].items() if o == "passed"]
        found += [f"it got what it wanted: {node.partition('::')[2]}" for node in reached]
    forgery = _forgery(attack, answer, honest) if attack.goal else "n/a"
    containment = "ESCAPED" if found else "contained"
    why = ""
    if found or "NOT DETECTED" in forgery:
        why = documented(attack, tier)
    if why and tier != "off" and found:
        containment = "documented"
    detail = [*found] or [_how(answer)]
    return Verdict(attack, tier, containment, forgery, tuple(detail), why)


def _how(answer: dict[str, Any] | None) -> str:
    """How an attack was stopped, as far as the run tells."""
    if answer is None:
        return ""
    if answer["undone"]:
        return f"undone: {', '.join(answer['undone'])}"
    if answer["ending"] not in ("passed", "failed"):
        return f"{answer['ending']}: {answer['detail']}"
    return next(iter(answer["failures"].values()), "")


def documented(attack: Attack, tier: str) -> str:
    for (tiers, pattern), why in DOCUMENTED.items():
        if fnmatch.fnmatch(tier, tiers) and fnmatch.fnmatch(attack.id, pattern):
            return why
    return ""


def _forgery(attack: Attack, answer: dict[str, Any] | None, honest: int) -> str:
    """Which layers make the forgery worth nothing: the gate (for generated code), the run."""
    layers = ["gate"] if refused(attack.text) else []
    if run := _layer(attack, answer, honest):
        layers.append(run)
    return ", ".join(layers) or f"NOT DETECTED ({IN_PROCESS})"


def refused(text: str) -> bool:
    """Whether the gate lets a generated file not pass for what it does, not for where it stands."""
    source = SourceFile("pkg/mod.py", "pkg.mod", PROJECT["pkg/mod.py"])
    program = Program(("pkg",), ("pkg",), ("",), {source.path: source})
    edit = Edit({"tests/test_mod.py": text})
    return bool(gate(edit, Suite("tests"), Requirements(), program).refused)


def _layer(attack: Attack, answer: dict[str, Any] | None, honest: int) -> str:
    """What the run without the gate says to a forgery; empty when it believes it."""
    if answer is None:
        return "ending: none"
    detail = answer["detail"].partition(", in ")[0][:60]
    if answer["undone"]:
        return f"source-check: {', '.join(answer['undone'])} changed"
    if answer["ending"] not in ("passed", "failed"):
        layer = "record" if "record" in detail or "event" in detail else "ending"
        return f"{layer}: {answer['ending']} ({detail})"
    if attack.goal == "coverage":
        return "" if answer["covered"] > honest else "coverage: the forgery is not in it"
    wrong = answer["outcomes"].get(f"{attack.node}::test_wrong")
    if wrong is None:
        return "expected-ids: the failing test stands in its file but was not run"
    return "" if wrong == "passed" else f"record: the failing test is {wrong}"


def matrix(tiers: list[str], chosen: list[Attack], jobs: int) -> list[Verdict]:
    """Every attack in every tier, `jobs` tiers at a time."""
    with ThreadPoolExecutor(jobs) as pool:
        return [verdict for found in pool.map(partial(column, chosen), tiers) for verdict in found]


def column(chosen: list[Attack], tier: str) -> list[Verdict]:
    """Every attack in one tier."""
    arena = Arena(tier, LIMITS)
    found = []
    try:
        plain = arena.ask("tests/test_mod.py", SECONDS, True)
        noise = arena.evidence(plain)
        if plain is None or plain["ending"] != "passed" or noise:
            raise SystemExit(f"{tier}: not even a harmless test goes well: {plain} {noise}")
        for attack in chosen:
            found.append(judged(attack, tier, arena, plain["covered"]))
            print(row(found[-1]), flush=True)
    finally:
        arena.close()
    return found


def row(verdict: Verdict) -> str:
    told = verdict.why or "; ".join(verdict.evidence[:3])
    return (
        f"{verdict.tier:<10} {verdict.attack.id:<36} {verdict.containment:<10} "
        f"{verdict.forgery[:60]:<12} {told[:110]}"
    )


def totals(verdicts: list[Verdict]) -> dict[str, Any]:
    tiers: dict[str, Counter[str]] = {}
    for verdict in verdicts:
        tiers.setdefault(verdict.tier, Counter())[verdict.containment] += 1
    shown = {v.attack.id for v in verdicts if v.tier == "off" and v.containment == "ESCAPED"}
    tried = {v.attack.id for v in verdicts if v.tier == "off" and not v.attack.goal}
    forged = [v for v in verdicts if v.attack.goal and v.tier != "off"]
    return {
        "bench": "attack",
        "user": "root" if os.getuid() == 0 else "unprivileged",
        "attacks": len({v.attack.id for v in verdicts}),
        "tiers": {tier: dict(count) for tier, count in tiers.items()},
        "works_without_jail": len(shown),
        "not_shown_without_jail": sorted(tried - shown),
        "forgeries": len({v.attack.id for v in forged}),
        "forgeries_refused_by_the_gate": len(
            {v.attack.id for v in forged if v.forgery.startswith("gate")}
        ),
        "forgeries_not_detected": sorted(
            {v.attack.id for v in forged if "NOT DETECTED" in v.forgery}
        ),
        "documented_but_contained": sorted(stale(verdicts)),
        "bad": [f"{v.tier}: {v.attack.id}: {'; '.join(v.evidence)}" for v in verdicts if v.bad],
    }


def stale(verdicts: list[Verdict]) -> Iterator[str]:
    """Entries of DOCUMENTED that were tried here and not needed any more."""
    for tiers, pattern in DOCUMENTED:
        tried = [
            verdict
            for verdict in verdicts
            if verdict.tier != "off"
            and fnmatch.fnmatch(verdict.tier, tiers)
            and fnmatch.fnmatch(verdict.attack.id, pattern)
        ]
        if tried and not any(verdict.why for verdict in tried):
            yield f"{tiers}: {pattern}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tier", action="append", choices=[*TIERS, "off"])
    parser.add_argument("--only", action="append", help="pattern of THEME/NAME")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="tiers at a time")
    parser.add_argument("--as-nobody", action="store_true", help="only as the user nobody")
    parser.add_argument("--as-root", action="store_true", help="only as root")
    told = parser.parse_args()
    started = time.monotonic()
    root = os.getuid() == 0
    if root and told.as_nobody:
        return as_nobody(Path(__file__), _without(sys.argv[1:])).returncode
    working = working_tiers()
    for tier, why in working.items():
        if why:
            print(f"{tier}: does not work here: {why}")
    tiers = [t for t in told.tier or [*TIERS, "off"] if not working.get(t)]
    chosen = [a for a in attacks() if any(fnmatch.fnmatch(a.id, p) for p in told.only or ["*"])]
    if refused(HARMLESS):
        raise SystemExit("the gate refuses a harmless test: its column would say nothing")
    verdicts = matrix(tiers, chosen, told.jobs)
    result = totals(verdicts)
    result["seconds"] = round(time.monotonic() - started, 1)
    result["unavailable"] = {tier: why for tier, why in working.items() if why}
    if root and not told.as_root:
        # What works without a jail has been shown; forgeries do not depend on the user.
        tiers = [] if told.tier else [f"--tier={tier}" for tier in TIERS]
        only = [] if told.only else [f"--only={theme}/*" for theme in THEMES]
        done = as_nobody(Path(__file__), [*sys.argv[1:], *tiers, *only])
        result["as_nobody"] = json.loads(done.stdout.strip().splitlines()[-1])
    print_totals(result)
    print(json.dumps(result))
    return 1 if result["bad"] or result.get("as_nobody", {}).get("bad") else 0


def _without(arguments: list[str]) -> list[str]:
    return [word for word in arguments if word != "--as-nobody"]


def print_totals(result: dict[str, Any]) -> None:
    print()
    for key, value in result.items():
        if key == "bad":
            for text in value:
                print(f"{'BAD':>30}  {text}")
        elif key != "as_nobody":
            print(f"{key:>30}  {value}")


if __name__ == "__main__":
    sys.exit(main())
