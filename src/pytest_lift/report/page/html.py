"""The report as one HTML file that holds its styles, scripts and data, and fetches nothing."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from markupsafe import Markup

from pytest_lift.report.facts import Report
from pytest_lift.report.page import mutants, progress, rows, words
from pytest_lift.report.stored import with_texts
from pytest_lift.text.printable import spelled_out

STYLES = ("style.css", "parts.css")
SCRIPTS = ("source.js", "lists.js", "curves.js", "page.js")
_ESCAPES = {ord(sign): f"\\u{ord(sign):04x}" for sign in "<>&\u2028\u2029"}


def legible(report: Report) -> Report:
    """Replaces control characters by visible text; equal texts stay equal, so that names still
    match."""
    return with_texts(report, lambda texts: [spelled_out(text) for text in texts])


def render_html(report: Report) -> str:
    """Returns the whole page. Texts of other authors are escaped, so that they are safe to show."""
    return str(_template().render(_parts(legible(report))))


@cache
def _template() -> Any:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("pytest_lift.report", "templates"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )
    environment.globals["words"] = words
    environment.globals["told"] = mutants
    environment.filters["linked"] = words.linked
    environment.filters["prose"] = words.prose
    environment.filters["source"] = words.source
    environment.filters["percent"] = words.percent
    environment.filters["duration"] = words.duration
    environment.filters["filled"] = progress.filled
    return environment.get_template("page.jinja")


def _parts(report: Report) -> Mapping[str, Any]:
    numbers = rows.test_numbers(report.tests)
    requirements = rows.requirement_rows(report.requirements, numbers)
    known = {row.facts.id: row.number for row in requirements}
    files = rows.test_files(report.tests, known)
    gaps = None if report.gap_files is None else rows.gap_files(report.gap_files)
    anchors = {name: f"r{n}" for name, n in known.items()}
    anchors |= {node: f"t{n}" for node, n in numbers.items()}
    curves = progress.curves(report.iterations, len(requirements))
    changed = mutants.mutants_view(report.mutation, anchors)
    cut = (rows.cut_sources(files), rows.left_out(gaps or ()), changed.capped if changed else "")
    return {
        "report": report,
        "rows": requirements,
        "scopes": rows.scopes(requirements),
        "defects": rows.defects(requirements),
        "broken_examples": rows.broken_examples(requirements),
        "statuses": progress.stacked((row.facts.status for row in requirements), words.STATUSES),
        "outcomes": progress.stacked((test.outcome for test in report.tests), words.OUTCOMES),
        "standings": progress.stacked((test.standing for test in report.tests), words.STANDINGS),
        "sentences": words.acceptance(report.sentences),
        "files": files,
        "anchors": anchors,
        "candidates": tuple(
            row for file in files for row in file.rows if row.facts.standing == "emergent"
        ),
        "gaps": gaps,
        "mutants": changed,
        "steps": progress.steps(report.iterations, report.requirements, anchors),
        "cases": sum(test.rows for test in report.tests),
        "levels": any(row.facts.level for row in requirements),
        "curves": None if curves is None else data(curves),
        "capped": (*report.capped, *(text for text in cut if text)),
        **_embedded(curves=curves is not None),
    }


def _embedded(*, curves: bool) -> Mapping[str, Any]:
    """Returns the scripts and styles as variables, and the policy that allows nothing else."""
    plotting = [plotting_script()] if curves else []
    first, own, sheets = first_script(), script(), style(curves=curves)
    return {
        "first_script": first,
        "plotting": plotting,
        "script": own,
        "style": sheets,
        "policy": policy([first, *plotting, own], [sheets]),
    }


@cache
def asset(folder: str, name: str) -> str:
    """Returns the text of a file that is part of the package."""
    return files("pytest_lift.report").joinpath(folder, name).read_text(encoding="utf-8")


def style(*, curves: bool) -> Markup:
    """Returns all style sheets; those of uPlot only if the page has `curves`."""
    sheets = [asset("vendor", "uPlot.min.css")] if curves else []
    return Markup("\n".join([*sheets, *(asset("assets", name) for name in STYLES)]))


def first_script() -> Markup:
    """Returns the script that runs before the first paint: it sets the theme and marks that
    scripts are active."""
    return Markup(asset("assets", "theme.js"))


def plotting_script() -> Markup:
    """Returns uPlot with its licence."""
    licence = asset("vendor", "uPlot.LICENSE")
    return Markup(f"/*\n{licence}*/\n{asset('vendor', 'uPlot.iife.min.js')}")


def script() -> Markup:
    """Returns all scripts of the project, wrapped in one function."""
    parts = "\n".join(asset("assets", name) for name in SCRIPTS)
    return Markup(f'(() => {{\n"use strict";\n{parts}\n}})();')


def data(value: Any) -> Markup:
    """Returns `value` as JSON, escaped for use inside a script element."""
    return Markup(json.dumps(value, separators=(",", ":")).translate(_ESCAPES))


def policy(scripts: list[Markup], styles: list[Markup]) -> str:
    """Returns the Content-Security-Policy, which allows exactly these scripts and styles and no
    requests."""
    return "; ".join(
        (
            "default-src 'none'",
            f"script-src {' '.join(map(_source, scripts))}",
            f"style-src {' '.join(map(_source, styles))}",
            "img-src data:",
            "base-uri 'none'",
            "form-action 'none'",
        )
    )


def _source(text: Markup) -> str:
    digest = hashlib.sha256(text.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"
