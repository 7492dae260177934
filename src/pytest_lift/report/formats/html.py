"""The report as one self-contained HTML file, without server or network."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from pytest_lift.report.facts import Report
from pytest_lift.report.page import excerpts, matrix, mutants, progress, suite, words
from pytest_lift.report.stored import with_texts
from pytest_lift.text.printable import spelled_out


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

    from pytest_lift.report.page.words import linked, prose, source

    environment = Environment(
        loader=PackageLoader("pytest_lift.report", "templates"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )
    environment.globals["words"] = words
    environment.globals["told"] = mutants
    environment.filters["linked"] = linked
    environment.filters["prose"] = prose
    environment.filters["source"] = source
    environment.filters["percent"] = words.percent
    environment.filters["duration"] = words.duration
    environment.filters["filled"] = progress.filled
    return environment.get_template("page.jinja")


def _parts(report: Report) -> Mapping[str, Any]:
    """Returns the variables of the templates."""
    from pytest_lift.report.page import embedding

    numbers = suite.test_numbers(report.tests)
    rows = matrix.requirement_rows(report.requirements, numbers)
    known = {row.facts.id: row.number for row in rows}
    files = suite.test_files(report.tests, known)
    gaps = None if report.gap_files is None else excerpts.gap_files(report.gap_files)
    anchors = {name: f"r{n}" for name, n in known.items()}
    anchors |= {node: f"t{n}" for node, n in numbers.items()}
    curves = progress.curves(report.iterations, len(rows))
    changed = mutants.mutants_view(report.mutation, anchors)
    cut = (
        suite.cut_sources(files),
        excerpts.left_out(gaps or ()),
        changed.capped if changed else "",
    )
    plotting = [embedding.plotting_script()] if curves else []
    scripts = [embedding.first_script(), *plotting, embedding.script()]
    style = embedding.style(curves=curves is not None)
    return {
        "report": report,
        "rows": rows,
        "scopes": matrix.scopes(rows),
        "defects": matrix.defects(rows),
        "broken_examples": matrix.broken_examples(rows),
        "statuses": progress.stacked((row.facts.status for row in rows), words.STATUSES),
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
        "levels": any(row.facts.level for row in rows),
        "curves": None if curves is None else embedding.data(curves),
        "capped": (*report.capped, *(text for text in cut if text)),
        "first_script": scripts[0],
        "plotting": plotting,
        "script": scripts[-1],
        "style": style,
        "policy": embedding.policy(scripts, [style]),
    }
