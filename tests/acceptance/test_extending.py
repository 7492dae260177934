"""The worked examples of a third-party agent and a requirement loader pass their own tests."""

from __future__ import annotations

from pathlib import Path

import pytest

from pytest_lift import values
from pytest_lift.testing import Example

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize(("name", "passed"), [("agent", 3), ("loader", 4)])
def test_worked_examples_pass_their_own_tests(name: str, passed: int) -> None:
    folder = ROOT / "examples" / name
    result = Example(folder).pytest(
        "-q", "-p", "no:cacheprovider", "--rootdir", str(folder), PYTHONPATH=str(folder)
    )
    assert result.status == 0, result.text
    assert f"{passed} passed" in result


def test_every_value_for_authors_is_there() -> None:
    found = {name: getattr(values, name) for name in values.__all__}
    assert all(found.values())
    with pytest.raises(AttributeError, match="nothing_such"):
        _ = values.nothing_such


def test_the_page_for_authors_names_each_value() -> None:
    page = (ROOT / "docs/extending.md").read_text("utf-8")
    assert [name for name in values.__all__ if f"`{name}`" not in page] == []


def test_an_example_has_no_settings_of_the_process_that_runs_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("PYTEST_ADDOPTS", "LIFT_MODEL", "CI"):
        monkeypatch.setenv(name, "x")
    assert not {"PYTEST_ADDOPTS", "LIFT_MODEL", "CI"} & Example(tmp_path).environment().keys()


def test_a_brief_is_of_the_files(tmp_path: Path) -> None:
    example = Example(tmp_path).write({"pkg/__init__.py": "", "pkg/mod.py": "ONE = 1\n"})
    brief = example.write({"tests/test_a.py": "def test_a():\n    assert 1\n"}).brief(mode="refine")
    assert (brief.mode, list(brief.program.paths)) == ("refine", ["pkg"])
    assert [test.node for test in brief.suite.tests()] == ["tests/test_a.py::test_a"]
