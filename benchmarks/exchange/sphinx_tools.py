"""sphinx-needs reads needs.json, sphinx-test-reports reads junit.xml; warnings are errors."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

from exchange.sample import CASES, LINKS, STATUSES, Sample
from exchange.tools import Found, Tool, last_words

CONF = "project = 'sample'\nneeds_build_json = True\nextensions = ['sphinx_needs'{more}]\n"
TEST_FILE = """
.. test-file:: Tests
   :file: junit.xml
   :id: TF_001
   :auto_suites:
   :auto_cases:
"""


def imports_needs(tool: Tool, sample: Sample, box: Path) -> Found:
    """Every id, status and link that we know is in what sphinx-needs builds."""
    (box / "conf.py").write_text(CONF.format(more=""), "utf-8")
    (box / "index.rst").write_text("Needs\n=====\n\n.. needimport:: needs.json\n", "utf-8")
    shutil.copy(sample.needs, box)
    done = tool.run("sphinx-build", "-q", "-W", "-b", "html", ".", "out", cwd=box)
    if done.returncode:
        return Found(False, last_words(done))
    needs = _built(box)
    statuses = {one["id"]: one["status"] for one in needs if one["type"] == "req"}
    links = {_function(one["title"]): one["links"] for one in needs if one["type"] == "test"}
    back = {one["id"] for one in needs if one["type"] == "req" and one["links_back"]}
    page = (box / "out/index.html").read_text("utf-8")
    fits = (statuses, links) == (STATUSES, LINKS) and all(name in page for name in STATUSES)
    count = sum(map(len, links.values()))
    return Found(fits, f"{len(statuses)} requirements, {len(back)} linked by {count} links, -W")


def reads_junit(tool: Tool, sample: Sample, box: Path) -> Found:
    """Every test case is a need, linked to the requirements that its property names."""
    more = "tr_property_link_types = {'requirement': 'links'}\n"
    conf = CONF.format(more=", 'sphinx_test_reports'") + more
    (box / "conf.py").write_text(conf, "utf-8")
    text = f"Needs\n=====\n\n.. needimport:: needs.json\n{TEST_FILE}"
    (box / "index.rst").write_text(text, "utf-8")
    for path in (sample.needs, sample.junit):
        shutil.copy(path, box)
    done = tool.run("sphinx-build", "-q", "-W", "-b", "html", ".", "out", cwd=box)
    if done.returncode:
        return Found(False, last_words(done))
    cases = [one for one in _built(box) if one["type"] == "testcase"]
    links = {
        _function(one["title"]): [link for link in one["links"] if link in STATUSES]
        for one in cases
    }
    lost = sorted(name for name in LINKS if sorted(links.get(name, ())) != LINKS[name])
    said = f"links lost of {', '.join(lost)}" if lost else "all links"
    return Found(len(cases) == CASES and not lost, f"{len(cases)} of {CASES} cases, {said}, -W")


def _built(box: Path) -> list[dict[str, Any]]:
    (version,) = json.loads((box / "out/needs.json").read_text("utf-8"))["versions"].values()
    return list(version["needs"].values())


def _function(title: str) -> str:
    return title.rpartition("::")[2].partition("[")[0]
