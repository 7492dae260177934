"""Columns for the report of pytest-html: the requirements of each test, and their level."""

from __future__ import annotations

from html import escape
from typing import Any

import pytest

from pytest_lift.requirements.requirement import Requirements

PLACE = 2
"""Number of pytest-html's columns before the added ones: result and test."""


class HtmlColumns:
    """Plugin that adds the columns; register it if pytest-html is active. It reads the user
    properties of the test reports."""

    def __init__(self, requirements: Requirements, written_as: str) -> None:
        self._requirements = requirements
        self._written_as = written_as

    @pytest.hookimpl(optionalhook=True)
    def pytest_html_results_table_header(self, cells: list[str]) -> None:
        head = '<th class="sortable" data-column-type="requirement">Requirement</th>'
        cells[PLACE:PLACE] = [head, '<th class="sortable" data-column-type="level">Level</th>']

    @pytest.hookimpl(optionalhook=True)
    def pytest_html_results_table_row(self, report: Any, cells: list[str]) -> None:
        properties = getattr(report, "user_properties", ())
        told = [str(value) for name, value in properties if name == self._written_as]
        ids = [one.strip() for value in told for one in value.split(",")]
        items = [self._requirements.by_id[one] for one in ids if one in self._requirements]
        levels = dict.fromkeys(item.level for item in items if item.level)
        columns = {"requirement": dict.fromkeys(ids), "level": levels}
        cells[PLACE:PLACE] = [
            f'<td class="col-{kind}">{escape(", ".join(texts))}</td>'
            for kind, texts in columns.items()
        ]
