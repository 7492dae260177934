"""What the user's own plain pytest can import, by every way that projects have."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest
import quick_pytest
from plain_project import FLAT, SRC, TEST, benched, write
from plainly_run import PASSED, outcomes, run

from pytest_lift.run.plain_pytest import PlainCommand

IMPORTLIB = "[pytest]\naddopts = --import-mode=importlib\n"


@pytest.mark.parametrize(
    ("files", "passes"),
    [
        pytest.param(FLAT, False, id="flat"),
        pytest.param(SRC, False, id="src"),
        pytest.param({**FLAT, "conftest.py": ""}, True, id="a conftest at the top"),
        pytest.param({**FLAT, "tests/__init__.py": ""}, True, id="tests as a package"),
        pytest.param({**FLAT, "pytest.ini": "[pytest]\npythonpath = .\n"}, True, id="pythonpath"),
        pytest.param({**SRC, "setup.cfg": "[tool:pytest]\npythonpath = src\n"}, True, id="src set"),
        pytest.param(
            {**FLAT, "tests/__init__.py": "", "pytest.ini": IMPORTLIB}, False, id="importlib"
        ),
    ],
)
def test_what_can_be_imported_as_the_user_would(
    tmp_path: Path, files: dict[str, str], passes: bool
) -> None:
    """The same as the command `pytest` does in the project itself."""
    root = write(tmp_path / "project", files)
    found = run(
        root,
        PlainCommand(
            addopts=("--import-mode=importlib",)
            if "importlib" in files.get("pytest.ini", "")
            else ()
        ),
    )
    real = subprocess.run(
        [
            Path(sysconfig.get_path("scripts")) / "pytest",
            "-q",
            "-p",
            "no:lift",
            "-p",
            "no:cacheprovider",
            *quick_pytest.OPTIONS,
        ],
        cwd=root,
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1", "PYTHONPATH": ""},
        capture_output=True,
        check=False,
    )
    assert (real.returncode == 0) == passes, real.stdout
    assert outcomes(found) == (PASSED if passes else {}), found.output
    if not passes:
        assert found.broken["tests/test_a.py"].type == "ModuleNotFoundError"


FINDER = """\
import sys
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_file_location

MAPPING = {{"pkg": {place!r}}}


class Finder:
    @classmethod
    def find_spec(cls, name, path=None, target=None):
        if name in MAPPING:
            import os
            init = os.path.join(MAPPING[name], "__init__.py")
            if os.path.exists(init):
                return spec_from_file_location(name, init)


sys.meta_path.append(Finder)
"""


@pytest.mark.parametrize(
    "how", ["pth", "finder", pytest.param("link", marks=pytest.mark.slow), "copied"]
)
def test_installations(tmp_path: Path, how: str) -> None:
    """An editable one means the copy, however it is made; another one means what is installed."""
    root = write(tmp_path / "project", {**SRC, "src/loose.py": ""})
    venv = tmp_path / "venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", venv], check=True)
    site = next(venv.glob("lib/python*/site-packages"))
    ours = sysconfig.get_path("purelib"), str(Path(__file__).resolve().parents[1] / "src")
    (site / "ours.pth").write_text("\n".join(ours) + "\n")
    place = root / "src" / "pkg"
    if how == "pth":
        (site / "editable.pth").write_text(f"{root / 'src'}\n")
    elif how == "finder":
        (site / "_finder.py").write_text(FINDER.format(place=str(place)))
        (site / "editable.pth").write_text("import _finder\n")
    elif how == "link":
        (site / "pkg").symlink_to(place)
    else:
        write(site, {"pkg/__init__.py": "", "pkg/mod.py": "sign = abs\n"})
    tests = {
        "tests/test_where.py": """
            import importlib.util, os, pkg.mod
            def test_where():
                print("at", os.path.realpath(pkg.mod.__file__))
                print("loose", importlib.util.find_spec("loose") is not None)
                assert 0
        """,
        "tests/test_a.py": TEST.replace("2", "-2").replace("== 1", "in (-1, 2)"),
    }
    write(root, tests)
    with benched(root, python=str(venv / "bin/python"), reads=[venv]) as (measurer, suite):
        found = measurer.run_plainly(suite)
        copy = str(measurer.workspace.root)
    assert outcomes(found)["tests/test_a.py::test_sign"] == "passed", found.output
    said = found.results["tests/test_where.py::test_where"].output
    assert f"at {site if how == 'copied' else copy}" in said
    assert f"loose {how == 'pth'}" in said
