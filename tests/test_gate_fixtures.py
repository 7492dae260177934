"""Fixtures of installed plugins are read from their text, of which no more is parsed than need be."""

from __future__ import annotations

from pathlib import Path

import _pytest
import pytest

from pytest_lift.gate.diagnosis.fixtures import (
    MAY_DEFINE,
    KnownFixtures,
    fixtures_in,
    installed_fixtures,
)
from pytest_lift.source.syntax import parse
from pytest_lift.suite.suite import suite_of


@pytest.mark.parametrize(
    "text",
    [
        "@fixture\ndef a(): ...",
        "@pytest.fixture\ndef a(): ...",
        "@pytest.fixture(scope='module')\ndef a(): ...",
        "class A:\n    @ pytest . fixture (name='a')\n    def a(self): ...",
        "a = pytest.fixture(scope='module')(made)",
        "a = fixture (\n    scope='module'\n)(made)",
    ],
)
def test_what_defines_one_is_parsed(text: str) -> None:
    assert {*fixtures_in(parse(text))} == {"a"}
    assert MAY_DEFINE.search(text)


def test_of_pytest_itself_none_is_missed_and_most_files_are_passed_over() -> None:
    texts = [path.read_text("utf-8") for path in Path(_pytest.__file__).parent.rglob("*.py")]
    parsed = [text for text in texts if MAY_DEFINE.search(text)]
    named = [text for text in texts if "fixture" in text]
    found = {name for text in parsed for name in fixtures_in(parse(text))}
    assert found == {name for text in named for name in fixtures_in(parse(text))}
    assert {"tmp_path", "monkeypatch", "capsys"} <= found <= installed_fixtures()
    assert len(parsed) < len(named)


def test_plugins_are_not_read_for_what_the_project_has_itself(tmp_path: Path) -> None:
    (tmp_path / "conftest.py").write_text("import pytest\n\n@pytest.fixture\ndef stock(): ...\n")
    tree = parse("def test_stock(stock): ...")
    visible = KnownFixtures(suite_of("tests", {}), tmp_path).visible("tests/test_a.py", tree)
    assert visible is not None
    installed_fixtures.cache_clear()
    assert "stock" in visible
    assert not installed_fixtures.cache_info().misses
    assert "tmp_path" in visible
    assert "tmp_paht" not in visible
    assert {"stock", "tmp_path"} <= {*visible}
