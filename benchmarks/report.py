"""How long the HTML report of a large suite takes to write, to show in a browser, and to filter."""

from __future__ import annotations

import json
import os
import shutil
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, sync_playwright

from pytest_lift.report.writing import write_report
from pytest_lift.settings import ReportTarget

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
from report_of import big

REQUIREMENTS = 2_000
TESTS = 10_000
SEARCHES = ("group 7", "req-19", "case_81", "stock chapter 3", "nothing like it", "d", "REQ-1999")
STATUSES = ("failing", "verified", "uncovered", "waived", "touched", "", "non-goal")
FLAGS = (
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
    "--enable-precise-memory-info",
)
FILTER = """
([field, value]) => new Promise((done) => {
    const input = document.getElementById(field);
    const start = performance.now();
    input.value = value;
    input.dispatchEvent(new Event("input", { bubbles: true }));
    requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now() - start)));
})
"""
LOADED = """
() => {
    const paint = performance.getEntriesByName("first-contentful-paint")[0];
    const [load] = performance.getEntriesByType("navigation");
    return {
        first_paint: paint.startTime,
        load: load.loadEventEnd,
        elements: document.querySelectorAll("*").length,
        heap: performance.memory.usedJSHeapSize,
    };
}
"""


def sizes(text: str) -> dict[str, int]:
    """Bytes of the page, and of those the matrix and the sources of tests."""
    matrix = text[text.index('id="requirements"') : text.index('id="tests"')]
    tests = text[text.index('id="tests"') : text.index('id="candidates"')]
    sources = sum(len(part.partition("</pre>")[0]) for part in tests.split('<pre class="py">')[1:])
    return {"bytes": len(text.encode()), "matrix": len(matrix.encode()), "sources": sources}


def filtering(page: Page, field: str, values: tuple[str, ...]) -> float:
    """Milliseconds from an input event to the frame after the next one, median of `values`."""
    taken: list[float] = [page.evaluate(FILTER, [field, value]) for value in values]
    page.evaluate(FILTER, [field, ""])
    return statistics.median(taken)


def browsing(path: Path) -> dict[str, Any]:
    """Milliseconds in headless Chromium."""
    executable = shutil.which("chromium")
    assert executable, "install chromium to run this benchmark"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable, args=list(FLAGS))
        page = browser.new_page(viewport={"width": 1440, "height": 900})
        page.goto(path.as_uri())
        page.wait_for_timeout(1500)  # the lists read their rows when nothing else is to do
        figures: dict[str, Any] = page.evaluate(LOADED)
        figures["search"] = filtering(page, "q", SEARCHES)
        figures["status"] = filtering(page, "f-status", STATUSES)
        figures["search_tests"] = filtering(page, "tq", SEARCHES)
        browser.close()
    return figures


def main() -> None:
    report = big(REQUIREMENTS, TESTS)
    with tempfile.TemporaryDirectory() as folder:
        start = time.perf_counter()
        path = write_report(report, ReportTarget("html", Path(folder)))
        seconds = time.perf_counter() - start
        size = sizes(path.read_text(encoding="utf-8"))
        seen = browsing(path)
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else None
    print(f"{REQUIREMENTS:,} requirements, {TESTS:,} tests; load average {load}")
    for name, value, unit, bar in (
        ("written in", f"{seconds:.2f}", "s", "8"),
        ("page", f"{size['bytes'] / 1e6:.2f}", "MB", ""),
        ("matrix and sources", f"{(size['matrix'] + size['sources']) / 1e6:.2f}", "MB", "12"),
        ("first paint", f"{seen['first_paint']:.0f}", "ms", "1500"),
        ("load event", f"{seen['load']:.0f}", "ms", ""),
        ("search requirements", f"{seen['search']:.0f}", "ms", "150"),
        ("choose a status", f"{seen['status']:.0f}", "ms", "150"),
        ("search tests", f"{seen['search_tests']:.0f}", "ms", "150"),
        ("elements", f"{seen['elements']:,}", "", ""),
        ("heap of scripts", f"{seen['heap'] / 1e6:.0f}", "MB", ""),
    ):
        print(f"  {name:<20} {value:>9} {unit:<3}{f'  bar {bar}' if bar else ''}")
    figures = {"bench": "report", "requirements": REQUIREMENTS, "tests": TESTS}
    figures |= {"seconds": round(seconds, 3), **size}
    figures |= {name: round(value, 1) for name, value in seen.items()}
    print(json.dumps({**figures, "load_average": load}))


if __name__ == "__main__":
    main()
