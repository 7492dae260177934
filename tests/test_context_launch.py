"""Which server is started, what it sees of the environment, and what it is told of the project."""

from __future__ import annotations

import sys
import sysconfig
from pathlib import Path

import pytest

from pytest_lift.context.launch import Launch, chosen_launch
from pytest_lift.errors import UsageError


def test_off_is_no_server_and_ty_the_one_that_is_installed_here() -> None:
    assert chosen_launch("off") is None
    installed = Path(sysconfig.get_path("scripts")) / "ty"
    found = chosen_launch(None)
    assert (found.command if found else None) == (
        (str(installed), "server") if installed.is_file() else None
    )


def test_a_command_is_split_as_a_shell_does() -> None:
    found = chosen_launch(f"'{sys.executable}' -m 'a server' --stdio")
    assert found is not None
    assert found.command == (sys.executable, "-m", "a server", "--stdio")


@pytest.mark.parametrize("given", ["", " ", "'", "no-such-command --stdio"])
def test_a_command_that_is_not_there_is_a_usage_error(given: str) -> None:
    with pytest.raises(UsageError, match="there is no command"):
        chosen_launch(given)


def test_few_variables_are_passed_and_the_interpreter_is_named(tmp_path: Path) -> None:
    (tmp_path / "bin").mkdir()
    (tmp_path / "pyvenv.cfg").touch()
    launch = Launch(("ty",), tmp_path / "bin/python")
    given = {"HOME": "/h", "PATH": "/usr/bin", "OPENAI_API_KEY": "k", "PYTHONPATH": "x"}
    assert launch.environment(given) == {
        "HOME": "/h",
        "PATH": f"{tmp_path / 'bin'}:/usr/bin",
        "VIRTUAL_ENV": str(tmp_path),
    }


def test_a_server_is_told_of_import_roots_and_interpreter(tmp_path: Path) -> None:
    launch = Launch(("ty",), Path("/env/bin/python"))
    told = launch.options(tmp_path, ("src", ""))["configuration"]["environment"]
    assert told == {
        "python": "/env/bin/python",
        "root": [str(tmp_path / "src"), str(tmp_path)],
    }
    analysis = launch.section("basedpyright.analysis", tmp_path, ("src",))
    assert analysis["extraPaths"] == [str(tmp_path / "src")]
    assert launch.section("python", tmp_path, ())["pythonPath"] == "/env/bin/python"
    assert launch.section("other", tmp_path, ()) is None
