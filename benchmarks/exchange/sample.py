"""A small project with every outcome and awkward texts, run once by pytest with our options."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

AWKWARD = (
    "- a list\n- that goes on\n\n1. numbered\n\nTitle\n=====\n\n.. danger:: no directive",
    "`code` *stars **more |bars| under_ [1]_ `link <x>`_ :role:`x` ends::",
    "[[copy('id')]] <<variant:x>> {{ jinja }} {% raw %} </script><b>bold</b> & \\ \x85 \u2028 end",
)
"""Texts of requirements that are markup for somebody."""

TESTS = '''\
import pytest


@pytest.mark.req("GREET-1", "GREET-2")
def test_both(tmp_path):
    """It greets, and twice."""
    assert tmp_path.is_dir()


@pytest.mark.req("GREET-2")
def test_fails():
    assert 1 == 2


@pytest.mark.req("GREET-3")
@pytest.mark.parametrize("name", ["a", "b,c", "<&>"])
def test_rows(name):
    assert name


@pytest.mark.req("GREET-4")
@pytest.mark.skip(reason="not here")
def test_skipped():
    pass


class TestAll:
    @pytest.mark.req("GREET-5")
    def test_method(self, tmp_path):
        assert not list(tmp_path.iterdir())


@pytest.mark.emergent("nobody asked")
def test_emergent():
    pass


def test_unlinked():
    pass
'''
LINKS = {
    "test_both": ["GREET-1", "GREET-2"],
    "test_fails": ["GREET-2"],
    "test_rows": ["GREET-3"],
    "test_skipped": ["GREET-4"],
    "test_method": ["GREET-5"],
    "test_emergent": [],
    "test_unlinked": [],
}
"""Test function -> ids that it names."""
STATUSES = {
    "GREET-1": "verified",
    "GREET-2": "failing",
    "GREET-3": "verified",
    "GREET-4": "not-run",
    "GREET-5": "verified",
    "GREET-6": "uncovered",
}
CASES = 9
"""Test cases in junit.xml: every row is one."""


@dataclass(frozen=True)
class Sample:
    """The project's folder and what a session with our options left in it."""

    root: Path

    @property
    def requirements(self) -> Path:
        return self.root / "reqs.yml"

    @property
    def needs(self) -> Path:
        return self.root / "needs.json"

    @property
    def junit(self) -> Path:
        return self.root / "junit.xml"


def made(root: Path) -> Sample:
    """Write the project and run its tests once."""
    sample = Sample(root)
    (root / "tests").mkdir(parents=True)
    (root / "tests/test_greet.py").write_text(TESTS, "utf-8")
    (root / "pytest.ini").write_text("[pytest]\n", "utf-8")
    sample.requirements.write_text(json.dumps(_requirements(), indent=1), "utf-8")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    command += ["--requirements=reqs.yml", "--lift-report=needs:needs.json"]
    command += ["--lift-report=json:report.json", "--junitxml=junit.xml"]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    if not (sample.needs.exists() and sample.junit.exists()):
        raise SystemExit(f"the sample project did not run:\n{done.stdout}{done.stderr}")
    return sample


def _requirements() -> dict[str, list[dict[str, Any]]]:
    """Flow style is YAML, too."""
    texts = [*AWKWARD, "It greets.", "It has methods.", "Nothing checks this."]
    return {
        "requirements": [
            {
                "id": f"GREET-{n}",
                "title": f"Greeting {n}",
                "description": text,
                "acceptance": [text, "One sees it."],
                "examples": [">>> 1 + 1\n2"],
                "tags": ["greeting"],
            }
            for n, text in enumerate(texts, 1)
        ]
    }
