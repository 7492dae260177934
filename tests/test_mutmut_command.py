"""mutmut as a command: which versions are used, which options it is not given."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from mutated_project import MutatedProject

import pytest_lift
from pytest_lift.run.pytest_options import inner_addopts


def test_options_that_mutmut_cannot_bear_are_not_passed_on(tmp_path: Path) -> None:
    told = ["-n2", "--cov=shop", "--cov-fail-under=100", "-x", "-k", "nothing"]
    told += ["-p", "no:anyio", "--strict-markers"]
    project = MutatedProject(tmp_path, told={"addopts": inner_addopts(told)}).shop()
    options = json.dumps(" ".join(told))
    blocked = (
        "# anyio is named here\ndef test_plugins(request, record_property):\n"
        "    record_property('kept', 1)\n"
        "    assert request.config.pluginmanager.get_plugin('anyio.pytest_plugin') is None\n"
    )
    project.write(
        {
            "pyproject.toml": f"[tool.pytest.ini_options]\naddopts = {options}\n"
            'junit_family = "xunit2"\nfilterwarnings = ["error"]\n',
            "tests/test_plugins.py": blocked,
        }
    )
    mutation = project.measure()
    assert mutation.detected
    assert mutation.notes == ()


REQUIRE = """
from pytest_lift.mutation.mutmut.command import require_mutmut
from pytest_lift.mutation.mutmut.errors import MutmutMissing
try:
    require_mutmut()
except MutmutMissing as error:
    print(error)
"""


def _required(folder: Path, *options: str) -> str:
    """What is said where `folder` comes first on the import path."""
    path = os.pathsep.join([str(folder), str(Path(pytest_lift.__file__).parents[1])])
    command = [sys.executable, *options, "-c", REQUIRE]
    environ = {**os.environ, "PYTHONPATH": path}
    return subprocess.run(
        command, env=environ, capture_output=True, text=True, check=True
    ).stdout.strip()


@pytest.mark.parametrize("version", ["9.0.0", "3.8.0", "3.9.0"])
def test_another_version_of_mutmut(version: str, tmp_path: Path) -> None:
    folder = tmp_path / f"mutmut-{version}.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text(f"Name: mutmut\nVersion: {version}\n", "utf-8")
    said = _required(tmp_path)
    assert said.startswith(f"mutmut {version} is not ")
    assert said.endswith("pip install 'pytest-lift[mutation]' (mutmut >=3.8.1,<3.9)")


def test_no_mutmut(tmp_path: Path) -> None:
    """All that is installed but mutmut."""
    for folder in (Path(entry) for entry in sys.path if "site-packages" in entry):
        for place in folder.iterdir() if folder.is_dir() else ():
            if not place.name.startswith("mutmut") and not (tmp_path / place.name).exists():
                (tmp_path / place.name).symlink_to(place)
    said = _required(tmp_path, "-S")
    assert said.startswith("mutmut is not installed")
    assert "pip install 'pytest-lift[mutation]'" in said
