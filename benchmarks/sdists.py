"""Packages as their authors publish them: fetched from PyPI and unpacked."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tarfile
from pathlib import Path

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
