"""`make bench-NAME`: one benchmark, held against its bars; `make bench`: the last result of each.

A benchmark prints a table and, as its last line, one JSON object. Exit code 1 where a bar is missed
or the benchmark itself failed. With ``KEEP=1`` in the environment the result is kept in
`results.json`, with the commit that it is of, and `RESULTS.md` is written anew.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Any

from bars import BARS, Bar

HERE = Path(__file__).resolve().parent
RESULTS, TABLE = HERE / "results.json", HERE / "RESULTS.md"
Result = dict[str, Any]
MISSED, FAILED = "missed", "failed"
HEAD = """\
# Benchmarks: the last result of each

Written by `make bench-NAME KEEP=1` (see `benchmarks/run.py`); what each of them measures is told in
`docs/benchmarks.md`. A commit with `+` had changes that were not committed. The load is the average
of the last minute, on two cores.

| benchmark | commit | date | load | what | figure | bar | |
|---|---|---|---|---|---|---|---|
"""


def main(arguments: Sequence[str]) -> int:
    if not arguments:
        print(table(kept()), end="")
        return 0
    name, *options = arguments
    if name not in BARS:
        print(f"there is no benchmark {name!r}: one of {', '.join(sorted(BARS))}", file=sys.stderr)
        return 2
    load, now = os.getloadavg()[0], commit()
    status, figures, line = run(name, options)
    measured = held(BARS[name], figures) if figures is not None else []
    for one in measured:
        print(
            f"{'met' if one['met'] else 'MISSED':>6}  {one['what']}: {one['value']} ({one['bar']})"
        )
    if line:
        print(line, flush=True)
    result = {
        "commit": now,
        "date": date.today().isoformat(),
        "load": round(load, 1),
        "arguments": options,
        "status": status,
        "bars": measured,
    }
    if os.environ.get("KEEP") == "1":
        keep({**kept(), name: result})
    return status or int(not all(one["met"] for one in measured))


def run(name: str, options: Sequence[str]) -> tuple[int, dict[str, Any] | None, str]:
    """Its exit code, its JSON object, and the line that this is; all other lines are passed on."""
    last = ""
    command = [sys.executable, str(HERE / f"{name}.py"), *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, errors="replace") as child:
        assert child.stdout is not None
        for line in child.stdout:
            if last:
                print(last, flush=True)
            last = line.rstrip("\n")
    try:
        figures = json.loads(last)
    except ValueError:
        figures = None
    if not isinstance(figures, dict):
        print(last)
        return child.returncode or 1, None, ""
    return child.returncode, figures, last


def held(bars: Sequence[Bar], figures: Mapping[str, Any]) -> list[Result]:
    """Each bar with its figure, and whether that meets it."""
    rows = []
    for bar in bars:
        try:
            value: float | None = round(float(bar.of(figures)), 4)
        except (KeyError, TypeError, ValueError, ArithmeticError):
            value = None  # a part of the benchmark was asked for, which does not have it
        told = f"{bar.holds} {bar.limit:.4g}"
        met = value is not None and bar.met(value)
        rows.append({"what": bar.what, "value": value, "bar": told, "met": met})
    return rows


def commit() -> str:
    """Short hash of what is checked out; `+` behind it where a file that counts is changed."""
    ask = ["git", "-C", str(HERE), "-c", "core.fsmonitor="]
    head = subprocess.run([*ask, "rev-parse", "--short=10", "HEAD"], capture_output=True, text=True)
    watched = ["--", "../src", "*.py"]
    status = [*ask, "status", "--porcelain", *watched]
    changed = subprocess.run(status, capture_output=True, text=True)
    return head.stdout.strip() + ("+" if changed.stdout.strip() else "")


def kept() -> dict[str, Result]:
    if not RESULTS.is_file():
        return {}
    found: dict[str, Result] = json.loads(RESULTS.read_text("utf-8"))
    return found


def keep(results: Mapping[str, Result]) -> None:
    RESULTS.write_text(json.dumps(results, indent=1, sort_keys=True) + "\n", "utf-8")
    TABLE.write_text(table(results), "utf-8")


def table(results: Mapping[str, Result]) -> str:
    """Markdown: a row for each bar of each benchmark, those that were never run among them."""
    lines = [line for name in sorted(BARS) for line in _lines(name, results.get(name))]
    return HEAD + "".join(f"| {' | '.join(cells)} |\n" for cells in lines)


def _lines(name: str, result: Result | None) -> list[list[str]]:
    command = f"`make bench-{name}`"
    if result is None:
        bars = [[bar.what, "", f"{bar.holds} {bar.limit:.4g}", "never run"] for bar in BARS[name]]
        return [[command, "", "", "", *cells] for cells in bars or [["", "", "", "never run"]]]
    if result["arguments"]:
        command = f'`make bench-{name} ARGS="{" ".join(result["arguments"])}"`'
    about = [command, result["commit"], result["date"], f"{result['load']}"]
    all_met = all(one["met"] for one in result["bars"])
    fine = FAILED if result["status"] and all_met else ""
    rows = [
        [one["what"], _shown(one["value"]), one["bar"], fine if one["met"] else MISSED]
        for one in result["bars"]
    ]
    rows = rows or [["", "", "", fine]]
    return [[*about, *cells] for cells in rows]


def _shown(value: float | None) -> str:
    return "not measured" if value is None else f"{value:g}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
