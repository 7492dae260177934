"""Readers of junit.xml and of our marks: strictdoc, junitparser, reqcov, pytest-reqcov."""

from __future__ import annotations

import csv
import json
import shutil
from pathlib import Path

from exchange.sample import CASES, LINKS, STATUSES, Sample
from exchange.tools import Found, Tool, last_words

STRICTDOC = """\
from strictdoc.core.project_config import ProjectConfig


def create_config():
    return ProjectConfig(
        project_title="sample",
        project_features=["TABLE_SCREEN", "REQUIREMENT_TO_SOURCE_TRACEABILITY"],
    )
"""
PROPERTIES = """\
import json, sys
from junitparser import JUnitXml, Properties, Property

found = {}
for suite in JUnitXml.fromfile(sys.argv[1]):
    for case in suite:
        groups = case.iterchildren(Properties)
        pairs = [one for group in groups for one in group.iterchildren(Property)]
        found[case.name] = [one.value for one in pairs if one.name == "requirement"]
print(json.dumps(found))
"""
REQCOV = """\
requirements: [reqs.yml]
tests: ["tests/**/*.py"]
junit: [junit.xml]
report: {formats: [json]}
"""
EQUAL = {
    "verified": "verified",
    "failing": "failing",
    "uncovered": "uncovered",
    "skipped": "not-run",
}
"""A status of reqcov -> ours."""


def strictdoc_report(tool: Tool, sample: Sample, box: Path) -> Found:
    """The test report is a document, with a result and the ids for every test that ran."""
    (box / "strictdoc_config.py").write_text(STRICTDOC, "utf-8")
    (box / "reqs.sdoc").write_text("[DOCUMENT]\nTITLE: Requirements\n\n" + _sdoc(), "utf-8")
    shutil.copytree(sample.root / "tests", box / "tests")
    shutil.copy(sample.junit, box / "suite.pytest.junit.xml")
    done = tool.run("strictdoc", "export", "--output-dir", box / "out", ".", cwd=box)
    pages = list((box / "out").rglob("suite.pytest.junit.html"))
    if done.returncode or not pages:
        return Found(False, last_words(done))
    page = pages[0].read_text("utf-8")
    shown = [name for name in LINKS if name in page]
    ids = [name for name in STATUSES if name in page]
    linked = {name for names in LINKS.values() for name in names}
    fits = len(shown) == len(LINKS) and set(ids) == linked
    return Found(fits, f"{len(shown)} of {len(LINKS)} tests, {len(ids)} of {len(linked)} ids")


def junitparser_properties(tool: Tool, sample: Sample, box: Path) -> Found:
    done = tool.run("python", "-c", PROPERTIES, sample.junit, cwd=box)
    if done.returncode:
        return Found(False, last_words(done))
    cases = json.loads(done.stdout)
    found = {name.partition("[")[0]: _ids(values) for name, values in cases.items()}
    several = any(len(values) > 1 for values in cases.values())
    form = "a property per id" if several else "one property with all ids"
    return Found(found == LINKS and len(cases) == CASES, f"{len(cases)} cases, {form}")


def reqcov_report(tool: Tool, sample: Sample, box: Path) -> Found:
    """reqcov reads requirements, marks and results, and says of each what we say."""
    shutil.copytree(sample.root, box, dirs_exist_ok=True)
    (box / "reqcov.yml").write_text(REQCOV, "utf-8")
    done = tool.run("reqcov", "check", cwd=box)
    report = box / "reqcov-report/coverage.json"
    if not report.exists():
        return Found(False, last_words(done))
    said = {one["id"]: one["status"] for one in json.loads(report.read_text())["requirements"]}
    differ = [name for name in STATUSES if EQUAL.get(said.get(name, "")) != STATUSES[name]]
    words = f"; otherwise: {', '.join(f'{name} {said.get(name)}' for name in differ)}"
    return Found(not differ, f"{len(said)} requirements{words if differ else ', same statuses'}")


def pytest_reqcov_marks(tool: Tool, sample: Sample, box: Path) -> Found:
    """pytest-reqcov reads marks of the same name; it wants the id as a keyword."""
    shutil.copytree(sample.root / "tests", box / "tests")
    rows = "".join(f"{name},text\n" for name in STATUSES)
    (box / "reqs.csv").write_text(f"id,text\n{rows}", "utf-8")
    options = ("--reqcov-reqs=reqs.csv", "--reqcov-output=out.csv", "-p", "no:cacheprovider")
    done = tool.run("python", "-m", "pytest", "-q", *options, cwd=box)
    if not (box / "out.csv").exists():
        return Found(False, last_words(done))
    with (box / "out.csv").open(encoding="utf-8") as file:
        said = {row["item"]: row["status"] for row in csv.DictReader(file, delimiter=";")}
    seen = [name for name, status in said.items() if status != "NOT_TESTED"]
    expected = {name for names in LINKS.values() for name in names if name != "GREET-4"}
    return Found(set(seen) == expected, f"{len(seen)} of {len(expected)} tested requirements seen")


def _sdoc() -> str:
    items = (f"[REQUIREMENT]\nUID: {n}\nTITLE: {n}\nSTATEMENT: It greets.\n" for n in STATUSES)
    return "\n".join(items)


def _ids(values: list[str]) -> list[str]:
    return sorted(one.strip() for value in values for one in value.split(",") if one.strip())
