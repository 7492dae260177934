"""`make bench-budgets`: one program lifted from no tests with more and more time.

More time never gives less: branches that the new tests execute under plain coverage.py, for each
program and seed, by budget. ``--names a,b``: other programs; ``--budgets 10,60,300``: in seconds.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from itertools import pairwise

from untested import Plan, Row, print_rows, rows_of

KNOWN, BUDGETS = "semver,tomli,jmespath", "10,60,300"
NOISE = 0.5
"""Percent of branches that less is no less: what a branch or two of a small program are."""


def losses(rows: Sequence[Row]) -> Iterator[str]:
    """What more time lost: the program, both budgets, both shares of branches."""
    by_lift: dict[tuple[str, int], list[Row]] = {}
    for row in rows:
        by_lift.setdefault((row.program, row.seed), []).append(row)
    for found in by_lift.values():
        for less, more in pairwise(found):
            if more.branch_percent < less.branch_percent - NOISE:
                shares = f"{less.branch_percent:.1f} -> {more.branch_percent:.1f} %"
                yield f"{more.program}, seed {more.seed}: {shares}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--names", default=KNOWN)
    parser.add_argument("--budgets", default=BUDGETS)
    parser.add_argument("--seeds", type=int, default=1)
    options = parser.parse_args()
    budgets = [float(text) for text in options.budgets.split(",")]
    rows: list[Row] = []
    for seconds in budgets:
        plan = Plan(seconds, tuple(range(1, options.seeds + 1)))
        for name in options.names.split(","):
            rows += rows_of(f"{seconds:g} s", name, plan, None)
    rows.sort(key=lambda row: (row.program, row.seed))
    print_rows(rows)
    figures = {
        "budgets": budgets,
        "branch_percent": {
            f"{row.program} {row.seed} {row.kind}": row.branch_percent for row in rows
        },
        "lost": list(losses(rows)),
        "nothing": [f"{row.program} {row.kind}" for row in rows if not row.tests],
        "over_budget": [f"{row.program} {row.kind}: {row.seconds} s" for row in rows if row.over],
    }
    print(json.dumps(figures))
    return 0


if __name__ == "__main__":
    sys.exit(main())
