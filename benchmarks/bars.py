"""What each benchmark has to show: a bar is a figure of its JSON object and the limit of it."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

Figures = Mapping[str, Any]
"""The JSON object that a benchmark prints as its last line."""
HOLDS = {"at most": operator.le, "at least": operator.ge}


@dataclass(frozen=True)
class Bar:
    """One figure, and what it may be."""

    what: str
    of: Callable[[Figures], float]
    limit: float
    holds: str = "at most"
    """A key of `HOLDS`."""

    def met(self, value: float) -> bool:
        """Whether `value` keeps to the limit."""
        return bool(HOLDS[self.holds](value, self.limit))


def none_of(key: str, what: str) -> Bar:
    """A list, an object or a number that has to be empty, or 0."""
    return Bar(what, lambda f: float(_size(f[key])), 0)


def _size(found: Any) -> float:
    return float(found) if isinstance(found, int | float) else len(found)


def _everywhere(figures: Figures, key: str) -> float:
    """Of the run as root, and of the one as nobody where there was one."""
    users = [figures, *([figures["as_nobody"]] if "as_nobody" in figures else [])]
    return sum(_size(user[key]) for user in users)


def _unfit_tiers(figures: Figures) -> float:
    users = [figures, *([figures["as_nobody"]] if "as_nobody" in figures else [])]
    return sum(len(tier["bad"]) for user in users for tier in user["tiers"].values())


def _trials(figures: Figures, of: Callable[[Figures], float]) -> list[float]:
    return [of(trial) for trial in figures["trials"].values()]


def _rows(figures: Figures, key: str) -> list[float]:
    return [float(row[key]) for row in figures["rows"]]


WORLD = {"library": 80, "state": 70, "command-line": 60, "numeric": 60}
"""Kind of a package -> least median of its covered branches, in per cent."""


def _median_of(kind: str) -> Callable[[Figures], float]:
    """Returns the median of a kind; not a number where none of it was drawn."""
    return lambda figures: float(figures["median_by_kind"].get(kind, math.nan))


def _packages(figures: Figures, key: str) -> list[float]:
    return [float(figures[name][key]) for name in ("black", "tornado")]


def _jail(figures: Figures, work: str, key: str) -> float:
    return max(float(row[key]) for row in figures["rows"] if row["work"] == work)


def _groups(figures: Figures, key: str) -> list[float]:
    return [group[key] for group in figures.values() if isinstance(group, dict) and key in group]


BARS: dict[str, tuple[Bar, ...]] = {
    "attack": (
        Bar("attacks neither contained nor documented", lambda f: _everywhere(f, "bad"), 0),
    ),
    "budgets": (
        none_of("lost", "budgets with less than a smaller one"),
        none_of("nothing", "lifts without a test"),
        none_of("over_budget", "lifts beyond their time and a tenth"),
    ),
    "candidates": (
        Bar("candidates a second, least", lambda f: min(_rows(f, "a_second")), 5000, "at least"),
        Bar("memory of all processes (MB)", lambda f: max(_rows(f, "peak_mb")), 500),
        Bar(
            "time to the same coverage with what was remembered, beside without",
            lambda f: max(_rows(f, "remembered_share")),
            0.5,
        ),
    ),
    "changed": (
        Bar(
            "whole iteration beside a changed one",
            lambda f: f["ratios"]["iteration"],
            5,
            "at least",
        ),
    ),
    "check": (none_of("missed", "rows that miss their bar"),),
    "context": (
        Bar("one function, p95 (ms)", lambda f: max(_packages(f, "p95_ms")), 100),
        Bar("the first function (ms)", lambda f: max(_packages(f, "first_ms")), 2000),
        Bar("all of Black (s)", lambda f: f["black"]["seconds"], 20),
        Bar(
            "key tokens resolved, Black (%)",
            lambda f: f["black"]["resolved_percent"],
            99,
            "at least",
        ),
        Bar(
            "key tokens resolved, Tornado (%)",
            lambda f: f["tornado"]["resolved_percent"],
            95,
            "at least",
        ),
        Bar(
            "of the motivating example, without a single definition",
            lambda f: f["example_tokens"] - f["example_single"],
            0,
        ),
        Bar("its key tokens", lambda f: f["example_tokens"], 17, "at least"),
        Bar("context, p95 (tokens)", lambda f: max(_packages(f, "context_p95")), 1500),
        Bar(
            "function and context, mean (tokens)",
            lambda f: max(_packages(f, "prompt_mean")),
            1500,
        ),
        Bar("memory of the server (MB)", lambda f: max(_packages(f, "memory_mb")), 300),
        Bar(
            "attributes recovered without annotations (%)",
            lambda f: f["untyped"]["recovered_percent"],
            70,
            "at least",
        ),
    ),
    "contradictions": (
        Bar(
            "planted ones that are reported (share)",
            lambda f: min(_trials(f, lambda t: t["reported"] / t["planted"])),
            0.85,
            "at least",
        ),
        Bar(
            "settled for the code",
            lambda f: max(_trials(f, lambda t: t["settled_for_the_code"])),
            0,
        ),
    ),
    "demo": (
        Bar("lines (%)", lambda f: f["line_percent"], 70, "at least"),
        Bar("branches (%)", lambda f: f["branch_percent"], 64, "at least"),
        Bar(
            "seconds to so many lines and branches",
            lambda f: f["seconds_to_coverage"] or math.inf,
            90,
        ),
        Bar("seconds beyond its limit", lambda f: f["seconds_beyond_limit"], 0),
        Bar(
            "tests that fail under sabotage (%)",
            lambda f: f["fail_under_sabotage_percent"],
            95,
            "at least",
        ),
    ),
    "diagnostics": (
        Bar("kinds of broken tests found, of 30", lambda f: f["found"], 27, "at least"),
        Bar("kinds", lambda f: f["kinds"], 30, "at least"),
        none_of("healthy_alarms", "alarms in healthy files"),
        Bar("alarms in 5,000 lines of other people's", lambda f: f["alarms_per_5000_lines"], 1),
    ),
    "dormant": (Bar("beyond bare pytest (ms)", lambda f: f["core_extra_ms"], 4),),
    "first_screen": (
        Bar("seconds until the first line tells of it", lambda f: f["slowest_first_told"], 1),
        Bar("longest silence (s)", lambda f: f["longest_silence"], 1.1),
    ),
    "fuzz": (
        none_of("violations", "violations"),
        Bar(
            "bad readers that are seen (share)",
            lambda f: f["control_seen"] / f["control_cases"],
            1,
            "at least",
        ),
    ),
    "growth": (
        Bar("four times the tests: growth at most", lambda f: max(f["growth"].values()), 6),
        Bar("10,000 tests in 10 files (s)", lambda f: f["large_seconds"], 1),
    ),
    "hostile_candidates": (
        none_of("worse", "suites that got worse"),
        none_of("faking", "mutants that were faked"),
    ),
    "hostile_edits": (none_of("violations", "violations"),),
    "input_tokens": (Bar("share of the thesis' tokens", lambda f: f["ratio_of_means"], 1 / 3),),
    "suites": (
        none_of("worse_after_repair", "projects whose suite runs or passes less after repair"),
        none_of("failed_lifts", "lifts that fail or end without an outcome"),
    ),
    "grounding": (
        Bar(
            "right among the first three, every package (%)",
            lambda f: min(one["found_percent"] for one in f["packages"].values()),
            88,
            "at least",
        ),
        Bar(
            "all of those that were tried while it was made (%)",
            lambda f: f["all"]["found_percent"],
            88,
            "at least",
        ),
        Bar(
            "by the text alone, every package (%)",
            lambda f: min(one["text_percent"] for one in f["packages"].values()),
            88,
            "at least",
        ),
    ),
    "jail": (
        Bar("CPU added to one child (ms)", lambda f: _jail(f, "nothing", "more_ms"), 30),
        Bar("over two seconds (%)", lambda f: _jail(f, "2 s", "percent"), 3),
    ),
    "kill": (none_of("broken_promises", "promises broken"),),
    "large_project": (
        Bar("largest request (tokens)", lambda f: f["largest_request"], 16_000),
        Bar("growth with the size of the project", lambda f: f["growth_with_size"], 1.1),
    ),
    "layout": (
        Bar("files in the wheel", lambda f: f["files"], 300),
        none_of("circles", "circles of imports"),
        none_of("upwards", "imports that point up"),
        none_of("classes_twice", "class names used twice"),
        Bar("modules without a test of their name, percent", lambda f: f["untested_percent"], 20),
        Bar("docstrings that begin with What, Of, The same", lambda f: f["riddles"], 30),
    ),
    "legitimate": (Bar("honest tests that fail undocumented", _unfit_tiers, 0),),
    "links": (Bar("precision", lambda f: f["precision"], 0.97, "at least"),),
    "loop_cost": (
        Bar("beyond bare pytest, of what is allowed", lambda f: f["extra_ms"] / f["allowed_ms"], 1),
    ),
    "marking": (none_of("mismatches", "mismatches"),),
    "minimise": (
        Bar("test functions less (%)", lambda f: f["fewer_percent"], 45, "at least"),
        none_of("lost", "what is lost"),
    ),
    "model_loop": (
        Bar(
            "an iteration beyond pytest, of what is allowed",
            lambda f: f["own_ms"] / f["allowed_ms"],
            1,
        ),
    ),
    "mutation": (
        Bar("verdicts that differ", lambda f: f["differing"] + f["differing_after_increment"], 0),
        Bar("processor time, of mutmut's alone", lambda f: f["ratio"], 0.7),
        Bar("two tests added, of a full run", lambda f: f["increment"], 0.08),
    ),
    "mutation_feedback": (Bar("points gained", lambda f: min(_rows(f, "gained")), 8, "at least"),),
    "mutation_packages": (
        Bar("packages that are measured", lambda f: f["measured"], 8, "at least"),
        none_of("differing", "verdicts that differ"),
    ),
    "offline": (
        Bar(
            "branches, median of the programs (%)",
            lambda f: f["median_branch_percent"],
            90,
            "at least",
        ),
        Bar("branches, least (%)", lambda f: f["least_branch_percent"], 78, "at least"),
        none_of("crashed", "lifts that crashed"),
        none_of("failing", "tests that fail in a shuffled run"),
        none_of("over_budget", "lifts beyond their time and a tenth"),
    ),
    "own_suites": (
        Bar("packages that went wrong", lambda f: f["packages"] - f["good"], 0),
        none_of("newly_failing", "newly failing tests"),
    ),
    "peers": (
        Bar(
            "peers that should fit and do not",
            lambda f: sum(row["expected_to_fit"] and not row["fits"] for row in f["rows"]),
            0,
        ),
    ),
    "pynguin": (
        none_of("behind", "packages where Pynguin's suite passes and covers more branches"),
        Bar(
            "least times faster to the same coverage",
            lambda f: f["least_times_faster"] or math.inf,
            8,
            "at least",
        ),
    ),
    "reading": (Bar("tests that a reader keeps (%)", lambda f: f["kept_percent"], 80, "at least"),),
    "redundant": (
        Bar("planted ones that are found (%)", lambda f: f["found_percent"], 95, "at least"),
    ),
    "refusals": (),
    "repair": (
        Bar("broken tests", lambda f: f["broken"], 240, "at least"),
        Bar("fully repaired (%)", lambda f: f["repaired_percent"], 92, "at least"),
        none_of("less", "repaired into something that asserts less"),
        none_of("with_a_model", "repaired with a model"),
    ),
    "report": (
        Bar("written in (s)", lambda f: f["seconds"], 8),
        Bar("matrix and sources (MB)", lambda f: (f["matrix"] + f["sources"]) / 1e6, 12),
        Bar("first paint (ms)", lambda f: f["first_paint"], 1500),
        Bar("slowest filter (ms)", lambda f: max(f["search"], f["status"], f["search_tests"]), 150),
    ),
    "requirements_load": (Bar("10,000 requirements (s)", lambda f: f["seconds"], 1),),
    "scale": (
        Bar("beside pytest's own run (s)", lambda f: f["seconds"], 10),
        Bar("memory (MB)", lambda f: f["peak_mb"], 500),
        Bar("one archived iteration (MB)", lambda f: f["archive_mb"], 5),
    ),
    "session_cost": (
        Bar(
            "beside bare pytest, again",
            lambda f: max(r["again"] for r in f["ratios"].values()),
            1.05,
        ),
    ),
    "shapes": (Bar("shapes that are not good", lambda f: f["of"] - f["good"], 0),),
    "slow_suites": (
        Bar("mutants a minute, of plain mutmut's", lambda f: f["least_ratio"], 1, "at least"),
        none_of("without_figure", "suites without a figure when the time is up"),
        Bar("seconds to the first figure", lambda f: f["latest_first_figure"], 60),
    ),
    "spine": (
        Bar(
            "the worst module, or a sample of all (%)",
            lambda f: f["percent"] if f["sample"] else f["worst_percent"],
            90,
            "at least",
        ),
        none_of("stale_explanations", "explanations of mutants that are not there"),
    ),
    "vacuous": (
        Bar(
            "planted ones that are found (%)",
            lambda f: min(_groups(f, "found_percent")),
            95,
            "at least",
        ),
        Bar("people's that are called vacuous (%)", lambda f: max(_groups(f, "false_percent")), 2),
    ),
    "world": (
        *(
            Bar(f"branches of {kind} programs, median (%)", _median_of(kind), least, "at least")
            for kind, least in WORLD.items()
        ),
        none_of("crashed", "lifts that crashed"),
        none_of("failing", "tests that fail in a shuffled run"),
    ),
}
"""Benchmark -> its bars; one without any tells figures only."""
