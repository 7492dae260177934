"""Where the program under test is: told by an option, else metadata, else the layout."""

from __future__ import annotations

import configparser
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from pytest_lift.errors import UsageError
from pytest_lift.program import Program, read_program

SOURCE_FOLDERS = ("", "src", "lib", "python")
"""Folders, relative to the project root, in which packages live by convention."""

NOT_THE_PROGRAM = frozenset(
    "test tests testing doc docs example examples sample samples benchmark benchmarks bench script "
    "scripts tool tools build dist node_modules venv env site-packages setup conftest noxfile "
    "tasks fabfile conf manage versioneer dodo ci vendor third_party".split()
)


def find_program(
    root: Path, *, source: Sequence[str] = (), coverage: Sequence[str] = ()
) -> Program:
    """The program below `root`; raises `UsageError` that lists what was tried.

    `source` is what ``--lift-source`` said, `coverage` what pytest-cov was told (names or paths).
    """
    tried: list[str] = []
    for how, names in _hints(root, source, coverage):
        places = [place for name in names if (place := _locate(root, name))]
        tried.append(f"{how}: {', '.join(names) or 'nothing'}")
        if places:
            program = _read(root, places, how)
            if any(not file.error for file in program.files.values()):
                return program
            tried[-1] += " (no Python module in it can be parsed)"
        if source:
            break
    raise UsageError(
        "no program to test was found; tried " + "; ".join(tried),
        where=str(root),
        todo="name it: --lift-source=PACKAGE_OR_DIR (ini: lift_source)",
    )


def _read(root: Path, places: Iterable[str], how: str) -> Program:
    unique = tuple(dict.fromkeys(places))
    kept = tuple(p for p in unique if not any(p != q and p.startswith(f"{q}/") for q in unique))
    import_roots = tuple(dict.fromkeys(_import_root(root, place) for place in kept))
    return read_program(root, kept, import_roots, how)


def _hints(
    root: Path, source: Sequence[str], coverage: Sequence[str]
) -> Iterator[tuple[str, list[str]]]:
    """(how, names or paths), the most explicit first; later ones are only read when needed."""
    if source:
        yield "--lift-source", list(source)
        return
    told = [name for name in coverage if name not in ("", ".")]
    if told:
        yield "--cov", told
    yield "pyproject.toml", list(_from_pyproject(root))
    yield "setup.cfg", list(_from_setup_cfg(root))
    yield "egg-info", list(_from_egg_info(root))
    yield "layout", list(_from_layout(root))


def _locate(root: Path, name: str) -> str | None:
    """`name` (dotted or a path) -> an existing folder or file relative to `root`, POSIX."""
    given = Path(name)
    if given.is_absolute():
        given = given.relative_to(root) if given.is_relative_to(root) else Path("/nonexistent")
    options = [given]
    if re.fullmatch(r"[\w.\-]+", name):
        dotted = name.replace("-", "_").replace(".", "/")
        for folder in SOURCE_FOLDERS:
            options += [Path(folder, dotted), Path(folder, f"{dotted}.py")]
            options += [Path(folder, dotted.lower()), Path(folder, f"{dotted.lower()}.py")]
    for option in options:
        full = root / option
        if full.is_dir() and any(full.glob("*.py")):
            return _as_package(root, option)
        if full.is_dir() and option != Path() and any(full.glob("*/*.py")):
            return _normal(option)
        if full.is_file() and full.suffix == ".py":
            return _normal(option)
    return None


def _as_package(root: Path, option: Path) -> str | None:
    """A folder of loose modules, like ``src``, stands for itself; the root alone for nothing."""
    path = _normal(option)
    return path if path not in ("", ".") else None


def _normal(path: Path) -> str:
    return Path(*[part for part in path.parts if part != "."]).as_posix()


def _import_root(root: Path, place: str) -> str:
    """The folder that has to be on `sys.path` so that `place` imports under its own name."""
    parent = Path(place).parent
    if (root / place).is_dir() and not (root / place / "__init__.py").exists():
        loose = any((root / place).glob("*.py"))
        named = Path(place).name in SOURCE_FOLDERS
        if named or (loose and parent == Path() and not any((root / place).glob("*/*.py"))):
            return _normal(Path(place))
    top = Path(place).parts[0]
    if parent != Path() and top in SOURCE_FOLDERS and not (root / top / "__init__.py").exists():
        return top
    while parent != Path() and (root / parent / "__init__.py").exists():
        parent = parent.parent
    return "" if parent == Path() else parent.as_posix()


def _from_pyproject(root: Path) -> Iterator[str]:
    try:
        data = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))
    except FileNotFoundError:
        return
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise UsageError(str(error), where="pyproject.toml", todo="correct the file") from error
    tool = _table(data, "tool")
    yield from _strings(_table(tool, "setuptools").get("packages"))
    yield from _strings(_table(tool, "setuptools").get("py-modules"))
    hatch = _table(_table(_table(_table(tool, "hatch"), "build"), "targets"), "wheel")
    yield from _strings(hatch.get("packages"))
    yield from _strings(_table(_table(tool, "flit"), "module").get("name"))
    for package in _table(tool, "poetry").get("packages") or []:
        include = package.get("include") if isinstance(package, dict) else None
        origin = package.get("from") if isinstance(package, dict) else None
        if isinstance(include, str):
            yield f"{origin}/{include}" if isinstance(origin, str) else include
    for owner in (_table(data, "project"), _table(tool, "poetry"), _table(tool, "flit")):
        yield from _strings(owner.get("name"))


def _table(data: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    value = data.get(key)
    return value if isinstance(value, dict) else {}


def _strings(value: object) -> list[str]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, list):
        return [item for item in value if isinstance(item, str)]
    return []


def _from_setup_cfg(root: Path) -> Iterator[str]:
    parser = configparser.ConfigParser(interpolation=None)
    try:
        parser.read(root / "setup.cfg", encoding="utf-8")
    except (configparser.Error, UnicodeDecodeError):
        return
    for section, key in (("options", "packages"), ("options", "py_modules"), ("metadata", "name")):
        value = parser.get(section, key, fallback="")
        yield from (name for name in re.split(r"[\s,]+", value) if name and ":" not in name)


def _from_egg_info(root: Path) -> Iterator[str]:
    for folder in SOURCE_FOLDERS:
        for listing in sorted((root / folder).glob("*.egg-info/top_level.txt")):
            yield from listing.read_text("utf-8", "replace").split()


def _from_layout(root: Path) -> Iterator[str]:
    for folder in ("src", "lib", "python", ""):
        base = root / folder
        packages = sorted(p.parent.name for p in base.glob("*/__init__.py"))
        modules = sorted(p.stem for p in base.glob("*.py"))
        names = [n for n in [*packages, *modules] if _may_be_the_program(n)]
        yield from (f"{folder}/{name}" if folder else name for name in names)
        if names:
            return


def _may_be_the_program(name: str) -> bool:
    plain = name.lower().strip("_")
    return plain not in NOT_THE_PROGRAM and not re.match(r"test_|.*_test$|\.|__", name.lower())
