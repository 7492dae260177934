"""`make bench-world SEED=n`: twelve packages of `world.txt` that were never drawn before.

They are fetched without their tests and lifted for a minute each; what was drawn is written down in
`drawn.txt` at once, so that no package is tuned for and then drawn again.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections.abc import Iterator
from pathlib import Path

from sdists import TOP, drawn
from untested import Plan, Row, figures_of, print_rows, rows_of

LEDGER = TOP / "benchmarks/drawn.txt"


def packages(seed: int) -> Iterator[tuple[str, str]]:
    """(kind, name) of packages that were never drawn before; each is written down at once."""
    before = LEDGER.read_text("utf-8").split() if LEDGER.is_file() else []
    for kind, name in drawn(seed):
        if name not in before:
            with LEDGER.open("a", encoding="utf-8") as ledger:
                ledger.write(f"{name}\n")
            yield kind, name


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--draw", type=int, default=12)
    parser.add_argument("--seed", type=int, default=random.randrange(10**6))
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--keep", type=Path, help="folder for the programs with their tests")
    options = parser.parse_args()
    plan = Plan(options.seconds, (1,), options.keep)
    rows: list[Row] = []
    for kind, name in packages(options.seed):
        rows += rows_of(kind, name, plan, None)
        if sum(not row.skipped for row in rows) >= options.draw:
            break
    print_rows(rows)
    figures = {**figures_of("world", rows, plan), "seed": options.seed}
    print(json.dumps(figures))
    return int(bool(figures["crashed"] or figures["failing"]))


if __name__ == "__main__":
    sys.exit(main())
