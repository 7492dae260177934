"""Broken tests, made by breaking suites that other people wrote, repaired without a model.

Each test stands in a file of its own with what its file has around it, passes there, is broken in
one to three ways, and fails. Neither its file nor any other test file is there to copy from. It is
fully repaired where it passes again and asserts what it asserted. The packages are drawn from a
list and were not looked at before.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from breaking import broken
from other_suites import diagnosed, suite_as_it_is, unpacked
from sdists import KEPT, environ

from pytest_lift.gate.diagnosis.diagnosing import Diagnoser
from pytest_lift.gate.repair.repairing import Repairer
from pytest_lift.gate.repair.same_checks import checks_in
from pytest_lift.source.syntax import unparsed
from pytest_lift.suite.splice import cut_tests
from pytest_lift.suite.suite import Suite

CANDIDATES = (
    *("jinja2", "mako", "python-dateutil", "webcolors", "portion", "schema", "toolz"),
    *("marshmallow", "construct", "werkzeug"),
)
"""What is drawn from. Drawn by earlier seeds, and looked at since: sqlparse, hpack, anytree, h11,
networkx, babel (18); wtforms, uncertainties, tablib, deepdiff, boltons, lark (19); structlog,
bottle, pyparsing (20, beside some of those before); numpy-financial, parso, packaging, natsort,
inflect, isodate (21); pyrsistent, wcwidth, pluggy, pyjwt, intervaltree, cattrs (22); zict,
itsdangerous, mistune, tinycss2, textdistance, furl, markdown (23)."""
SEED = 24
DRAWN = 6
LEAST = 240
"""Packages, and broken tests, that are drawn at least."""
OF_ONE = 45
"""Broken tests of one package."""
TRIED = 100
"""Tests of one package that are tried, at most."""
AT_ONCE = 60
"""Tests that are tried before it is seen whether more are needed."""
LONGEST = 400
"""Lines of a file that a test stands in, with what is around it."""
OUTCOMES = """
import json, os

def _note(node, outcome):
    with open(os.environ["OUTCOMES"], "a") as file:
        file.write(json.dumps([node, outcome]) + "\\n")

def pytest_runtest_logreport(report):
    if report.when == "call" or report.outcome != "passed":
        _note(report.nodeid, report.outcome)

def pytest_collectreport(report):
    if report.failed:
        _note(report.nodeid, "failed")
"""


@dataclass(frozen=True)
class Case:
    """One test in a file of its own."""

    path: str
    whole: str
    text: str = ""
    ways: tuple[str, ...] = ()


def outcomes(root: Path, files: Mapping[str, str]) -> dict[str, set[str]]:
    """Returns path -> outcomes of its tests, for files that are put in and taken out again."""
    for path, text in files.items():
        (root / path).write_text(text, "utf-8")
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "noted_outcomes.py").write_text(OUTCOMES, "utf-8")
        noted = Path(folder) / "outcomes.jsonl"
        noted.touch()
        command = [sys.executable, "-m", "pytest", "-q", "-p", "noted_outcomes", "--tb=no"]
        command += ["-p", "no:cacheprovider", "--continue-on-collection-errors", "-o", "addopts="]
        env = {**KEPT, "OUTCOMES": str(noted), "PYTHONDONTWRITEBYTECODE": "1"}
        env["PYTHONPATH"] = folder
        chosen = [*files]
        subprocess.run(
            [*command, *chosen], cwd=root, env=env, check=False, capture_output=True, timeout=600
        )
        found: dict[str, set[str]] = {path: set() for path in files}
        for line in noted.read_text("utf-8").splitlines():
            node, outcome = json.loads(line)
            found.setdefault(node.partition("::")[0], set()).add(outcome)
    for path in files:
        (root / path).unlink()
    return found


def cases_of(suite: Suite, chance: random.Random) -> Iterator[Case]:
    """Yields tests, each in a file of its own, in an order that chance decides."""
    tests = [test for test in suite.tests() if suite.naming.is_test_file(test.node.split("::")[0])]
    chance.shuffle(tests)
    for number, test in enumerate(tests[:TRIED]):
        path = test.node.partition("::")[0]
        file = suite.files[path]
        others = {one.inner_node for one in file.tests} - {test.inner_node}
        try:
            text = cut_tests(file.text, others, suite.naming)
        except (SyntaxError, ValueError):
            continue
        text = without_idle_imports(text)
        folder, _, name = path.rpartition("/")
        stem = name.removesuffix(".py").removeprefix("test_")
        if text.count("\n") <= LONGEST:
            yield Case(f"{folder}/test_alone_{number}_{stem}.py".lstrip("/"), text)


def without_idle_imports(text: str) -> str:
    """Returns a text without the imports at its top that nothing in it uses."""
    tree = ast.parse(text)
    used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    used |= {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
    rows = text.splitlines(keepends=True)
    for node in reversed(tree.body):
        if isinstance(node, ast.Import | ast.ImportFrom) and node.col_offset == 0:
            bound = {(a.asname or a.name).partition(".")[0] for a in node.names}
            if (
                not bound & used
                and "*" not in bound
                and getattr(node, "module", "") != "__future__"
            ):
                del rows[node.lineno - 1 : node.end_lineno]
    return "".join(rows)


def passing(root: Path, cases: Sequence[Case]) -> list[Case]:
    """Returns the tests that pass alone."""
    found = outcomes(root, {one.path: one.whole for one in cases})
    return [one for one in cases if found[one.path] == {"passed"}]


def failing(
    root: Path, cases: Sequence[Case], names: tuple[str, ...], chance: random.Random
) -> list[Case]:
    """Returns tests broken in one to three ways, those that fail by it."""
    made = []
    for one in cases:
        times = chance.choices((1, 2, 3), (6, 3, 1))[0]
        found = broken(one.whole, names, chance, times)
        if found is not None:
            made.append(replace(one, text=found[0], ways=found[1]))
    results = outcomes(root, {one.path: one.text for one in made})
    return [one for one in made if "passed" not in results[one.path]]


def inside(root: Path, seed: int) -> dict[str, Any]:
    """Breaks and repairs tests of one package, by the interpreter that has what it needs."""
    chance = random.Random(f"{seed} {root.name}")
    with diagnosed(root) as diagnoser:
        wholes, cases, good = [*cases_of(diagnoser.suite, chance)], list[Case](), 0
        for start in range(0, len(wholes), AT_ONCE):
            if len(cases) < OF_ONE:
                some = passing(root, wholes[start : start + AT_ONCE])
                good += len(some)
                cases += failing(root, some, diagnoser.program.names, chance)
        cases = cases[:OF_ONE]
        alone = replace(diagnoser.suite, files=_without_tests(diagnoser.suite))
        repairer = Repairer(Diagnoser(diagnoser.program, alone, diagnoser.root, diagnoser.server))
        started = time.perf_counter()
        texts = {one.path: repairer.repaired(one.path, one.text) for one in cases}
        seconds = time.perf_counter() - started
    again = outcomes(root, {path: found.text for path, found in texts.items()})
    steady = outcomes(root, {one.path: one.whole for one in cases})
    shaky = [one for one in cases if steady[one.path] != {"passed"}]
    cases = [one for one in cases if one not in shaky]
    rows = [
        {
            "path": one.path,
            "ways": one.ways,
            "repaired": again[one.path] == {"passed"} and same(one.whole, texts[one.path].text),
            "passes": again[one.path] == {"passed"},
            "less": again[one.path] == {"passed"} and less(one, texts[one.path].text),
            "rules": [made.rule for made in texts[one.path].repairs],
            "left": [str(left) for left in texts[one.path].left],
            "broken": one.text,
            "text": texts[one.path].text,
        }
        for one in cases
    ]
    return {"rows": rows, "seconds": round(seconds, 1), "whole": good, "shaky": len(shaky)}


def _without_tests(suite: Suite) -> dict[str, Any]:
    return {p: file for p, file in suite.files.items() if not suite.naming.is_test_file(p)}


def _checks(text: str) -> list[str] | None:
    try:
        return [unparsed(one) for one in checks_in(ast.parse(text))]
    except (SyntaxError, ValueError):
        return None


def same(whole: str, text: str) -> bool:
    """Whether a text asserts what another does, wherever names come from."""
    return _checks(whole) == _checks(text)


def less(case: Case, text: str) -> bool:
    """Whether a text that runs lacks checks of the whole one, those aside that breaking it took."""
    before, broke, after = (Counter(_checks(t) or ()) for t in (case.whole, case.text, text))
    taken = before - broke if broke else Counter[str]()
    return before - after - taken != Counter()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--inside", type=Path)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--show", action="store_true", help="print what is not repaired")
    options = parser.parse_args()
    if options.inside:
        print(json.dumps(inside(options.inside, options.seed)))
        return
    drawn = random.Random(options.seed).sample(CANDIDATES, len(CANDIDATES))
    rows: list[dict[str, Any]] = []
    packages: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as folder:
        for name in drawn:
            if len(packages) >= DRAWN and len(rows) >= LEAST:
                break
            package = unpacked(name, Path(folder, name), ("numpy", "pandas"))
            if package is None or not suite_as_it_is(package.root).files:
                continue
            command = [str(package.python), __file__, "--inside", str(package.root)]
            done = subprocess.run(
                [*command, "--seed", str(options.seed)],
                env=environ(package.python),
                capture_output=True,
                text=True,
                check=False,
            )
            shutil.rmtree(Path(folder, name), ignore_errors=True)
            if done.returncode:
                print(f"{name}: {done.stderr.splitlines()[-1:]}")
                continue
            found = json.loads(done.stdout.splitlines()[-1])
            if found["rows"]:
                packages[name] = show(name, found, details=options.show)
                rows += found["rows"]
    print(json.dumps(figures_of(rows, packages, options.seed)))


def show(name: str, found: dict[str, Any], *, details: bool) -> dict[str, Any]:
    rows = found["rows"]
    repaired = sum(row["repaired"] for row in rows)
    print(f"{name:<20} {len(rows):>4} broken {repaired:>4} repaired {found['seconds']:>7} s")
    for row in rows:
        if not row["repaired"]:
            print(f"  {row['path']}: {', '.join(row['ways'])}: {row['rules']} {row['left'][:3]}")
            if details:
                print(row["broken"], "-" * 20, row["text"], "=" * 20, sep="\n")
    return {"broken": len(rows), "repaired": repaired, "seconds": found["seconds"]}


def figures_of(rows: list[dict[str, Any]], packages: dict[str, Any], seed: int) -> dict[str, Any]:
    by_way: dict[str, list[bool]] = {}
    for row in rows:
        for way in row["ways"]:
            by_way.setdefault(way, []).append(row["repaired"])
    count = max(len(rows), 1)
    several = [row["repaired"] for row in rows if len(row["ways"]) > 1]
    for way, said in sorted(by_way.items()):
        print(f"  {way:<32} {sum(said):>4} of {len(said):>4}")
    return {
        "broken": len(rows),
        "repaired": sum(row["repaired"] for row in rows),
        "repaired_percent": round(100 * sum(row["repaired"] for row in rows) / count, 1),
        "passes_percent": round(100 * sum(row["passes"] for row in rows) / count, 1),
        "less": [row["path"] for row in rows if row["less"]],
        "several": len(several),
        "several_repaired": sum(several),
        "by_way": {way: [sum(said), len(said)] for way, said in sorted(by_way.items())},
        "with_a_model": 0,
        "packages": packages,
        "seed": seed,
        "load": os.getloadavg()[0],
    }


if __name__ == "__main__":
    main()
