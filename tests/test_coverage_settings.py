"""What of a program the project's own settings of coverage.py leave out, wherever they stand."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from pytest_lift.coverage.coverage import read_files
from pytest_lift.errors import UsageError
from pytest_lift.run.pytest_options import measuring_options
from pytest_lift.source.coverage_settings import (
    CoverageSettings,
    read_coverage_settings,
    require_plugins,
)
from pytest_lift.source.program import read_program

MODULES = {
    "src/shop/__init__.py": "shop",
    "src/shop/cart.py": "shop.cart",
    "src/shop/old/__init__.py": "shop.old",
    "src/shop/old/till.py": "shop.old.till",
    "tool.py": "tool",
}


def left_out(root: Path, **said: tuple[str, ...]) -> set[str]:
    return set(CoverageSettings(root, **said).left_out(MODULES))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ({}, set(MODULES)),
        ({"include": ("src/shop/*",)}, set(MODULES) - {"tool.py"}),
        ({"include": ("*/cart.py", "tool.py")}, {"src/shop/cart.py", "tool.py"}),
        ({"include": ("src/**/till.py",)}, {"src/shop/old/till.py"}),
        ({"source": ("src",)}, set(MODULES) - {"tool.py"}),
        ({"source": ("./src/shop/old/",)}, {"src/shop/old/__init__.py", "src/shop/old/till.py"}),
        ({"source": (".",)}, set(MODULES)),
        ({"source": ("shop.old", "tool")}, {k for k in MODULES if "old" in k} | {"tool.py"}),
        ({"source": ("shop.ol",)}, set(MODULES)),  # nothing is like that: it is meant for others
        ({"include": ("tests/*",)}, set(MODULES)),
        ({"source": ("shop",), "include": ("*/cart.py",)}, {"src/shop/cart.py"}),
    ],
)
def test_what_is_left_out(tmp_path: Path, said: dict[str, tuple[str, ...]], kept: set[str]) -> None:
    (tmp_path / "src/shop/old").mkdir(parents=True)
    assert left_out(tmp_path, **said) == set(MODULES) - kept


INI = "[{0}run]\ninclude =\n    src/shop/*\n    tests/*\n"
TOML = '[tool.coverage.run]\ninclude = ["src/shop/*", "tests/*"]\n'


@pytest.mark.parametrize(
    ("name", "text"),
    [
        (".coveragerc", INI.format("")),
        ("setup.cfg", INI.format("coverage:")),
        ("tox.ini", INI.format("coverage:")),
        ("pyproject.toml", TOML),
    ],
)
def test_wherever_the_settings_are(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text, "utf-8")
    read = read_coverage_settings(tmp_path)
    assert (read.include, read.found, read.options) == (("src/shop/*", "tests/*"), name, [])
    assert [*read.lines(MODULES)] == [f"not measured, by include in {name}: tool.py"]
    assert read_coverage_settings(tmp_path, narrowed=False).include == ()


def test_a_file_that_was_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / ".coveragerc").write_text(INI.format(""), "utf-8")
    other = tmp_path / "etc/cov.cfg"
    other.parent.mkdir()
    other.write_text("[run]\nsource_pkgs = shop.old\n", "utf-8")
    read = read_coverage_settings(tmp_path, str(other))
    assert (read.told, read.source, read.include) == ("etc/cov.cfg", ("shop.old",), ())
    assert read.options == ["--cov-config=etc/cov.cfg"]
    inside = read_coverage_settings(tmp_path / "etc", str(tmp_path / ".coveragerc"))
    assert inside.told == str(tmp_path / ".coveragerc")  # outside of that root
    monkeypatch.setenv("COVERAGE_RCFILE", str(other))
    assert read_coverage_settings(tmp_path).source == ("shop.old",)


def test_a_setting_for_something_else_is_said(tmp_path: Path) -> None:
    settings = CoverageSettings(tmp_path, found="tox.ini", source=("tests",))
    (line,) = settings.lines(MODULES)
    assert line.startswith("source in tox.ini leaves out the whole program")
    assert [*CoverageSettings(tmp_path).lines(MODULES)] == []


def test_settings_that_coverage_refuses(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("[tool.coverage.run]\nbranch = 3\n", "utf-8")
    with pytest.raises(UsageError, match="branch is not a boolean") as caught:
        read_coverage_settings(tmp_path)
    assert "coverage debug config" in caught.value.todo
    with pytest.raises(UsageError, match=r"nowhere\.cfg"):
        read_coverage_settings(tmp_path, str(tmp_path / "nowhere.cfg"))


def test_a_plugin_that_is_not_there(tmp_path: Path) -> None:
    """Also where it takes a program's own folder to import it."""
    toml = "[tool.coverage.run]\nplugins = [{0}]\n"
    own = tmp_path / "src/own_plugin.py"
    own.parent.mkdir()
    own.write_text("def coverage_init(reg, options):\n    pass\n", "utf-8")
    (tmp_path / "pyproject.toml").write_text(toml.format('"own_plugin"'), "utf-8")
    before = list(sys.path)
    require_plugins(read_coverage_settings(tmp_path), [own.parent])
    assert sys.path == before
    (tmp_path / "pyproject.toml").write_text(toml.format('"no_such_plugin"'), "utf-8")
    with pytest.raises(UsageError, match="No module named 'no_such_plugin'"):
        require_plugins(read_coverage_settings(tmp_path), [own.parent])


def test_what_is_left_out_is_in_no_figure(tmp_path: Path) -> None:
    for name in ("kept.py", "old.py"):
        (tmp_path / name).write_text("x = 1\n", "utf-8")
    settings = CoverageSettings(tmp_path, told="other.cfg", include=("kept.py",))
    program = read_program(tmp_path, ("kept.py", "old.py"), ("",), "", settings)
    assert program.unmeasured == {"old.py"}
    row: dict[str, Any] = {
        key: [] for key in ("missing_lines", "excluded_lines", "missing_branches")
    }
    row |= {"executed_lines": [1], "executed_branches": [], "summary": {"covered_branches": 0}}
    files = {str(tmp_path / name): row for name in ("kept.py", "old.py")}
    report = tmp_path / "coverage.json"
    report.write_text(json.dumps({"files": files}), "utf-8")
    assert set(read_files(report, program, tmp_path)) == {"kept.py"}
    options = measuring_options(program, tmp_path, contexts=False)
    assert "--cov-config=other.cfg" in options
    assert options[options.index("-W") + 1] == "ignore::coverage.exceptions.CoverageWarning"
