"""Small projects of many shapes (`make bench-shapes` lifts each): found, settled, and a few lifted."""

from __future__ import annotations

import importlib.util
import json
import sys
from pathlib import Path
from types import ModuleType

import pytest
from conftest import Project

from pytest_lift.errors import UsageError
from pytest_lift.project.discovery import find_program

TABLE = Path(__file__).parents[1] / "benchmarks/shape_table/table.py"


def _table() -> ModuleType:
    spec = importlib.util.spec_from_file_location("shape_table", TABLE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["shape_table"] = module
    spec.loader.exec_module(module)
    return module


table = _table()


def written(root: Path, shape: object) -> Path:
    files = shape.files()  # type: ignore[attr-defined]
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    return root


def test_there_are_24() -> None:
    assert len(table.SHAPES) == 24
    assert len({shape.name for shape in table.SHAPES}) == 24


@pytest.mark.parametrize("shape", table.SHAPES, ids=lambda shape: shape.name)
def test_the_program_is_found_under_its_own_name(tmp_path: Path, shape: object) -> None:
    layout = table.LAYOUTS[shape.layout]  # type: ignore[attr-defined]
    root = written(tmp_path, shape)
    if layout is table.LAYOUTS["monorepo, its root"]:
        with pytest.raises(UsageError, match="several projects") as caught:
            find_program(root)
        assert table.ONE_OF_THEM in str(caught.value)
        return
    program = find_program(root, here=root / layout.here)
    assert layout.module in program.by_module
    assert layout.module.partition(".")[0] in program.names
    path = next(name for name, text in layout.files.items() if text == table.PROGRAM)
    assert program.by_module[layout.module].path == path


def lifted(tmp_path: Path, name: str, iterations: int = 1) -> tuple[Project, str]:
    """A project of that layout without tests but its own, after a lift, and what was said."""
    (shape,) = (one for one in table.SHAPES if one.layout == name)
    place = Project(written(tmp_path / "shape", shape))
    layout = table.LAYOUTS[name]
    result = place.pytest("--lift", f"--lift-iterations={iterations}", cwd=layout.here)
    assert "Traceback" not in result
    return place, result.text


def test_one_project_of_a_monorepo_is_found_and_measured(tmp_path: Path) -> None:
    place, said = lifted(tmp_path, "monorepo, one of it", iterations=0)
    assert "program fares (found by pyproject.toml of packages/fares)" in said
    assert "nothing was written to packages/fares/tests;" in said
    run = json.loads(place.read(".lift/run.json"))
    assert (run["outcome"], run["passed"], run["line_percent"]) == ("iterations", 2, 50.0)


@pytest.mark.slow
def test_one_project_of_a_monorepo(tmp_path: Path) -> None:
    place, said = lifted(tmp_path, "monorepo, one of it")
    assert "program fares (found by pyproject.toml of packages/fares)" in said
    assert not (place.root / "tests").exists()
    assert len(place.texts("packages/fares/tests")) >= 1
    assert "accepted: gained" in said
    plain = place.pytest("-p", "no:lift", "-o", "addopts=", cwd="packages/fares")
    assert plain.status == 0, plain.text


def test_a_monorepo_as_a_whole(tmp_path: Path) -> None:
    _, said = lifted(tmp_path, "monorepo, its root")
    assert "several projects are here" in said
    assert table.ONE_OF_THEM in said


@pytest.mark.slow
@pytest.mark.parametrize("name", ["sibling scripts", "beside notebooks", "namespace"])
def test_what_is_no_package(tmp_path: Path, name: str) -> None:
    place, said = lifted(tmp_path, name)
    assert "accepted: gained" in said, said
    plain = place.pytest("-p", "no:lift", "-W", "ignore")
    assert plain.status == 0, plain.text
