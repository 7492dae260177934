"""Console scripts are read from what a project's packaging settings declare."""

from __future__ import annotations

from pathlib import Path

import pytest

from pytest_lift.project.console_scripts import ConsoleScript, console_scripts


def test_scripts_of_every_kind_of_settings_are_found(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text(
        '[project.scripts]\nhoney = "honey.main:program.run"\n'
        '[project.entry-points.pytest11]\nplugin = "honey.plugin:Plugin"\n'
        '[tool.poetry.scripts]\nbee = "honey.cli:start"\n'
    )
    (tmp_path / "setup.cfg").write_text(
        "[options.entry_points]\nconsole_scripts =\n    wax = honey.wax:main\n"
    )
    (tmp_path / "setup.py").write_text(
        "setup(entry_points={'console_scripts': ['comb = honey.comb:cli'], 'x': ['y = z:a']})\n"
    )
    assert console_scripts(tmp_path) == [
        ConsoleScript("honey", "honey.main", "program.run"),
        ConsoleScript("bee", "honey.cli", "start"),
        ConsoleScript("wax", "honey.wax", "main"),
        ConsoleScript("comb", "honey.comb", "cli"),
    ]


@pytest.mark.parametrize(
    "told",
    [
        "entry_points={'console_scripts': ['honey = honey:main [sweet]', 'wax=wax.all:run']},",
        'entry_points={"console_scripts": (\n    "honey = honey:main",\n    "wax=wax.all:run",\n)}',
        'entry_points="""\n[console_scripts]\nhoney=honey:main\nwax = wax.all:run\n\n[x]\na=b:c\n"""',
        "entry_points=dict(console_scripts=['honey = honey:main', 'wax=wax.all:run'])",
        'entry_points={"console_scripts": """\n  honey = honey:main\n  wax=wax.all:run"""},',
    ],
)
def test_scripts_of_every_form_of_a_setup_file_are_found(tmp_path: Path, told: str) -> None:
    (tmp_path / "setup.py").write_text(f"setup(\n{told}\n    url='http://x:a',\n)\n")
    assert console_scripts(tmp_path) == [
        ConsoleScript("honey", "honey", "main"),
        ConsoleScript("wax", "wax.all", "run"),
    ]


def test_settings_that_cannot_be_read_have_none(tmp_path: Path) -> None:
    assert console_scripts(tmp_path) == []
    (tmp_path / "pyproject.toml").write_text("[project\n")
    (tmp_path / "setup.cfg").write_text("scripts\n")
    assert console_scripts(tmp_path) == []
