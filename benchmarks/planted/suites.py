"""The suites that tests are planted into: those that the rules were tuned on, and those held out.

A person's test that was wrongly called vacuous in a held-out suite is no reason to change a rule:
whoever does so moves that suite to the tuned ones and takes another in its place.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from marked.packages import PACKAGES, Package


@dataclass(frozen=True)
class Group:
    """Suites that are reported together, each planted once with every seed."""

    name: str
    packages: tuple[Package, ...]
    seeds: tuple[int, ...]


_MARKED = {package.name.partition("==")[0]: package for package in PACKAGES}
GROUPS = (
    Group(
        "tuned",
        tuple(_MARKED[n] for n in ("itsdangerous", "cachetools", "toolz", "humanize", "attrs")),
        (0,),
    ),
    Group(
        "held out",
        (
            Package("packaging==25.0", "tests", ("pretend",), only=(
                "test_elffile.py", "test_manylinux.py", "test_metadata.py", "test_musllinux.py",
                "test_structures.py", "test_tags.py", "test_utils.py")),
            Package("jinja2==3.1.6", "tests", ("trio",)),
            Package("semver==3.0.4", "tests"),
        ),
        (1, 2),
    ),
)  # fmt: skip


def keep_only(package: Package, root: Path) -> None:
    """Drop the test files that take too long."""
    if package.only:
        for path in (root / package.tests).rglob("test_*.py"):
            if str(path.relative_to(root / package.tests)) not in package.only:
                path.unlink()
