"""`pytest-lift` as a process: its output where the encoding or the reader is not up to it."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import lift_command
import pytest
from checked_project import CheckedProject

from pytest_lift.cli import main

TEXT = '@pytest.mark.req("ÄNC-2")\ndef test_a(): pass\n'


def run(folder: Path, *arguments: str, **environ: str) -> subprocess.CompletedProcess[str]:
    return lift_command.run(*arguments, folder=folder, environ={**os.environ, **environ})


@pytest.fixture
def project(tmp_path: Path) -> CheckedProject:
    project = CheckedProject(tmp_path / "p").require("ÄNC-2").tests("").commit()
    return project.require("ÄNC-2", "日-3").tests(TEXT)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["diff", "HEAD"], r"\xc4NC-2"),
        (["diff", "HEAD", "--format=markdown"], r"\xc4NC-2"),
        (["check", "--base=HEAD"], r"\u65e5-3"),
        (["check", "--format=github"], r"\u65e5-3"),
        (["schema", "report"], "$schema"),
        (["restore", "--list", "--project=."], ""),
    ],
)
def test_what_the_encoding_lacks_is_spelled_out(
    project: CheckedProject, arguments: list[str], told: str
) -> None:
    (project.root / ".lift/history").mkdir(parents=True)
    done = run(project.root, *arguments, PYTHONIOENCODING="ascii")
    assert (done.returncode, done.stderr) == (0, "")
    assert told in done.stdout


def texts_of(data: object) -> Iterator[str]:
    if isinstance(data, str):
        yield data
    elif isinstance(data, dict | list):
        for part in data.values() if isinstance(data, dict) else data:
            yield from texts_of(part)


@pytest.mark.parametrize(
    "arguments", [["check", "--format=json"], ["diff", "HEAD", "--format=json"]]
)
def test_json_stays_json_in_any_encoding(project: CheckedProject, arguments: list[str]) -> None:
    plain, ascii_only = (
        run(project.root, *arguments, PYTHONIOENCODING=name).stdout for name in ("utf-8", "ascii")
    )
    assert json.loads(plain) == json.loads(ascii_only)
    assert {"日-3"} & {*texts_of(json.loads(ascii_only))}


@pytest.mark.parametrize("arguments", [["check"], ["diff", "HEAD"], ["schema", "report"]])
def test_a_reader_that_is_gone_is_no_traceback(
    project: CheckedProject, arguments: list[str]
) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    try:
        done = subprocess.run(
            lift_command.command(*arguments),
            cwd=project.root,
            stdout=writing,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    finally:
        os.close(writing)
    assert (done.returncode, done.stderr) == (1, "")


@pytest.mark.parametrize("arguments", [["report"], ["report", "20260101-000000"], ["diff", "x"]])
@pytest.mark.parametrize("name", ["nowhere", "empty"])
def test_reading_makes_no_folders(
    tmp_path: Path, arguments: list[str], name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "empty").mkdir()
    assert main([*arguments, f"--project={tmp_path / name}"]) == 4
    assert capsys.readouterr().err.startswith("pytest-lift: ")
    assert [path.name for path in tmp_path.rglob("*")] == ["empty"]


@pytest.mark.parametrize("command", ["report", "diff"])
def test_a_name_may_be_long(tmp_path: Path, command: str) -> None:
    (tmp_path / ".lift/history").mkdir(parents=True)
    assert main([command, "x" * 5000, f"--project={tmp_path}"]) == 4


@pytest.mark.parametrize(
    "command", [["restore"], ["restore", "--list"], ["review"], ["init"], ["report"], ["diff", "x"]]
)
def test_a_project_that_is_not_there_is_said(
    tmp_path: Path, command: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*command, "--project", str(tmp_path / "nowhere")]) == 4
    assert "there is no folder" in capsys.readouterr().err
    assert not [*tmp_path.iterdir()]


def test_who_only_lists_runs_makes_no_folder(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["restore", "--list", "--project", str(tmp_path)]) == 0
    assert capsys.readouterr().out == "no runs are stored\n"
    assert not [*tmp_path.iterdir()]
