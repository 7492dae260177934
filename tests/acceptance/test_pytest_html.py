"""pytest-html's report has columns for requirements and their level where both are active."""

from __future__ import annotations

import html
import json
import os
import re
import sys
from pathlib import Path

import pytest
from conftest import SOURCE, Project

PLUGIN = Path(sys.prefix) / "pytest-html"
"""Installed apart from the other packages: it costs every session that finds it."""

TESTS = """
import pytest

@pytest.mark.req("R-1", "R-<9>")
def test_one():
    pass

def test_two():
    pass
"""
REQUIREMENTS = "r: [{id: R-1, title: t, description: d, acceptance: a, level: unit}]\n"


@pytest.mark.parametrize("options", [(), ("-n", "2")])
def test_ids_and_levels_are_columns(project: Project, options: tuple[str, ...]) -> None:
    if not PLUGIN.is_dir():
        pytest.skip(f"pytest-html is not installed in {PLUGIN}")
    project.write({"tests/test_a.py": TESTS, "reqs.yml": REQUIREMENTS})
    result = project.pytest(
        "--requirements=reqs.yml",
        "--html=report.html",
        *options,
        PYTHONPATH=os.pathsep.join(map(str, (SOURCE, PLUGIN))),
    )
    assert result.status == 0, result.text
    page = project.read("report.html")
    blob = re.search(r'data-jsonblob="([^"]*)"', page)
    assert blob is not None
    rows = {
        name: " ".join(found[0]["resultsTableRow"])
        for name, found in json.loads(html.unescape(blob[1]))["tests"].items()
    }
    one, two = rows["tests/test_a.py::test_one"], rows["tests/test_a.py::test_two"]
    assert '<td class="col-requirement">R-1, R-&lt;9&gt;</td>' in one
    assert '<td class="col-level">unit</td>' in one
    assert '<td class="col-requirement"></td>' in two
    assert page.count('data-column-type="requirement"') == 1
