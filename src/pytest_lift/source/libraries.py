"""Libraries that a program imports: versions of those that are installed here, and the others."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.metadata import PackageNotFoundError, packages_distributions, version
from importlib.util import find_spec

from pytest_lift.source.program import Program


@dataclass(frozen=True)
class ImportedLibraries:
    """Libraries by the first part of their modules' names."""

    installed: Mapping[str, str]
    """Name -> distribution and version: ``yaml`` -> ``PyYAML 6.0.2``."""
    missing: frozenset[str] = frozenset()


@lru_cache(maxsize=4)
def libraries_of(program: Program) -> ImportedLibraries:
    """Returns the libraries that any file of the program imports, whether it has to or not.

    None is imported for it.
    """
    own = {*program.names, *(module.partition(".")[0] for module in program.by_module)}
    asked = {one.top for file in program.files.values() for one in file.imports} - {""}
    others = sorted(asked - own - sys.stdlib_module_names)
    found = {name: told for name in others if (told := _told(name))}
    return ImportedLibraries(
        found, frozenset(name for name in others if name not in found and _is_gone(name))
    )


def _told(name: str) -> str:
    """Returns distribution and version; empty where no distribution has the module."""
    for distribution in _distributions().get(name, ()):
        try:
            return f"{distribution} {version(distribution)}"
        except PackageNotFoundError:
            continue
    return ""


@cache
def _distributions() -> Mapping[str, list[str]]:
    return packages_distributions()


def _is_gone(name: str) -> bool:
    try:
        return find_spec(name) is None
    except (ImportError, ValueError, AttributeError):
        return False
