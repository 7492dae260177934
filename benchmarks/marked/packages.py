"""The packages whose suites are marked: fetched from PyPI, with an environment for their tests."""

from __future__ import annotations

import subprocess
import sys
import sysconfig
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import sdists

ASYNCIO = "pytest-asyncio"
TOOLS = ("pytest-xdist", "pytest-mock", "pytest-timeout")
"""Plugins that the suites need, beside what each package below needs."""


@dataclass(frozen=True)
class Package:
    """What is fetched, where its tests stand, and what these need."""

    name: str
    tests: str
    needs: tuple[str, ...] = ()
    shown: str = ""
    only: tuple[str, ...] = ()
    """Test files that are kept, where all of them take too long."""


PACKAGES = (
    Package("itsdangerous==2.2.0", "tests", ("freezegun",), "inherited tests"),
    Package("more-itertools==11.2.1", "tests", (), "unittest"),
    Package("cachetools==8.0.0", "tests", (), "unittest, tests of mixins"),
    Package("attrs==26.1.0", "tests", ("hypothesis", "cloudpickle"), "classes, strict markers"),
    Package("anyio==4.16.0", "tests", ("trio", "hypothesis", "psutil", "trustme"),
            "async by backend",
            ("test_synchronization.py", "test_taskgroups.py", "test_eventloop.py",
             "test_lowlevel.py", "test_debugging.py", "streams/test_memory.py",
             "streams/test_buffered.py", "streams/test_text.py", "streams/test_stapled.py")),
    Package("toolz==1.2.0", "toolz", (), "tests in the package"),
    Package("humanize==4.17.0", "tests", ("freezegun",), "tables, doctests"),
    Package("click==8.5.1", "tests", (), "tables"),
    Package("aiofiles==25.1.0", "tests", (ASYNCIO,), "async, tables"),
    Package("janus==2.0.0", "tests", (ASYNCIO,), "async in classes"),
    Package("python-dateutil==4.0.0", "tests", ("freezegun", "hypothesis"), "rows with marks"),
)  # fmt: skip


def environment(folder: Path, packages: Sequence[Package]) -> Path:
    """A virtual environment on top of the one that runs this; its Python."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder)], check=True)
    python = folder / "bin/python"
    asked = "import sysconfig; print(sysconfig.get_path('purelib'))"
    own = subprocess.run([python, "-c", asked], capture_output=True, text=True, check=True)
    below = sysconfig.get_path("purelib")
    Path(own.stdout.strip(), "below.pth").write_text(f"import site; site.addsitedir({below!r})\n")
    needs = [need for package in packages for need in (package.name, *package.needs)]
    command = [sys.executable, "-m", "pip", "--python", str(python), "install", "-q"]
    subprocess.run([*command, *dict.fromkeys((*TOOLS, *needs))], check=True)
    return python


def fetched(package: Package, folder: Path) -> Path:
    """The unpacked sdist."""
    return sdists.fetched(package.name, folder)
