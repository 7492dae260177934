"""Finds the program under test, by an option, metadata or the layout."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from pytest_lift.errors import UsageError
from pytest_lift.project.declared import (
    Find,
    ProgramPlace,
    declared,
    joined,
    may_be_the_program,
    normal,
    read_toml,
)
from pytest_lift.project.ini_files import find_ini_file
from pytest_lift.source.bindings import imports_in
from pytest_lift.source.carried import is_carried
from pytest_lift.source.program import ABOVE, Program, read_program

DEEPEST = 3
"""Levels of folders that are searched."""

SOURCE_FOLDERS = ("", "src", "lib", "python")
"""Folders, relative to the project root, in which packages live by convention."""

LEVELS = ("*.py", "*/*.py", "*/*/*.py")
"""Files of a folder that is no package, as deep as they are looked for."""

NAMED = "--lift-source"
EGG_INFO = "egg-info"
MOST_NAMED = 4


def members(root: Path) -> list[str]:
    """Returns the folders of the projects below `root`, POSIX, relative to it."""
    return [folder.relative_to(root).as_posix() for folder in _below(root, DEEPEST)]


def member_of(root: Path, here: Path) -> str | None:
    """Returns the project below `root` that contains the folder `here`."""
    for folder in (here, *here.parents):
        if folder == root or not folder.is_relative_to(root):
            return None
        if is_project(folder):
            return folder.relative_to(root).as_posix()
    return None


def _below(folder: Path, levels: int) -> Iterator[Path]:
    try:
        children = sorted(path for path in folder.iterdir() if path.is_dir())
    except OSError:
        return
    for child in children:
        if child.is_symlink() or not may_be_the_program(child.name):
            continue
        if is_project(child):
            yield child
        elif levels > 1 and not (child / "__init__.py").exists():
            yield from _below(child, levels - 1)


def is_project(folder: Path) -> bool:
    """Whether a folder has packaging settings; those of a linter or of pytest do not count."""
    if (folder / "setup.py").is_file():
        return True
    try:
        data = read_toml(folder / "pyproject.toml") if (folder / "pyproject.toml").is_file() else {}
        tool = data.get("tool")
        if "project" in data or (isinstance(tool, dict) and "poetry" in tool):
            return True
        cfg = folder / "setup.cfg"
        return cfg.is_file() and "[metadata]" in cfg.read_text("utf-8", "replace")
    except (UsageError, OSError):
        return False


def find_program(
    root: Path,
    *,
    source: Sequence[str] = (),
    coverage: Sequence[str] = (),
    here: Path | None = None,
) -> Program:
    """Returns the program below `root`. Raises `UsageError` that lists what was tried.

    `source` is the value of ``--lift-source``, `coverage` that of ``--cov`` (names or paths). In a
    monorepo the result is the program of the project that contains `here`, else, where one folder
    has the tests of all projects, the programs of all.
    """
    inside = member_of(root, here or root)
    if inside and not source and not coverage:
        return _of_members(root, [inside])
    tried: list[str] = []
    for how, names in _hints(root, source, coverage):
        places = [place for name in names if (place := _locate(root, name))]
        shown = (name.path if isinstance(name, ProgramPlace) else name for name in names)
        tried.append(f"{how}: {', '.join(shown) or 'nothing'}")
        if places:
            program = _read(root, places, how)
            if any(not file.error for file in program.files.values()):
                return program
            tried[-1] += " (no Python module in it can be parsed)"
        if source:
            break
        if how == EGG_INFO and not is_project(root) and (found := members(root)):
            return _of_members(root, found)
    raise UsageError(
        "no program to test was found; tried " + "; ".join(tried),
        where=str(root),
        todo=_advice(root),
    )


def _of_members(root: Path, found: Sequence[str]) -> Program:
    """Returns the program of several projects below `root`, which may import each other."""
    if len(found) > 1 and not any((root / name).is_dir() for name in ("tests", "test")):
        named = ", ".join(found[:MOST_NAMED]) + (" and more" if len(found) > MOST_NAMED else "")
        raise UsageError(
            f"several projects are here, and no folder of tests for all of them: {named}",
            where=str(root),
            todo=f"lift one of them: cd {found[0]} && pytest --lift",
        )
    parts = [find_program(root / name) for name in found]
    others = [find for name in members(root) if name not in found for find in _roots(root / name)]
    paths = [joined(name, p) for name, part in zip(found, parts, strict=True) for p in part.paths]
    roots = [
        joined(name, r) for name, part in zip(found, parts, strict=True) for r in part.import_roots
    ]
    beside = [root_of.relative_to(root).as_posix() for root_of in others]
    how = f"{parts[0].how} of {', '.join(found[:MOST_NAMED])}"
    return read_program(root, tuple(paths), tuple(dict.fromkeys([*roots, *beside])), how)


def _roots(project: Path) -> list[Path]:
    """Returns the import roots of a neighbouring project; none if it has no program."""
    try:
        return [project / root for root in find_program(project).import_roots]
    except UsageError:
        return []


def _advice(root: Path) -> str:
    named = "name it: --lift-source=PACKAGE_OR_DIR (ini: lift_source)"
    if next(root.glob("*.ipynb"), None) or next(root.glob("*/*.ipynb"), None):
        return (
            f"move functions of the notebooks into a .py file beside them and import it, or {named}"
        )
    return named


def _read(root: Path, places: Iterable[ProgramPlace], how: str) -> Program:
    unique = dict.fromkeys(places)
    paths = [place.path for place in unique]
    outermost = [
        place
        for place in unique
        if not any(place.path.startswith(f"{path}/") for path in paths)
        or (how == NAMED and is_carried(place.path))
    ]
    by_path = {place.path: place for place in reversed(outermost)}  # the first of two wins
    outermost = [place for place in outermost if by_path[place.path] is place]
    import_roots = tuple(dict.fromkeys(place.root for place in outermost))
    return read_program(root, tuple(place.path for place in outermost), import_roots, how)


def _hints(
    root: Path, source: Sequence[str], coverage: Sequence[str]
) -> Iterator[tuple[str, Sequence[str | ProgramPlace]]]:
    """Yields (source of the hint, places or names), the most explicit first, read when needed."""
    if source:
        yield NAMED, list(source)
        return
    measured = [name for name in coverage if name not in ("", ".")]
    if measured:
        yield "--cov", measured
    for file, places, names in declared(root):
        if places or names or file != "setup.py":
            yield file, places or names
    yield EGG_INFO, list(_from_egg_info(root))
    yield "pythonpath", list(_from_pythonpath(root))
    yield "layout", list(_from_layout(root))
    yield "loose files", list(_from_folders(root))


def _locate(root: Path, name: str | ProgramPlace) -> ProgramPlace | None:
    """Returns the existing folder or file of a dotted name or path, and its import root."""
    if isinstance(name, ProgramPlace):
        return name
    given = Path(name)
    if given.is_absolute():
        given = given.relative_to(root) if given.is_relative_to(root) else Path("/nonexistent")
    options: list[tuple[Path, str | None]] = [(given, None)]
    if re.fullmatch(r"[\w.\-]+", name):
        plain = name.replace("-", "_").replace(".", "/")
        for top in SOURCE_FOLDERS:
            for inside in dict.fromkeys((plain, re.sub(r"[.\-]", "/", name))):
                above = top if "/" in inside else None  # the name says what is above it
                for spelt in (inside, inside.lower()):
                    options += [(Path(top, spelt), above), (Path(top, f"{spelt}.py"), above)]
    for option, above in options:
        full, path = root / option, normal(option.as_posix())
        if not path:
            continue
        package = full.is_dir() and (any(full.glob("*.py")) or any(full.glob("*/*.py")))
        if package or (full.is_file() and full.suffix == ".py"):
            return ProgramPlace(path, _import_root(root, path) if above is None else above)
    return None


def _import_root(root: Path, place: str) -> str:
    """Returns the folder that must be on `sys.path` to import `place` by its own name."""
    parent = Path(place).parent
    if (root / place).is_dir() and not (root / place / "__init__.py").exists():
        loose = any((root / place).glob("*.py"))
        named = Path(place).name in SOURCE_FOLDERS
        if named or (loose and parent == Path() and not _is_namespace(root, place)):
            return place
    top = Path(place).parts[0]
    if parent != Path() and top in SOURCE_FOLDERS and not (root / top / "__init__.py").exists():
        return top
    while parent != Path() and (root / parent / "__init__.py").exists():
        parent = parent.parent
    return normal(parent.as_posix())


def _is_namespace(root: Path, folder: str) -> bool:
    """Whether a folder without ``__init__.py`` is a namespace package and no folder of scripts: it
    has packages, or modules are imported from it."""
    return any((root / folder).glob("*/*.py")) or _is_imported_from(root, folder)


def _is_imported_from(root: Path, folder: str) -> bool:
    """Whether a module in a folder imports another one by a dot, or a module of the project imports
    one by the name of the folder."""
    if any(_imports_relatively(path) for path in _modules_below(root / folder)):
        return True
    beside = {folder, *_plain_folders(root)}
    inside = (path for name in beside for path in _modules_below(root / name))
    texts = [*root.glob("*.py"), *inside, *root.glob("test*/**/*.py")]
    return any(folder in _imported(path) for path in texts)


def _modules_below(folder: Path) -> list[Path]:
    return [path for pattern in LEVELS for path in folder.glob(pattern)]


def _imports_relatively(path: Path) -> bool:
    """Whether a statement of a module imports a module beside it by a dot."""
    return any(isinstance(n, ast.ImportFrom) and n.level for n in _parsed(path).body)


def _imported(path: Path) -> set[str]:
    """Returns the top-level names of the modules that a file imports."""
    return {found.top for found in imports_in(ast.walk(_parsed(path)))}


def _parsed(path: Path) -> ast.Module:
    """Returns the tree of a file; an empty one of a file that cannot be read."""
    try:
        return ast.parse(path.read_bytes())
    except (OSError, SyntaxError, ValueError, RecursionError):
        return ast.Module([], [])


def _from_egg_info(root: Path) -> Iterator[str]:
    for folder in SOURCE_FOLDERS:
        for listing in sorted((root / folder).glob("*.egg-info/top_level.txt")):
            yield from listing.read_text("utf-8", "replace").split()


def _from_pythonpath(root: Path) -> Iterator[ProgramPlace]:
    """Yields packages and modules of the folders that pytest's setting `pythonpath` names."""
    ini = find_ini_file(root)[1]
    for given in ini.words("pythonpath") if ini is not None and ini.path.parent == root else ():
        folder = normal(given)
        parts = Path(folder).parts
        if not Path(folder).is_absolute() and all(map(may_be_the_program, parts)):
            yield from _in_folder(root, folder)


def _from_layout(root: Path) -> Iterator[ProgramPlace]:
    """Yields packages and modules of the first folder that has any."""
    for folder in ("src", "lib", "python", ""):
        found = _in_folder(root, folder)
        yield from found
        if found:
            return


def _in_folder(root: Path, folder: str) -> list[ProgramPlace]:
    """Returns packages and modules of a folder; below the project's own a package needs no
    ``__init__.py``."""
    base = root / folder
    modules = (path.name for path in sorted(base.glob("*.py")))
    found = [
        ProgramPlace(joined(folder, p.parent.name), folder) for p in base.glob("*/__init__.py")
    ]
    if folder and not (base / "__init__.py").exists():
        found += Find(folder).places(root)
    found = sorted({place for place in found if _may_be(place.path)})
    found += [ProgramPlace(joined(folder, n), folder) for n in modules if _may_be(n)]
    if folder or not found:
        return found
    if _is_package(root):
        return [ProgramPlace(place.path, ABOVE) for place in found]
    beside = (name for name in _plain_folders(root) if _is_imported_from(root, name))
    return found + [ProgramPlace(name, _import_root(root, name)) for name in beside]


def _is_package(root: Path) -> bool:
    """Whether the project's own folder is a package: its modules import each other by a dot, or by
    the name of the folder."""
    name = root.resolve().name
    if not name.isidentifier() or (root / name).exists() or (root / f"{name}.py").exists():
        return False
    modules = [path for path in root.glob("*.py") if _may_be(path.name)]
    return any(_imports_relatively(path) or name in _imported(path) for path in modules)


def _from_folders(root: Path) -> Iterator[ProgramPlace]:
    """Yields folders with Python files where the project has no package: scripts, notebooks."""
    for folder in _plain_folders(root):
        yield ProgramPlace(folder, _import_root(root, folder))


def _plain_folders(root: Path) -> Iterator[str]:
    """Yields the names of folders with Python files that are no package by an ``__init__.py``, no
    tests, docs or environment."""
    others = {"tests", "test", "testing", "docs", "doc", "node_modules", "build", "dist"}
    for folder in sorted(path for path in root.iterdir() if path.is_dir()):
        hidden = folder.name.startswith((".", "__")) or folder.name in others
        if hidden or any((folder / name).exists() for name in ("__init__.py", "pyvenv.cfg")):
            continue
        if _modules_below(folder):
            yield folder.name


def _may_be(path: str) -> bool:
    return may_be_the_program(Path(path).name.removesuffix(".py"))
