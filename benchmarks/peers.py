"""`make bench-peers`: other tools read what we write, and we read what they write.

Each tool is fetched from PyPI into a virtual environment that is thrown away. Exit code 1 when one
that should fit does not; pytest-reqcov is only told about.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from exchange import junit_tools, requirement_tools, sphinx_tools
from exchange.sample import made
from exchange.tools import Check, Found, Tool, installed

SPHINX = ("sphinx-needs==9.*",)
CHECKS = (
    Check("sphinx-needs", SPHINX, "needimport of needs.json", sphinx_tools.imports_needs),
    Check(
        "sphinx-test-reports",
        ("sphinx-test-reports==3.*", *SPHINX),
        "test-file of junit.xml",
        sphinx_tools.reads_junit,
    ),
    Check("doorstop", ("doorstop==3.2",), "tree -> loader", requirement_tools.doorstop_tree),
    Check("doorstop", ("doorstop==3.2",), "CSV -> loader", requirement_tools.doorstop_csv),
    Check("strictdoc", ("strictdoc==0.30.*",), "junit.xml", junit_tools.strictdoc_report),
    Check("junitparser", ("junitparser",), "junit.xml", junit_tools.junitparser_properties),
    Check("reqcov", ("reqcov",), "YAML, marks, junit.xml", junit_tools.reqcov_report),
    Check("pytest-reqcov", ("pytest-reqcov",), "marks", junit_tools.pytest_reqcov_marks),
    Check(
        "check-jsonschema",
        ("check-jsonschema",),
        "published schema",
        requirement_tools.published_schema,
    ),
)
TOLD = ("pytest-reqcov",)
"""Tools that are looked at, whatever comes out."""


def rows(folder: Path, chosen: list[str]) -> Iterator[dict[str, object]]:
    sample = made(folder / "sample")
    tools: dict[tuple[str, ...], tuple[Tool, str]] = {}
    for number, check in enumerate(CHECKS):
        if chosen and check.peer not in chosen:
            continue
        if check.packages not in tools:
            tools[check.packages] = installed(check.packages, folder / f"venv-{number}")
        tool, version = tools[check.packages]
        box = folder / f"box-{number}"
        box.mkdir()
        started = time.monotonic()
        found = _found(check, tool, sample, box)
        yield {
            "peer": f"{check.peer} {version}",
            "what": check.what,
            "fits": found.fits,
            "result": found.what,
            "expected_to_fit": check.peer not in TOLD,
            "seconds": round(time.monotonic() - started, 1),
        }


def _found(check: Check, tool: Tool, sample: object, box: Path) -> Found:
    try:
        return check.of(tool, sample, box)  # type: ignore[arg-type]
    except Exception as error:  # a tool that falls over is a result, too
        return Found(False, f"{type(error).__name__}: {error}"[:160])


def main() -> int:
    found = []
    print(f"{'peer':<28} {'what':<26} {'fits':<5} result", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        for row in rows(Path(folder).resolve(), sys.argv[1:]):
            found.append(row)
            fits = "yes" if row["fits"] else "NO"
            print(f"{row['peer']:<28} {row['what']:<26} {fits:<5} {row['result']}", flush=True)
    print(json.dumps({"bench": "peers", "rows": found, "load_average": os.getloadavg()[0]}))
    return any(row["expected_to_fit"] and not row["fits"] for row in found)


if __name__ == "__main__":
    sys.exit(main())
