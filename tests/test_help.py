"""The help of pytest and of every command says what each option does, and its default."""

from __future__ import annotations

import argparse
import re
from importlib import import_module
from importlib.metadata import version

import pytest
from conftest import Project
from lift_command import run

from pytest_lift.cli import COMMANDS, Command
from pytest_lift.options import OPTIONS, Option


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> str:
    """What `pytest --help` prints, in one line: it wraps as the terminal is wide."""
    project = Project(tmp_path_factory.mktemp("project"))
    result = project.pytest("--help", COLUMNS="10000")
    assert result.status == 0, result.text
    return re.sub(r"\s+", " ", result.text)


def test_the_help_of_pytest_is_printed_to_its_end(told: str) -> None:
    assert "evolving the test suite (pytest-lift)" in told
    assert "to see available markers type: pytest --markers" in told


@pytest.mark.parametrize("option", OPTIONS, ids=lambda option: option.name)
def test_an_option_and_its_ini_twin_are_told_with_their_default(told: str, option: Option) -> None:
    name, dest, described = option.name, option.dest, option.described
    assert re.search(rf"--lift-{name}[ ,=]", told)
    assert re.search(rf"{dest} \(\w+\):", told)
    assert told.count(re.sub(r"\s+", " ", described)) >= 2
    assert re.search(r"\(default: [^)]+\)$", described)


def test_the_switch_says_that_tests_are_written(told: str) -> None:
    assert re.search(r"--lift evolve the test suite: write new tests into the test folder", told)


def test_no_text_has_a_percent_sign() -> None:
    """argparse takes it for a format, and what would escape it shows in the ini half."""
    assert [option.name for option in OPTIONS if "%" in option.described] == []


def test_the_command_tells_of_every_command() -> None:
    done = run("--help")
    assert (done.returncode, done.stderr) == (0, "")
    for row in COMMANDS:
        assert re.search(rf"^ +{row.name} +{re.escape(row.help[:20])}", done.stdout, re.MULTILINE)


@pytest.mark.parametrize("row", COMMANDS, ids=lambda row: row.name)
def test_the_help_of_a_command_is_printed_to_its_end(row: Command) -> None:
    done = run(row.name, "--help")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(f"usage: pytest-lift {row.name}")
    assert "-h, --help" in done.stdout


@pytest.mark.parametrize("row", COMMANDS, ids=lambda row: row.name)
def test_every_option_of_a_command_says_its_default(row: Command) -> None:
    parser = argparse.ArgumentParser(add_help=False)
    import_module(row.module).add_arguments(parser)
    told = {action.dest: action.help or "" for action in parser._actions if action.option_strings}
    assert [name for name, text in told.items() if "(default: " not in text] == []


def test_the_version_is_the_one_that_is_installed() -> None:
    done = run("--version")
    assert (done.returncode, done.stdout.split()[-1]) == (0, version("pytest-lift"))
