"""A package of PyPI as a project without tests, in the scratch folder of the demos."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Iterable
from pathlib import Path

INI = "[pytest]\npythonpath = .\n"
"""So that plain pytest finds the package."""
SCRATCH = Path(__file__).resolve().parents[1] / ".demo"


def prepared(name: str, version: str, *, left_out: Iterable[str], requirements: Path) -> Path:
    """A fresh folder with the sources and documentation of the package, and no tests at all."""
    project = SCRATCH / name
    shutil.rmtree(project, ignore_errors=True)
    with tarfile.open(_fetched(name, version)) as archive:
        archive.extractall(SCRATCH, filter="data")
    (SCRATCH / f"{name}-{version}").rename(project)
    for path in left_out:
        target = project / path
        shutil.rmtree(target) if target.is_dir() else target.unlink()
    shutil.copy(requirements, project)
    (project / "pytest.ini").write_text(INI, "utf-8")
    return project


def _fetched(name: str, version: str) -> Path:
    """The sdist, downloaded once."""
    archive = SCRATCH / "download" / f"{name}-{version}.tar.gz"
    if not archive.exists():
        command = [sys.executable, "-m", "pip", "download", "-q", "--no-deps"]
        command += ["--disable-pip-version-check", "--no-binary", name]
        command += ["-d", str(archive.parent), f"{name}=={version}"]
        subprocess.run(command, check=True, env={**os.environ, "DISABLE_SPEEDUPS": "1"})
    return archive
