"""Values for authors of plugins: all there, and all on their page."""

from __future__ import annotations

from pathlib import Path

import pytest

from pytest_lift import values

ROOT = Path(__file__).resolve().parents[1]


def test_every_value_for_authors_is_there() -> None:
    found = {name: getattr(values, name) for name in values.__all__}
    assert all(found.values())
    with pytest.raises(AttributeError, match="nothing_such"):
        _ = values.nothing_such


def test_the_page_for_authors_names_each_value() -> None:
    page = (ROOT / "docs/extending.md").read_text("utf-8")
    assert [name for name in values.__all__ if f"`{name}`" not in page] == []
