"""Lines of configuration that are offered against what plain pytest refuses: tried, and true."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from plain_project import FLAT, SRC, benched, write

from pytest_lift.measure.footing import Mender, PytestSettings, find_footing
from pytest_lift.measure.last_gate import PLAIN, Cause
from pytest_lift.suite.suite import Edit

NEW = """\
def test_old():
    assert True


def test_of_today():
    from pkg.mod import sign
    assert sign(2) == 1
"""


@pytest.fixture
def older(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An older version of the package, where Python looks for it first."""
    site = write(tmp_path / "site", {"pkg/__init__.py": "", "pkg/mod.py": "def before(): ...\n"})
    monkeypatch.setenv("PYTHONPATH", str(site))
    return site


@pytest.mark.parametrize("packaged", [True, False])
def test_an_older_installed_version_is_named_and_how_to_have_the_projects_own(
    tmp_path: Path, older: Path, packaged: bool
) -> None:
    files = {**SRC, **({"setup.py": ""} if packaged else {})}
    del files["tests/test_a.py"]
    root = write(tmp_path / "project", files)
    with benched(root, reads=[older]) as (measurer, suite):
        gate = find_footing(measurer, suite, PytestSettings(root, None)).gate
        assert gate is not None
        refused = gate.refused(suite.apply(Edit({"tests/test_b.py": NEW})), suite, ())
    assert list(refused) == ["tests/test_b.py::test_of_today"]
    assert refused["tests/test_b.py::test_of_today"].startswith(f"{PLAIN}ImportError: ")
    place = os.path.join(older, "pkg", "mod.py")
    other = " (so does pip install -e .)" if packaged else ""
    assert gate.told() == [
        "1 test did not land, under plain pytest pkg.mod has no sign; that is another version of "
        f"it, which is installed ({place}); this fixes it{other}, in pytest.ini, [pytest]:",
        "    pythonpath = src",
    ]


def test_a_name_that_is_nowhere_has_no_line(tmp_path: Path) -> None:
    root = write(tmp_path / "project", {**FLAT, "conftest.py": ""})
    text = "def test_new():\n    from pkg.mod import nothing\n"
    with benched(root) as (measurer, suite):
        gate = find_footing(measurer, suite, PytestSettings(root, None)).gate
        assert gate is not None
        gate.refused(suite.apply(Edit({"tests/test_b.py": text})), suite, ())
    assert gate.told() == ["1 test did not land, under plain pytest pkg.mod has no nothing"]


def test_only_an_installation_of_the_project_itself_is_offered_beside_the_line(
    tmp_path: Path,
) -> None:
    """A module beside the sources does not come with one."""
    root = write(tmp_path / "project", {**SRC, "setup.py": "", "beside.py": "x = 1\n"})
    settings = PytestSettings(root, None, (root / "src",))
    text = "def test_new():\n    import beside\n"
    with benched(root) as (measurer, suite):
        mender = Mender(measurer, settings)
        new = suite.apply(Edit({"tests/test_b.py": text}))
        told = mender.mend(Cause("import", "beside"), new, frozenset(["tests/test_b.py::test_new"]))
    assert told == ("this fixes it, in pytest.ini, [pytest]:", "    pythonpath = .")
