"""Packages as their authors publish them: drawn, fetched from PyPI, unpacked, and installed."""

from __future__ import annotations

import contextlib
import os
import random
import re
import subprocess
import sys
import tarfile
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from coverage import Coverage, CoverageException

TOP = Path(__file__).resolve().parents[1]
TEST_EXTRAS = ("test", "tests", "testing", "dev")

os.environ["DISABLE_SPEEDUPS"] = "1"
"""simplejson as in the demo, without the C code in the place of its Python."""
KEPT = {k: v for k, v in os.environ.items() if k not in ("CI", "PYTEST_ADDOPTS")}
"""The environment of whatever is run in one of them."""


def sdist(package: str, folder: Path) -> Path | None:
    """Its top folder, below `folder`, where nothing else is; None where there is no sdist."""
    (name,) = re.findall(r"^[\w.-]+", package)  # what builds it may be a wheel
    command = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--no-binary", name]
    subprocess.run([*command, "-d", str(folder), package], check=False, capture_output=True)
    for archive in folder.glob("*.tar.gz"):
        with tarfile.open(archive) as packed:
            packed.extractall(folder, filter="data")
        archive.unlink()
        return next(path for path in folder.iterdir() if path.is_dir())
    return None


def fetched(package: str, folder: Path) -> Path:
    """The same; without an sdist there is no benchmark."""
    root = sdist(package, folder)
    if root is None:
        raise SystemExit(f"{package} could not be fetched")
    return root


def drawn(seed: int) -> Iterator[tuple[str, str]]:
    """(kind, name), each kind in its turn, in an order that the seed decides."""
    rng = random.Random(seed)
    kinds: dict[str, list[str]] = {}
    for line in (TOP / "benchmarks/world.txt").read_text("utf-8").splitlines():
        if not line.startswith("#"):
            kind, _, listed = line.partition(":")
            kinds.setdefault(kind, []).extend(listed.split())
    for names in kinds.values():
        rng.shuffle(names)
    while any(kinds.values()):
        for kind, names in kinds.items():
            if names:
                yield kind, names.pop()


def environment(
    root: Path, folder: Path, extras: str = "[mutation]", *, installed: bool = True
) -> Path | None:
    """An environment as a developer of the package has it, with this plugin and its `extras`."""
    python = folder / "env/bin/python"
    subprocess.run([sys.executable, "-m", "venv", str(folder / "env")], check=True)
    pip = [str(python), "-m", "pip", "install", "-q", "--disable-pip-version-check"]
    named = ",".join(_test_extras(root))
    wanted = [f"{root}[{named}]" if named else str(root)]
    for options in (["-e", *wanted], ["-e", str(root)]) if installed else ():
        done = subprocess.run([*pip, *options], check=False, capture_output=True)
        if done.returncode == 0:
            break
    else:
        if installed:
            return None
    subprocess.run([*pip, f"{TOP}{extras}"], check=True, capture_output=True)
    if plugins := [*_coverage_plugins(root), *_pytest_plugins(root)]:
        # without them its settings cannot be read
        subprocess.run([*pip, *plugins], check=False, capture_output=True)
    return python


def _pyproject(root: Path) -> dict[str, Any]:
    try:
        return tomllib.loads((root / "pyproject.toml").read_text("utf-8"))
    except (OSError, ValueError):
        return {}


def _test_extras(root: Path) -> list[str]:
    named = _pyproject(root).get("project", {}).get("optional-dependencies", {})
    return [name for name in TEST_EXTRAS if name in named]


def _pytest_plugins(root: Path) -> list[str]:
    """Plugins of pytest among what its developers install, in whatever group: its settings may have
    their options."""
    data = _pyproject(root)
    groups = (
        data.get("project", {}).get("optional-dependencies", {}),
        data.get("dependency-groups", {}),
    )
    told = (one for group in groups for wanted in group.values() for one in wanted)
    return [one for one in told if isinstance(one, str) and one.startswith("pytest-")]


def _coverage_plugins(root: Path) -> list[str]:
    """Plugins that its settings of coverage.py name, which its developers have."""
    for name in (".coveragerc", "setup.cfg", "tox.ini", "pyproject.toml"):
        if (root / name).is_file():
            with contextlib.suppress(CoverageException):
                named = Coverage(config_file=str(root / name)).get_option("run:plugins")
                if isinstance(named, list) and named:
                    return [one for one in named if "." not in one]
    return []


def environ(python: Path) -> dict[str, str]:
    return {**KEPT, "PATH": f"{python.parent}{os.pathsep}{KEPT['PATH']}"}
