"""A plugin for a session that only collects: every test with the indices of its rows, as JSON.

It registers the markers that marked suites need, as their conftest would.
"""

from __future__ import annotations

import json
import os
from collections.abc import Generator

import pytest

_indices: dict[str, dict[str, int]] = {}
"""Node id -> name of a parameter -> index of its row; pytest itself renumbers them later."""


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "covers(id): a marker of the project's own")
    config.addinivalue_line("markers", "benchmark: of a plugin that is not installed")


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_generate_tests(metafunc: pytest.Metafunc) -> Generator[None]:
    yield
    for call in metafunc._calls:
        _indices[f"{metafunc.definition.nodeid}[{call.id}]"] = dict(call.indices)


def pytest_collection_finish(session: pytest.Session) -> None:
    place = os.environ.get("MARKING_PROBE")
    if not place or not session.config.option.collectonly:
        return
    found = [
        {
            "node": item.nodeid,
            "kind": type(item).__name__,
            "indices": _indices.get(item.nodeid, {}),
        }
        for item in session.items
    ]
    with open(place, "w", encoding="utf-8") as stream:
        json.dump(found, stream)
