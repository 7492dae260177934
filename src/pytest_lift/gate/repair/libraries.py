"""Names that installed libraries of others give: from their texts, none of them is imported."""

from __future__ import annotations

import importlib.util
import re
import sys
from collections.abc import Iterator
from functools import cache
from importlib.metadata import packages_distributions
from pathlib import Path

from pytest_lift.source.bindings import bound_names
from pytest_lift.source.syntax import parse_readable, statements

_TOLD_IN = (
    *("pyproject.toml", "setup.cfg", "setup.py", "tox.ini", "noxfile.py", "*requirements*.txt"),
    *("requirements/*.txt", "*requirements*/*.txt", "Pipfile", "environment.yml"),
)
"""Files in which a project tells what it needs."""
_TOOLS = frozenset({"pip", "setuptools", "pkg_resources", "wheel", "pytest_lift", "distutils"})


def libraries_with(name: str, root: Path) -> Iterator[str]:
    """Yields the library that gives a name in its top-level module: the only one that the project
    says it needs, or else the only one that is installed. Of modules of one distribution it is the
    one of the same name."""
    found = [top for top in _tops() if name in _names(top)]
    told = _told(root)
    needed = [top for top in found if any(_spelt(dist) in told for dist in _tops()[top])]
    for tops in (needed, found):
        dists = {tuple(_tops()[top]) for top in tops}
        if len(dists) == 1:
            yield max(tops, key=lambda top: (_spelt(top) in map(_spelt, _tops()[top]), top))
            return


def _spelt(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


@cache
def _tops() -> dict[str, list[str]]:
    """Returns top-level modules of what is installed, each with its distributions."""
    return {
        top: dists
        for top, dists in packages_distributions().items()
        if top.isidentifier()
        and not top.startswith("_")
        and top not in _TOOLS | sys.stdlib_module_names
    }


@cache
def _names(top: str) -> frozenset[str]:
    """Returns the public names that a top-level module binds in its text."""
    try:
        spec = importlib.util.find_spec(top)
        text = Path(spec.origin or "").read_text("utf-8") if spec is not None else ""
    except (ImportError, ValueError, AttributeError, OSError, UnicodeDecodeError):
        return frozenset()
    names = (name for node in statements(parse_readable(text).body) for name in bound_names(node))
    return frozenset(name for name in names if not name.startswith("_"))


@cache
def _told(root: Path) -> frozenset[str]:
    """Returns the words of the files in which a project tells what it needs."""
    found = set[str]()
    for pattern in _TOLD_IN:
        for place in root.glob(pattern):
            try:
                found |= {*map(_spelt, re.findall(r"[\w.-]+", place.read_text("utf-8", "replace")))}
            except OSError:
                continue
    return frozenset(found)
