"""`make bench-links`: is what counts as verified by the texts alone really so?

Pairs of a requirement and a test, labelled by a reader before the rule that is measured here was
written, and without knowing it: see labelled_links/README.md. A pair is *found* where the program
says of itself that the test verifies the requirement; precision is how many of these a reader
says the same of, recall how many of the reader's are found. The rest goes to an evaluator.

    make bench-links
    python benchmarks/links.py --show      # also every wrong one
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pytest_lift.agents.offline.expecting import written_out
from pytest_lift.expectations.requirement_match import agreement
from pytest_lift.requirements.requirement import Requirement

FOLDER = Path(__file__).parent / "labelled_links"
LEAST_PRECISION, LEAST_LINKS, LEAST_PACKAGES = 0.97, 200, 6


@dataclass(frozen=True)
class Labelled:
    """One pair, and what a reader says of it."""

    package: str
    requirement: Requirement
    test: str
    label: str
    why: str

    @property
    def found(self) -> bool:
        said = tuple(written_out(self.requirement))
        return agreement(self.requirement, self.test, said) is not None


def read_labelled(path: Path) -> list[Labelled]:
    data = json.loads(path.read_text("utf-8"))
    known = {row["id"]: _requirement(row, path.name) for row in data["requirements"]}
    return [
        Labelled(data["package"], known[row["requirement"]], row["test"], row["label"], row["why"])
        for row in data["links"]
    ]


def _requirement(row: dict[str, Any], file: str) -> Requirement:
    texts = tuple(row.get("acceptance", ())), tuple(row.get("examples", ()))
    title, description = row["title"], row.get("description", "")
    return Requirement(row["id"], title, description, texts[0], (), file, 1, examples=texts[1])


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--show", action="store_true", help="print every wrong one")
    options = parser.parse_args(arguments)
    rows = [row for path in sorted(FOLDER.glob("*.json")) for row in read_labelled(path)]
    print(f"{'package':16} {'links':>6} {'verify':>7} {'found':>6} {'right':>6}")
    counted: dict[str, Counter[str]] = {}
    for row in rows:
        counts = counted.setdefault(row.package, Counter())
        counts["links"] += 1
        counts["verify"] += row.label == "verifies"
        counts["found"] += row.found
        counts["right"] += row.found and row.label == "verifies"
        if options.show and row.found and row.label != "verifies":
            print(f"--- {row.requirement.id}: {row.label}: {row.why}\n{row.test}")
    for name, counts in counted.items():
        print(
            f"{name:16} "
            + " ".join(f"{counts[key]:6}" for key in ("links", "verify", "found", "right"))
        )
    total = sum(counted.values(), Counter())
    precision = total["right"] / total["found"] if total["found"] else 0.0
    recall = total["right"] / total["verify"] if total["verify"] else 0.0
    enough = total["links"] >= LEAST_LINKS and len(counted) >= LEAST_PACKAGES
    print(
        f"\nprecision {precision:.1%}, recall {recall:.1%}; load average {os.getloadavg()[0]:.1f}"
    )
    print(
        json.dumps(
            {
                "bench": "links",
                **total,
                "packages": len(counted),
                "precision": round(precision, 4),
                "recall": round(recall, 4),
            }
        )
    )
    return 0 if enough and precision >= LEAST_PRECISION else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
