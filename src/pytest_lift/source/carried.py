"""Folders of a program with the libraries of others, carried along so that nothing is installed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

CARRYING = frozenset(
    "_vendor _vendored vendored _vendored_packages vendored_packages extern _extern third_party "
    "_third_party thirdparty".split()
)
"""Names of folders that hold nothing else."""
PERHAPS_CARRYING = frozenset({"vendor", "vendors", "external", "externals"})
"""Names that a program may also give to what it is about: a shop has vendors."""


def is_carried(path: str) -> bool:
    """Whether a folder in a path is named like one with carried libraries."""
    return any(part in CARRYING | PERHAPS_CARRYING for part in path.split("/"))


def carried_folders(
    modules: Mapping[str, str],
    tops: Sequence[str],
    imported: Callable[[str], Iterable[str]],
    defines: Callable[[str], bool],
) -> tuple[str, ...]:
    """Returns the folders of carried libraries below `tops`, which are the program whatever their
    names.

    `modules` are the program's: path -> name. `imported` gives the names of modules that a file
    imports, and `defines` whether it has functions or classes.
    """
    folders = sorted({folder for path in modules for folder in _folders(path, tops)})
    found: list[str] = []
    for folder in folders:
        inside = [path for path in modules if path.startswith(f"{folder}/")]
        sure = folder.rpartition("/")[2] in CARRYING
        nested = any(folder.startswith(f"{outer}/") for outer in found)
        if nested or (not sure and _is_own(folder, inside, modules, imported, defines)):
            continue
        found.append(folder)
    return tuple(found)


def _folders(path: str, tops: Sequence[str]) -> list[str]:
    """Returns the folders with such names between a file and the place of the program that it
    belongs to most closely."""
    within = [top for top in tops if top in (".", "") or path.startswith(f"{top}/")]
    depth = max((0 if top in (".", "") else top.count("/") + 1 for top in within), default=0)
    parts = path.split("/")
    return [
        "/".join(parts[: number + 1])
        for number, part in enumerate(parts[:-1])
        if number >= depth and part in CARRYING | PERHAPS_CARRYING
    ]


def _is_own(
    folder: str,
    paths: Sequence[str],
    modules: Mapping[str, str],
    imported: Callable[[str], Iterable[str]],
    defines: Callable[[str], bool],
) -> bool:
    """Whether the modules of a folder are written for the program around it: they import what
    stands outside of the folder, or each other as the parts of one package."""
    if f"{folder}/__init__.py" in modules and defines(f"{folder}/__init__.py"):
        return True
    for path in paths:
        inner = path.removeprefix(f"{folder}/")
        parts = modules[path].split(".")
        below = inner.count("/") + (not path.endswith("__init__.py"))
        package = parts[: len(parts) - below]
        for name in imported(path):
            parts = name.split(".")
            if parts[: len(package)] == package:
                if "/" not in inner and name != modules[path]:
                    return True
            elif parts[0] == package[0]:
                return True
    return False
