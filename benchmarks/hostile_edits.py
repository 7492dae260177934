"""`make bench-hostile_edits`: 20,000 hostile edits at the gate: refused, repaired or let through.

The operations are those of `tests/hostile_edits.py`. Exit status 1 when something of the accepted
tests or of the user's is lost after the gate, or does not parse, or stands outside the layout.
"""

from __future__ import annotations

import json
import sys
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

EDITS = int(sys.argv[1]) if sys.argv[1:] else 20_000
CHUNK = 250
WORKERS = 2
VERDICTS = ("refused", "repaired", "let through")
OPERATIONS = Path(__file__).resolve().parents[1] / "tests" / "hostile_edits.py"


def operations() -> Any:
    """The module of the tests: they and this count the same edits."""
    if "hostile_operations" not in sys.modules:
        spec = spec_from_file_location("hostile_operations", OPERATIONS)
        assert spec is not None
        assert spec.loader is not None
        sys.modules["hostile_operations"] = module = module_from_spec(spec)
        spec.loader.exec_module(module)
    return sys.modules["hostile_operations"]


def chunk(start: int) -> tuple[dict[str, Counter[str]], list[tuple[int, str]]]:
    rows: tuple[dict[str, Counter[str]], list[tuple[int, str]]]
    rows = operations().table(range(start, min(start + CHUNK, EDITS)))
    return rows


def main() -> int:
    began = time.monotonic()
    rows: dict[str, Counter[str]] = {name: Counter() for name in operations().OPERATIONS}
    wrong: list[tuple[int, str]] = []
    with ProcessPoolExecutor(WORKERS) as pool:
        for part, found in pool.map(chunk, range(0, EDITS, CHUNK)):
            wrong += found
            for name, counts in part.items():
                rows[name] += counts
    print(f"{'operation':<26}" + "".join(f"{verdict:>13}" for verdict in VERDICTS))
    for name, counts in rows.items():
        print(f"{name:<26}" + "".join(f"{counts[verdict]:>13}" for verdict in VERDICTS))
    for seed, what in wrong[:20]:
        print(f"violation: seed {seed}: {what}")
    print(
        json.dumps(
            {
                "bench": "hostile_edits",
                "edits": EDITS,
                "violations": len(wrong),
                "operations": {name: dict(counts) for name, counts in rows.items()},
                "seconds": round(time.monotonic() - began, 1),
            }
        )
    )
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
