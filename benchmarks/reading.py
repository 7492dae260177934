"""`make bench-reading`: how many tests that the offline agents wrote a reader would keep.

``ARGS="--suite DIR --seed N"`` draws twenty tests of a lifted program (its folder or its tests) and
prints them, each with room for a verdict, as a block for `verdicts.txt`. Without it, and after it,
the verdicts of the last round in that file are added up. The rubric: a test is kept if all hold.

behaviour  A call or a story with a visible effect, no getter, no tautology, no `== None`.
values     What a person would type; nothing odd where a plain value reaches the same.
docstring  Says what is asserted, truly and in words that need no second reading.
copy       No other test of the draw, nor a row of one, shows the same.
stays      A maintainer would leave it in a review: no internals, no whole texts or representations
           that any change of wording breaks, not too long to be read in one go.

A verdict is ``keep`` or one of these words for what fails first, then what is wrong in a few words.
"""

from __future__ import annotations

import argparse
import ast
import json
import random
import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

VERDICTS = Path(__file__).with_name("verdicts.txt")
DRAWN = 20
REASONS = ("behaviour", "values", "docstring", "copy", "stays")
HEAD = re.compile(r"^round (\d+), (\S+), seed (\d+), commit (\w+)$")


@dataclass(frozen=True)
class Drawn:
    """Test of a suite: its place and its whole text, decorators included."""

    node: str
    text: str


@dataclass(frozen=True)
class Verdict:
    """What a reader said of one test."""

    round: int
    program: str
    node: str
    word: str
    """keep, or what fails first of `REASONS`."""
    why: str = ""


def tests_of(suite: Path) -> Iterator[Drawn]:
    """Yields the tests of a folder in the order of the files, none of those in hidden folders."""
    for path in sorted(suite.rglob("*.py")):
        place = path.relative_to(suite)
        if any(part.startswith(".") for part in place.parts):
            continue
        try:
            text = path.read_text("utf-8")
            tree = ast.parse(text)
        except (SyntaxError, UnicodeDecodeError):
            continue  # a program may have files of an older Python
        lines = text.splitlines()
        classes = [node for node in tree.body if isinstance(node, ast.ClassDef)]
        for node in [*tree.body, *(node for one in classes for node in one.body)]:
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                first = min([node.lineno, *(mark.lineno for mark in node.decorator_list)])
                body = "\n".join(lines[first - 1 : node.end_lineno])
                yield Drawn(f"{place}::{node.name}", body)


def drawn(suite: Path, seed: int) -> list[Drawn]:
    """Returns twenty tests, or all where there are fewer; always the same ones for a seed."""
    tests = list(tests_of(suite))
    return random.Random(seed).sample(tests, min(DRAWN, len(tests)))


def shown(tests: Sequence[Drawn], program: str, seed: int) -> str:
    """Returns the tests as comments, each above a line for its verdict."""
    blocks = []
    for test in tests:
        text = "\n".join(f"# {line}".rstrip() for line in test.text.splitlines())
        blocks.append(f"{text}\n{test.node}: ?")
    return "\n\n".join([f"round ?, {program}, seed {seed}, commit ?", *blocks])


def verdicts(text: str) -> Iterator[Verdict]:
    """Yields the verdicts of a text; ValueError names the line that is none."""
    number, program = 0, ""
    for line in text.splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        if head := HEAD.match(line):
            number, program = int(head[1]), head[2]
            continue
        node, _, said = line.partition(": ")
        word, _, why = said.partition(" ")
        if not program or word not in ("keep", *REASONS):
            raise ValueError(f"no verdict: {line!r}")
        yield Verdict(number, program, node, word, why)


def figures_of(found: Sequence[Verdict]) -> dict[str, Any]:
    """Returns the shares of the last round, over all and by program, and why tests fell."""
    last = max((one.round for one in found), default=0)
    of_last = [one for one in found if one.round == last]
    rows = []
    for program in dict.fromkeys(one.program for one in of_last):
        own = [one for one in of_last if one.program == program]
        kept = sum(one.word == "keep" for one in own)
        percent = round(100 * kept / len(own), 1)
        rows.append({"program": program, "tests": len(own), "kept_percent": percent})
    kept = sum(one.word == "keep" for one in of_last)
    return {
        "bench": "reading",
        "round": last,
        "tests": len(of_last),
        "kept_percent": round(100 * kept / len(of_last), 1) if of_last else None,
        "fell": dict(Counter(one.word for one in of_last if one.word != "keep").most_common()),
        "rows": rows,
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--suite", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    if options.suite is not None:
        tests = drawn(options.suite, options.seed)
        print(shown(tests, options.suite.resolve().name, options.seed), end="\n\n")
        # Whoever reads a suite should not know what was kept of others.
        print(json.dumps({"bench": "reading", "drawn": len(tests)}))
        return 0
    text = VERDICTS.read_text("utf-8") if VERDICTS.is_file() else ""
    figures = figures_of(list(verdicts(text)))
    for row in figures["rows"]:
        print(f"{row['program']:>22} {row['tests']:>4} tests {row['kept_percent']:>6} % kept")
    print(json.dumps(figures))
    return 0


if __name__ == "__main__":
    sys.exit(main())
