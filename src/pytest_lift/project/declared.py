"""Places of a project's packages, as its packaging settings declare them; nothing is run.

Reads settings of setuptools (pyproject.toml, setup.cfg, setup.py), Hatch, Poetry, Flit, PDM, uv,
Maturin and scikit-build-core. Their automatic discovery is left to `discovery.py`.
"""

from __future__ import annotations

import ast
import configparser
import posixpath
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple

from pytest_lift.errors import UsageError
from pytest_lift.source.syntax import leaf

NOT_THE_PROGRAM = frozenset(
    "test tests testing doc docs example examples sample samples benchmark benchmarks bench script "
    "scripts tool tools build dist node_modules venv env site-packages setup conftest noxfile "
    "tasks fabfile conf manage versioneer dodo ci vendor third_party".split()
)
"""Usual names of folders and files that are not part of the program."""

DEEPEST = 4
"""Levels of nested packages that are matched against patterns."""


class ProgramPlace(NamedTuple):
    """A package or module of the program."""

    path: str
    """Folder or file, POSIX, relative to the project."""
    root: str
    """Folder to put on `sys.path`; "" is the project itself."""


@dataclass(frozen=True)
class Find:
    """setuptools' search for packages."""

    where: str = ""
    include: tuple[str, ...] = ("*",)
    exclude: tuple[str, ...] = ()
    namespaces: bool = True

    def places(self, root: Path) -> Iterator[ProgramPlace]:
        """Yields the topmost folders that match."""
        if _is_outside(normal(self.where)):
            return
        yield from self._below(root, PurePosixPath(self.where), ())

    def _below(
        self, root: Path, folder: PurePosixPath, names: tuple[str, ...]
    ) -> Iterator[ProgramPlace]:
        for child in _folders(root / folder):
            name = (*names, child.name)
            if not self.namespaces and not (child / "__init__.py").exists():
                continue
            if self._takes(name) and has_python(child):
                yield ProgramPlace((folder / child.name).as_posix(), normal(self.where))
            elif len(name) < DEEPEST:
                yield from self._below(root, folder / child.name, name)

    def _takes(self, names: tuple[str, ...]) -> bool:
        dotted = ".".join(names)
        if self.include == ("*",) and not may_be_the_program(names[0]):
            return False
        wanted = any(fnmatchcase(dotted, pattern) for pattern in self.include)
        return wanted and not any(fnmatchcase(dotted, pattern) for pattern in self.exclude)


@dataclass(frozen=True)
class Names:
    """Packages and modules by name, as setuptools and similar tools list them."""

    packages: tuple[str, ...] = ()
    modules: tuple[str, ...] = ()
    package_dir: Mapping[str, str] = field(default_factory=dict)
    """Package (or "") -> its folder."""
    finds: tuple[Find, ...] = ()

    def places(self, root: Path) -> Iterator[ProgramPlace]:
        top = normal(self.package_dir.get("", ""))
        for name in self.packages:
            yield from self._package(name, top)
        for name in self.modules:
            yield ProgramPlace(joined(top, f"{name.replace('.', '/')}.py"), top)
        for find in self.finds:
            yield from find.places(root)
        if not (self.packages or self.modules or self.finds) and top:
            yield from Find(top).places(root)

    def _package(self, name: str, top: str) -> Iterator[ProgramPlace]:
        """Yields the package, unless its folder has another name and cannot be imported."""
        parts = name.split(".")
        for length in range(len(parts), 0, -1):
            declared_dir = self.package_dir.get(".".join(parts[:length]))
            if declared_dir is None:
                continue
            folder = PurePosixPath(normal(declared_dir), *parts[length:])
            if folder.parts[-len(parts) :] == tuple(parts):
                above = PurePosixPath(*folder.parts[: -len(parts)])
                yield ProgramPlace(folder.as_posix(), normal(above.as_posix()))
            return
        yield ProgramPlace(joined(top, "/".join(parts)), top)


Declared = tuple[Iterable[ProgramPlace], list[str]]
"""Places that a settings file declares, and names of the distribution."""


def declared(root: Path) -> Iterator[tuple[str, list[ProgramPlace], list[str]]]:
    """Yields (settings file, existing places it declares, names of the distribution). Raises
    UsageError for a pyproject.toml that cannot be read."""
    for file, read in (("pyproject.toml", _toml), ("setup.cfg", _cfg), ("setup.py", _script)):
        places, names = read(root) if (root / file).is_file() else ((), [])
        yield file, list(dict.fromkeys(_there(root, places))), names


def _there(root: Path, places: Iterable[ProgramPlace]) -> Iterator[ProgramPlace]:
    for place in places:
        full = root / place.path
        if not place.path or _is_outside(place.path):
            continue
        if (full.suffix == ".py" and full.is_file()) or has_python(full):
            yield place


def read_toml(path: Path) -> dict[str, Any]:
    """Reads a pyproject.toml. Raises UsageError for one that cannot be read."""
    try:
        return tomllib.loads(path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise UsageError(str(error), where="pyproject.toml", todo="correct the file") from error


def _toml(root: Path) -> Declared:
    data = read_toml(root / "pyproject.toml")
    tool = table(data, "tool")
    places = (
        *_setuptools(table(tool, "setuptools"), root),
        *_hatch(table(table(tool, "hatch"), "build"), root),
        *_poetry(table(tool, "poetry").get("packages")),
        *_modules(strings(table(table(tool, "flit"), "module").get("name"))),
        *_pdm(table(table(tool, "pdm"), "build"), root),
        *_uv(table(table(tool, "uv"), "build-backend"), root),
        *(
            p
            for top in strings(table(tool, "maturin").get("python-source"))[:1]
            for p in Find(top).places(root)
        ),
        *_folders_of(strings(table(table(tool, "scikit-build"), "wheel").get("packages")), ()),
    )
    owners = (table(data, "project"), table(tool, "poetry"), table(tool, "flit"))
    return places, [name for owner in owners for name in strings(owner.get("name"))]


def _setuptools(own: Mapping[str, Any], root: Path) -> Iterator[ProgramPlace]:
    packages = own.get("packages")
    find = packages.get("find") if isinstance(packages, dict) else None
    finds: Iterable[Find] = ()
    if isinstance(find, dict):
        finds = _found(find, namespaces=find.get("namespaces") is not False)
    names = {k: v for k, v in table(own, "package-dir").items() if isinstance(v, str)}
    listed = strings(packages), strings(own.get("py-modules"))
    yield from Names(tuple(listed[0]), tuple(listed[1]), names, tuple(finds)).places(root)


def _found(settings: Mapping[str, Any], *, namespaces: bool) -> Iterator[Find]:
    include = tuple(strings(settings.get("include"))) or ("*",)
    exclude = tuple(strings(settings.get("exclude")))
    for where in strings(settings.get("where")) or [""]:
        yield Find(normal(where), include, exclude, namespaces)


def _hatch(build: Mapping[str, Any], root: Path) -> Iterator[ProgramPlace]:
    wheel = table(table(build, "targets"), "wheel")
    tops = strings(wheel.get("sources")) or strings(build.get("sources"))
    named = strings(wheel.get("packages")) or strings(build.get("packages"))
    for path in (*named, *strings(wheel.get("only-include"))):
        if normal(path) in map(normal, tops):  # all packages of a folder of sources
            yield from Find(normal(path)).places(root)
        else:
            yield from _folders_of([path], tops)


def _folders_of(paths: Iterable[str], tops: Iterable[str]) -> Iterator[ProgramPlace]:
    """Yields packages by path; the folder above is the import root unless `tops` has another."""
    for path in map(normal, paths):
        above = [normal(top) for top in tops if path.startswith(f"{normal(top)}/")]
        yield ProgramPlace(
            path, above[0] if above else normal(PurePosixPath(path).parent.as_posix())
        )


def _poetry(packages: object) -> Iterator[ProgramPlace]:
    for package in packages if isinstance(packages, list) else []:
        include = package.get("include") if isinstance(package, dict) else None
        origin = package.get("from", "") if isinstance(package, dict) else ""
        if isinstance(include, str) and isinstance(origin, str):
            plain = re.split(r"/?[^/]*[*?\[]", include)[0]
            yield ProgramPlace(joined(normal(origin), plain), normal(origin))


def _modules(names: Iterable[str]) -> Iterator[ProgramPlace]:
    """Yields Flit's modules, which are in the project folder or in `src`."""
    for name in names:
        inside = name.replace(".", "/")
        for top in ("", "src"):
            yield ProgramPlace(joined(top, inside), top)
            yield ProgramPlace(joined(top, f"{inside}.py"), top)


def _pdm(build: Mapping[str, Any], root: Path) -> Iterator[ProgramPlace]:
    declared_dir = strings(build.get("package-dir"))
    top = declared_dir[0] if declared_dir else "src" if (root / "src").is_dir() else ""
    included = [path for path in strings(build.get("includes")) if not re.search(r"[*?\[]", path)]
    yield from _folders_of(included, [top] if top else [])
    if declared_dir and not included:
        yield from Find(normal(top)).places(root)


def _uv(own: Mapping[str, Any], root: Path) -> Iterator[ProgramPlace]:
    declared_dir = own.get("module-root")
    top = normal(declared_dir) if isinstance(declared_dir, str) else "src"
    for name in strings(own.get("module-name")):
        yield ProgramPlace(joined(top, name.replace(".", "/")), top)
    if isinstance(declared_dir, str) and declared_dir and not own.get("module-name"):
        yield from Find(top).places(root)


def _cfg(root: Path) -> Declared:
    parser = configparser.ConfigParser(interpolation=None)
    try:
        parser.read(root / "setup.cfg", encoding="utf-8")
    except (configparser.Error, UnicodeDecodeError):
        return (), []

    def listed(key: str, section: str = "options") -> tuple[str, ...]:
        text = parser.get(section, key, fallback="")
        return tuple(part for part in re.split(r"[\s,]+", text) if part)

    lines = parser.get("options", "package_dir", fallback="").splitlines()
    rows = (line.partition("=") for line in lines)
    package_dir = {key.strip(): value.strip() for key, equals, value in rows if equals}
    packages = listed("packages")
    finds: tuple[Find, ...] = ()
    if packages and packages[0] in ("find:", "find_namespace:"):
        section = "options.packages.find"
        settings = {key: list(listed(key, section)) for key in ("where", "include", "exclude")}
        finds = tuple(_found(settings, namespaces=packages[0] == "find_namespace:"))
        packages = ()
    names = Names(packages, listed("py_modules"), package_dir, finds)
    return names.places(root), list(listed("name", "metadata"))


def _script(root: Path) -> Declared:
    try:
        tree = ast.parse((root / "setup.py").read_bytes())
    except (OSError, SyntaxError, ValueError, RecursionError):
        return (), []
    known = _constants(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and leaf(node.func) == "setup":
            arguments = {word.arg: word.value for word in node.keywords if word.arg}
            return _of_script(root, arguments, known)
    return (), []


def _of_script(root: Path, arguments: Mapping[str, ast.expr], known: Mapping[str, Any]) -> Declared:
    packages = arguments.get("packages")
    finds: tuple[Find, ...] = ()
    if isinstance(packages, ast.Name):
        packages = known.get(f"={packages.id}", packages)
    if isinstance(packages, ast.Call):
        finds = tuple(_find_of(packages, known))
    package_dir = _literal(arguments.get("package_dir"), known)
    folders = package_dir.items() if isinstance(package_dir, dict) else ()
    names = Names(
        tuple(strings(_literal(packages, known))),
        tuple(strings(_literal(arguments.get("py_modules"), known))),
        {k: v for k, v in folders if isinstance(k, str) and isinstance(v, str)},
        finds,
    )
    return names.places(root), strings(_literal(arguments.get("name"), known))


def _find_of(call: ast.Call, known: Mapping[str, Any]) -> Iterator[Find]:
    name = leaf(call.func)
    if name not in ("find_packages", "find_namespace_packages"):
        return
    order = ("where", "exclude", "include")
    arguments = dict(zip(order, (_literal(arg, known) for arg in call.args), strict=False))
    arguments |= {
        word.arg: _literal(word.value, known) for word in call.keywords if word.arg in order
    }
    arguments = {key: list(v) if isinstance(v, tuple) else v for key, v in arguments.items()}
    yield from _found(arguments, namespaces=name == "find_namespace_packages")


def _constants(tree: ast.Module) -> dict[str, Any]:
    """Returns the values of names with a literal value, and all expressions under ``=name``."""
    known: dict[str, Any] = {}
    for node in tree.body:
        if isinstance(node, ast.Assign):
            for target in node.targets:
                if isinstance(target, ast.Name):
                    known[f"={target.id}"] = node.value
                    known[target.id] = _literal(node.value, known)
    return known


def _literal(node: ast.expr | None, known: Mapping[str, Any]) -> Any:
    """Returns the value of a literal or of a name in `known`, else None."""
    if isinstance(node, ast.Name):
        return known.get(node.id)
    try:
        return None if node is None else ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return None


def table(data: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    value = data.get(key)
    return value if isinstance(value, dict) else {}


def strings(value: object) -> list[str]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, list | tuple):
        return [item for item in value if isinstance(item, str)]
    return []


def may_be_the_program(name: str) -> bool:
    plain = name.lower().strip("_")
    return plain not in NOT_THE_PROGRAM and not re.match(r"test_|.*_test$|\.|__", name.lower())


def has_python(folder: Path) -> bool:
    """Whether any Python file is in or below the folder."""
    return folder.is_dir() and next(folder.rglob("*.py"), None) is not None


def _folders(folder: Path) -> Iterator[Path]:
    try:
        children = sorted(folder.iterdir())
    except OSError:
        return
    for child in children:
        hidden = child.name.startswith((".", "__")) or child.name.endswith(".egg-info")
        if child.is_dir() and not hidden and not (child / "pyvenv.cfg").exists():
            yield child


def normal(path: str) -> str:
    """Returns `path` without redundant dots and slashes; "" is the project itself."""
    text = posixpath.normpath(path)
    return "" if text == "." else text


def _is_outside(path: str) -> bool:
    """Whether a normalised path leads out of the project."""
    return path == ".." or path.startswith(("/", "../"))


def joined(top: str, inside: str) -> str:
    return normal(f"{top}/{inside}" if top else inside)
