"""What is found out about plain pytest before the first iteration, and the line that is offered."""

from __future__ import annotations

from pathlib import Path

import pytest
from plain_project import FLAT, SRC, benched, write

from pytest_lift.measure.footing import Footing, PytestSettings, find_footing
from pytest_lift.project.ini_files import Added
from pytest_lift.run.plain_pytest import PlainCommand

PYPROJECT = {"pyproject.toml": "[project]\nname = 'pkg'\nversion = '1'\n"}
STUBBORN = """
    import sys

    class Refuses:
        @staticmethod
        def find_spec(name, path=None, target=None):
            if name == "pkg":
                raise ModuleNotFoundError(name=name)

    sys.meta_path.insert(0, Refuses)
"""
MARK = "req(id, ...): the requirements that this test verifies (pytest-lift)"


def footing(root: Path, ini: str | None = None, here: str = ".", **told: object) -> Footing:
    settings = PytestSettings(root, root / ini if ini else None)
    with benched(root, PlainCommand(here)) as (measurer, suite):
        found = find_footing(measurer, suite, settings, **told)  # type: ignore[arg-type]
        if found.gate is not None:
            assert found.gate.refused(suite, None, ()) == {}
        return found


def test_the_program_is_found_and_nothing_is_said(tmp_path: Path) -> None:
    found = footing(write(tmp_path / "project", {**FLAT, "conftest.py": ""}))
    assert (found.lands, found.why, found.told, found.edit) == (True, (), (), None)


@pytest.mark.parametrize(
    ("files", "ini", "line", "place"),
    [
        pytest.param(FLAT, None, "    pythonpath = .", "in pytest.ini, [pytest]:", id="flat"),
        pytest.param(
            {**SRC, **PYPROJECT},
            None,
            '    pythonpath = ["src"]',
            "in pyproject.toml, [tool.pytest.ini_options]:",
            id="src",
        ),
    ],
)
def test_the_line_that_mends_it_is_tried_and_told(
    tmp_path: Path, files: dict[str, str], ini: str | None, line: str, place: str
) -> None:
    files = {name: text for name, text in files.items() if name != "tests/test_a.py"}
    found = footing(write(tmp_path / "project", files), ini)
    assert not found.lands
    installable = " (so does pip install -e .)" if "pyproject.toml" in files else ""
    assert found.why == (
        "a test in tests cannot import pkg under plain pytest, so nothing lands until it can; "
        f"this fixes it{installable}, {place}",
        line,
        "--lift-write-config does so for you",
    )


@pytest.mark.slow
def test_the_gate_goes_on_as_if_the_line_were_there(tmp_path: Path) -> None:
    """So that what is in the patch passes once it is (`footing` asks the gate)."""
    found = footing(write(tmp_path / "project", SRC))
    assert found.gate is not None
    assert not found.gate.causes


def test_asked_for_it_is_written(tmp_path: Path) -> None:
    root = write(tmp_path / "project", {**SRC, **PYPROJECT})
    found = footing(root, write=True, marks=[MARK])
    assert found.edit is not None
    assert found.gate is not None
    assert not found.gate.causes
    assert found.lands
    assert found.edit.lines == ('pythonpath = ["src"]', f'markers = ["{MARK}"]')
    assert found.why[0] == "--lift-write-config adds to pyproject.toml, [tool.pytest.ini_options]:"


@pytest.mark.slow
def test_asked_for_it_goes_into_the_patch(tmp_path: Path) -> None:
    """The gate goes on as if it were there (`footing` asks it); nothing is written."""
    root = write(tmp_path / "project", {**SRC, **PYPROJECT})
    found = footing(root, write=True, landing=False, marks=[MARK])
    assert found.edit is not None
    assert found.edit.lines == ('pythonpath = ["src"]', f'markers = ["{MARK}"]')
    assert found.gate is not None
    assert not found.gate.causes
    where = "pyproject.toml, [tool.pytest.ini_options], in the patch:"
    assert found.why[0] == f"--lift-write-config adds to {where}"
    assert (root / "pyproject.toml").read_text() == PYPROJECT["pyproject.toml"]


def test_tests_that_find_their_program_themselves_are_left_in_peace(tmp_path: Path) -> None:
    here = "import os, sys\nsys.path.insert(0, os.path.dirname(__file__) + '/..')\n"
    files = {**FLAT, "tests/test_a.py": here + FLAT["tests/test_a.py"]}
    found = footing(write(tmp_path / "project", files))
    assert (found.lands, found.why) == (True, ())


def test_where_no_line_helps_nothing_lands(tmp_path: Path) -> None:
    """The package is there and refuses to be found, as one that has to be built first does."""
    files = {**FLAT, "tests/conftest.py": STUBBORN}
    del files["tests/test_a.py"]
    found = footing(write(tmp_path / "project", files))
    assert not found.lands
    assert found.gate is None
    assert "does not fix it" in found.why[0]


@pytest.mark.parametrize(
    ("lines", "missing"),
    [
        ((), {"req", "emergent"}),
        (("req(x): mine", "slow"), {"emergent"}),
        (("req", "emergent: too"), set()),
    ],
)
def test_marks_that_are_not_registered(lines: tuple[str, ...], missing: set[str]) -> None:
    settings = PytestSettings(Path("."), None, markers=lines)
    assert {line.partition("(")[0] for line in settings.unregistered()} == missing


def test_what_is_added_stands_beside_what_is_there(tmp_path: Path) -> None:
    copy = tmp_path / "copy of it"
    settings = PytestSettings(tmp_path / "p", None, (tmp_path / "p/lib",), ("a: b",))
    added: Added = {"pythonpath": ("src",), "markers": ("c: d",)}
    found = settings.overrides(added, copy)
    assert found["pythonpath"] == f"'{copy}/lib' '{copy}/src'"
    assert found["markers"] == "a: b\nc: d"


SIBLINGS = {
    "pkg/__init__.py": "",
    "pkg/core.py": "from words import label\n",
    "pkg/words.py": "def label():\n    return 1\n",
}


def test_the_line_has_the_folder_of_modules_that_import_their_siblings(tmp_path: Path) -> None:
    found = footing(write(tmp_path / "project", SIBLINGS))
    assert (found.lands, found.beside) == (False, ("pkg",))
    assert " ".join(found.why[1:]).split()[:4] == ["pythonpath", "=", ".", "pkg"]


def test_where_the_package_is_found_only_the_folder_of_siblings_is_offered(tmp_path: Path) -> None:
    """Tests of the other modules land as they are."""
    root = write(tmp_path / "project", {**SIBLINGS, "conftest.py": ""})
    found = footing(root)
    assert (found.lands, found.why, found.beside) == (True, (), ())
    assert found.told[1].strip() == "pythonpath = pkg"
    assert footing(root, write=True).beside == ("pkg",)
