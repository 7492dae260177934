"""`make bench-grounding`: are requirements found where they live?

Requirements of five packages, with the symbols that a reader labelled as right before the ranking
was made (grounded/README.md). A requirement is *found* where one of them is among the first three
of the ranking, by its text alone, and with what its examples enter. Its file is right where it is
one of those of the labels. Beside it: the first three in the order that there was before, by names.

    make bench-grounding
    python benchmarks/grounding.py --show     # every requirement that is not found
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from sdists import KEPT, fetched

from pytest_lift.coverage.coverage import Entry
from pytest_lift.oracles.asking import Asker
from pytest_lift.oracles.entering import entered
from pytest_lift.project.discovery import find_program
from pytest_lift.requirements.reader import load_one
from pytest_lift.requirements.requirement import Requirement, Requirements
from pytest_lift.sandbox.jail import Jail, python_reads
from pytest_lift.sandbox.probe import choose
from pytest_lift.source.program import Program
from pytest_lift.trace.grounding.homes import parts
from pytest_lift.trace.grounding.ranking import Ranking
from pytest_lift.trace.grounding.subjects import Grounding
from pytest_lift.trace.grounding.symbol_index import SymbolIndex

TOP = Path(__file__).resolve().parents[1]
FOLDER = TOP / "benchmarks" / "grounded"
HELD_OUT = ("tenacity",)
LIBRARIES = ("six", "packaging")
"""What the packages import."""
FIRST = 3


@dataclass
class Grounded:
    """Figures of one package."""

    name: str
    counts: Counter[str] = field(default_factory=Counter)
    missed: list[str] = field(default_factory=list)
    index_ms: float = 0.0
    rank_ms: float = 0.0
    parts: int = 0

    def share(self, key: str) -> float:
        return round(100 * self.counts[key] / max(self.counts["labelled"], 1), 1)

    @property
    def figures(self) -> dict[str, Any]:
        keys = ("by_names", "text", "found", "home", "in_parts")
        return {
            "labelled": self.counts["labelled"],
            **{f"{key}_percent": self.share(key) for key in keys},
            "files_mean": round(self.parts / max(self.counts["labelled"], 1), 2),
            "index_ms": round(self.index_ms),
            "rank_ms": round(self.rank_ms, 2),
            "missed": self.missed,
        }


def requirements(data: Mapping[str, Any]) -> Requirements:
    if "requirements_file" in data:
        return load_one(TOP / data["requirements_file"])
    return Requirements(tuple(_requirement(row) for row in data["requirements"]))


def _requirement(row: Mapping[str, Any]) -> Requirement:
    texts, sessions = tuple(row["acceptance"]), tuple(row.get("examples", ()))
    title, description = row["title"], row["description"]
    return Requirement(row["id"], title, description, texts, (), "", 1, examples=sessions)


def measured(name: str, data: Mapping[str, Any], folder: Path, *, show: bool) -> Grounded:
    root = fetched(data["package"], folder)
    pip = [sys.executable, "-m", "pip", "install", "-q", "--target", str(root / "libraries")]
    subprocess.run([*pip, *LIBRARIES], check=True, env=KEPT, capture_output=True)
    program = find_program(root, source=[data["folder"]])
    items, found = requirements(data), Grounded(name)
    known = {item.id: item for item in items}
    labels = {key: frozenset(right) for key, right in data["symbols"].items()}
    began = time.perf_counter()
    SymbolIndex(program)
    found.index_ms = 1000 * (time.perf_counter() - began)
    watched = by_execution(program, items, root, folder)
    ranking, informed = Ranking(program, items), Ranking(program, items, watched)
    places = parts(items, program, watched)
    grounding = Grounding(program)
    for key, right in labels.items():
        item = known[key]
        found.counts["labelled"] += 1
        began = time.perf_counter()
        ranking.ranked(item)
        found.rank_ms += 1000 * (time.perf_counter() - began) / len(labels)
        said = {
            "by_names": [(one.path, one.symbol.name) for one in grounding.subjects(item, "word")],
            "text": [(one.path, one.symbol.name) for one in ranking.ranked(item)],
            "found": [(one.path, one.symbol.name) for one in informed.ranked(item)],
        }
        for kind, places_ in said.items():
            hit = any(f"{inside(path)}::{symbol}" in right for path, symbol in places_[:FIRST])
            found.counts[kind] += hit
            if kind == "found" and not hit:
                found.missed.append(key)
                if show:
                    print(f"{name} {key} {item.title}: right is {sorted(right)}; first are")
                    for one in informed.ranked(item)[:5]:
                        told = ", ".join(map(str, one.reasons))
                        print(f"    {one.score:.2f} {one.path} {one.symbol.name}: {told}")
        files = {one.partition("::")[0] for one in right}
        mine = [inside(path) for path in places[key]]
        found.parts += len(mine)
        found.counts["home"] += mine[0] in files
        found.counts["in_parts"] += not files.isdisjoint(mine)
    return found


def inside(path: str) -> str:
    """The path as the labels have it, without a source folder in front."""
    return path.removeprefix("src/")


def by_execution(
    program: Program, items: Requirements, root: Path, folder: Path
) -> Mapping[str, frozenset[Entry]]:
    """What the examples of each requirement enter."""
    jail = choose("auto", Jail("auto", reads=python_reads(root)))
    scratch = folder / "scratch"
    scratch.mkdir()
    asker = Asker(replace(program, beside=("libraries",)), root, scratch, jail)
    return entered(items.testable, (), asker).by_requirement


def table(rows: Sequence[Grounded]) -> None:
    heads = ("package", "labels", "names", "text", "found", "file", "files", "in them")
    print(f"{heads[0]:14}" + "".join(f"{head:>9}" for head in heads[1:]))
    for row in rows:
        f = row.figures
        told = (f["by_names_percent"], f["text_percent"], f["found_percent"], f["home_percent"])
        cells = (f["labelled"], *told, f["files_mean"], f["in_parts_percent"])
        mark = " (held out)" if row.name in HELD_OUT else ""
        print(f"{row.name:14}" + "".join(f"{cell:>9}" for cell in cells) + mark)


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--show", action="store_true", help="print what is not found")
    parser.add_argument("--only", nargs="+", default=[], help="packages, by the names of the files")
    options = parser.parse_args(arguments)
    rows = []
    for path in sorted(FOLDER.glob("*.json")):
        if not options.only or path.stem in options.only:
            with tempfile.TemporaryDirectory() as folder:
                data = json.loads(path.read_text("utf-8"))
                home = Path(folder).resolve() / "sdist"
                home.mkdir()
                rows.append(measured(path.stem, data, home, show=options.show))
    tuned = [row for row in rows if row.name not in HELD_OUT]
    whole = Grounded("all")
    for row in tuned:
        whole.counts.update(row.counts)
        whole.parts += row.parts
    table([*rows, *([whole] if tuned else [])])
    told = {row.name: row.figures for row in rows}
    print(json.dumps({"packages": told, "all": whole.figures, "held_out": HELD_OUT}))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
