"""How long 10,000 requirements take to load, beside a bare `yaml.compose` of the same text."""

from __future__ import annotations

import json
import os
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import yaml

from pytest_lift.requirements.reader import load

REQUIREMENTS = 10_000
PER_SCOPE = 50
RUNS = 5
ITEM = """\
    - id: REQ-{n}
      title: Requirement number {n}
      description: >
        A sentence or two that say what the program has to do in case {n},
        and a little of why somebody wants it.
      acceptance:
        - Case {n} gives the value that is named in the examples
        - Any other case leaves the state as it was
      examples: |
        >>> answer({n})
        {n}
"""


def document() -> str:
    """REQUIREMENTS items in nested scopes, PER_SCOPE in each."""
    lines = []
    for n in range(REQUIREMENTS):
        if n % (PER_SCOPE * 10) == 0:
            lines.append(f"chapter_{n}:\n")
        if n % PER_SCOPE == 0:
            lines.append(f"  section_{n}:\n")
        lines.append(ITEM.format(n=n))
    return "".join(lines)


def fastest(action: Callable[[], object]) -> float:
    """Seconds of the fastest of RUNS runs."""
    seconds = []
    for _ in range(RUNS):
        start = time.perf_counter()
        action()
        seconds.append(time.perf_counter() - start)
    return min(seconds)


def main() -> None:
    text = document()
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "requirements.yml")
        path.write_text(text, encoding="utf-8")
        assert len(load([path])) == REQUIREMENTS
        seconds = fastest(lambda: load([path]))
    compose = fastest(lambda: yaml.compose(text, Loader=loader))
    print(f"{REQUIREMENTS:,} requirements, {len(text) / 1e6:.1f} MB, fastest of {RUNS} runs")
    print(f"  load               {seconds:7.3f} s")
    print(f"  yaml.compose       {compose:7.3f} s   ({loader.__name__})")
    print(f"  ratio              {seconds / compose:7.2f}")
    figures = {"bench": "requirements", "requirements": REQUIREMENTS, "seconds": round(seconds, 4)}
    figures |= {"compose_seconds": round(compose, 4), "ratio": round(seconds / compose, 3)}
    average = os.getloadavg()[0] if hasattr(os, "getloadavg") else None
    print(json.dumps({**figures, "load_average": average}))


if __name__ == "__main__":
    main()
