"""Runs cases on a program with all its mutants and records which mutants each case reveals.

Started by path with the standard library only: ``python -P mutant_child.py job``. A crash or a
hang costs one case; its number and that of its mutant are in the file ``current``.
"""

from __future__ import annotations

import faulthandler
import importlib.util
import json
import os
import random
import sys
import time
from pathlib import Path
from typing import Any

ROOM = 0.3
"""Seconds after which the watchdog against hangs in C code is restarted."""
CASE_SECONDS = 0.15
"""Limit for all mutants of one case, if the child chooses the mutants itself."""
QUICK = 0.025
"""Most seconds that a case takes on the program if a timeout is to count against a mutant."""

Result = tuple[list[dict[str, Any]], str]
"""Outcomes of the steps of a case, and why it must not become a test, or ``""``."""


def _sibling(name: str) -> Any:
    path = Path(__file__).with_name(f"{name}.py")
    spec = importlib.util.spec_from_file_location(f"_lift_child_{name}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


probe = _sibling("probe_child")


class _MutantRunner(probe.Runner):  # type: ignore[misc, name-defined]
    """Runs one case after another, each on the program and then on some of its mutants."""

    describe: Any

    def _hook(self) -> None:
        self.trampoline = probe.load("child_trampoline").Trampoline()
        self.trampoline.install()
        self.files: dict[str, frozenset[int]] = {}
        self.mutants: list[dict[str, Any]] = self.job["mutants"]
        self.living = set(self.job["living"])
        self.tries = dict.fromkeys(range(len(self.mutants)), 0)
        self.of_function: dict[str, list[int]] = {}
        for number, mutant in enumerate(self.mutants):
            self.of_function.setdefault(mutant["function"], []).append(number)
        self.rng = random.Random(self.job["seed"])
        self.wound = 0.0
        self.values: dict[int, Any] = {}
        """id of a record -> the value that it describes, for the case that ran last."""
        described = self.describe

        def describe(value: Any, *told: Any) -> dict[str, Any]:
            record: dict[str, Any] = described(value, *told)
            self.values[id(record)] = value
            return record

        self.describe = describe

    def run(self) -> None:
        """Runs every case of the job until its time is up."""
        self._import_all()
        self.lines.define(self.job["cases"])
        self.state: Any = self._state()
        until = time.monotonic() + self.job["seconds"]
        self.current = os.open(self.job["current"], os.O_WRONLY | os.O_CREAT)
        with Path(self.job["journal"]).open("a", encoding="utf-8") as journal:
            for number in self.job["order"]:
                if time.monotonic() > until:
                    break
                self._at(number, -1)
                started = time.monotonic()
                record = self._told(number)
                record["seconds"] = time.monotonic() - started
                journal.write(json.dumps({"case": number, **record}) + "\n")
                journal.flush()
            journal.write('{"case": -1}\n')
        faulthandler.cancel_dump_traceback_later()

    def _state(self) -> Any:
        """Returns the program's state without mutmut's tables, which are many and never change."""
        state = probe.load("isolation.module_state").ModuleState(
            dict.fromkeys(self.job["modules"]), probe.CASE
        )
        tables = {
            id(value)
            for space, _ in state.spaces
            for name, value in space.items()
            if name.startswith("mutants_x") and name.endswith("__mutmut")
        }
        state.kept = [pair for pair in state.kept if id(pair[0]) not in tables]
        return state

    def _at(self, case: int, mutant: int) -> None:
        os.pwrite(self.current, b"%010d %010d" % (case, mutant), 0)
        now = time.monotonic()
        if now - self.wound > ROOM:
            faulthandler.dump_traceback_later(probe.load("executing").HANG_SECONDS, exit=True)
            self.timers.set()
            self.wound = now

    def _told(self, number: int) -> dict[str, Any]:
        """Returns which functions and mutants the case reaches, and which mutants behave
        differently.

        A function is identified by the number of its first mutant.
        """
        case = self.job["cases"][number]
        space = self._space(case)
        usual = self._usual(case, space) if space is not None else None
        if space is None or usual is None:
            return {}
        outcomes, quick = usual
        reached = self._reached()
        called = sorted(self.trampoline.lines.keys() & self.of_function.keys())
        values = self.values
        others = self._others(number, space, self._picked(number, reached), outcomes, values)
        told = [(n, other) for n, other in others.items() if self._differs(outcomes, other, quick)]
        if others and self._outcome(case, space)[0] != outcomes:
            # A mutant left a change that cannot be undone: a fresh process continues.
            os._exit(0)
        if self.job["retire"]:
            self.living -= {n for n, _ in told}
        return {
            "called": [self.of_function[function][0] for function in called],
            "reached": reached,
            "tried": list(others),
            "usual": {"outcomes": outcomes if told else []},
            "told": [(n, {"outcomes": found, "rejected": why}) for n, (found, why) in told],
        }

    def _usual(
        self, case: dict[str, Any], space: dict[str, Any]
    ) -> tuple[list[dict[str, Any]], bool] | None:
        """Returns the outcomes of two equal runs and whether one was quick: other processes may
        have delayed the other; None for an unusable case."""
        started = time.monotonic()
        first = self._outcome(case, space)
        between = time.monotonic()
        if first[1] or not self.judging.usable(first[0]):
            return None
        with self.trampoline.tracing():
            again = self._outcome(case, space)
        quick = min(between - started, time.monotonic() - between) < QUICK
        return (again[0], quick) if first == again else None

    def _others(
        self,
        number: int,
        space: dict[str, Any],
        mutants: list[int],
        usual: list[dict[str, Any]],
        values: dict[int, Any],
    ) -> dict[int, Result]:
        """Returns the result of each mutant, as far as the time for one case goes."""
        started = time.monotonic()
        found: dict[int, Result] = {}
        for mutant in mutants:
            if self.job["wanted"] is None and time.monotonic() - started > CASE_SECONDS:
                break
            self._at(number, mutant)
            self.tries[mutant] += 1
            self.trampoline.switch(self.mutants[mutant]["key"])
            other, why = self._outcome(self.job["cases"][number], space)
            self.trampoline.switch("")
            found[mutant] = self._compared(usual, values, other), why
        self._at(number, -1)
        return found

    def _compared(
        self, usual: list[dict[str, Any]], values: dict[int, Any], other: list[dict[str, Any]]
    ) -> list[dict[str, Any]]:
        """Returns `other`, with the program's record wherever the objects compare as equal."""
        found = list(other)
        for at, (old, new) in enumerate(zip(usual, other, strict=False)):
            objects = old.get("names") and new.get("names") and old["source"] != new["source"]
            if objects and _are_equal(values[id(old)], self.values[id(new)]):
                found[at] = old
        return found

    def _space(self, case: dict[str, Any]) -> dict[str, Any] | None:
        space: dict[str, Any] = {"__name__": probe.CASE}
        for line in case["imports"]:
            names = self.lines.found[line]
            if isinstance(names, str):
                return None
            space.update(names)
        space.update(self.lines.definitions_of(case))
        return space

    def _outcome(self, case: dict[str, Any], space: dict[str, Any]) -> Result:
        self.values = {}
        outcomes, why = self.observe(case, dict(space), strict=self.job["profile"])
        return outcomes, "state" if self.state.restore(case["entry"]) and not why else why

    def _reached(self) -> list[int]:
        """Returns the living mutants of lines that the case executes."""
        found = []
        for function, lines in self.trampoline.reached().items():
            for number in self.of_function.get(function, ()):
                wanted = self.mutants[number]["lines"]
                if number in self.living and (not wanted or not lines.isdisjoint(wanted)):
                    found.append(number)
        return found

    def _picked(self, number: int, reached: list[int]) -> list[int]:
        """Returns the mutants to try: the requested ones, else some of the least tried."""
        wanted = self.job["wanted"]
        if wanted is not None:
            return sorted(set(wanted[number]) & set(reached))
        self.rng.shuffle(reached)
        cap = self.job["most_tries"]
        fresh = [n for n in reached if self.tries[n] + self.mutants[n]["tries"] < cap]
        fresh.sort(key=lambda n: self.tries[n] + self.mutants[n]["tries"])
        return fresh[: self.job["at_once"]]

    def _differs(self, usual: list[dict[str, Any]], other: Result, quick: bool) -> bool:
        outcomes, why = other
        if why in ("timeout", "waits"):
            return quick
        if why and why not in ("state", "memory") and not why.startswith("setup"):
            return False
        return [_visible(o) for o in usual] != [_visible(o) for o in outcomes]

    def raised(self, error: BaseException) -> dict[str, Any]:
        """Describes an exception as for the program, but judges its `raise` by the bytecode
        instruction, since line numbers differ."""
        record: dict[str, Any] = super().raised(error)
        if record["file"] != self.judging.OF_CASES:
            record["explicit"] = self._is_explicit(error)
        record["file"], record["line"] = "", 0
        return record

    def _is_explicit(self, error: BaseException) -> bool:
        last = error.__traceback__
        while last is not None and last.tb_next is not None:
            last = last.tb_next
        if last is None:
            return False
        file = os.path.realpath(last.tb_frame.f_code.co_filename)
        named = self.judging.is_raised(last) or isinstance(error, SystemExit)
        return file.startswith(tuple(self.job["inside"])) and named


def _are_equal(one: Any, other: Any) -> bool:
    try:
        return bool(one == other)
    except Exception:
        return False


def _visible(outcome: dict[str, Any]) -> object:
    """Returns what a test could assert about the outcome."""
    raised = outcome.get("raised")
    if raised:
        return raised["type"], raised["module"], raised["message"]
    if outcome.get("printed") or outcome.get("files"):
        return outcome.get("printed"), outcome.get("files")
    if "source" in outcome:
        return outcome["source"], bool(outcome["wrap"])
    return outcome["type"], outcome.get("attributes"), outcome.get("text")


if __name__ == "__main__":
    probe.main(_MutantRunner)
