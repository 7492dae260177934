"""The files of the user's project that are copied into the private copy."""

from __future__ import annotations

import os
import stat
import subprocess
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from pytest_lift.errors import UsageError
from pytest_lift.files.project_reads import is_allowed, looks_secret
from pytest_lift.text.wording import some

MAX_BYTES = 2 * 1024**3
MAX_FILES = 200_000

_CACHES = {
    *(".git", ".hg", ".svn", ".lift", ".venv", "node_modules", "__pycache__", ".tox", ".nox"),
    *(".mypy_cache", ".ruff_cache", ".pytest_cache"),
}
_FOREIGN = {*_CACHES, ".hypothesis", "htmlcov"}
_BUILT = {"build", "dist"}
_GIT = ("git", "-c", "core.fsmonitor=false", "ls-files", "-co", "--exclude-standard", "-z")


@dataclass(frozen=True)
class FileToCopy:
    """A file to copy, with its metadata."""

    path: str
    """POSIX, relative to the project root."""
    size: int
    mode: int
    mtime_ns: int
    ctime_ns: int
    link: str | None = None
    """Target of a symbolic link, relative to its folder; None for a regular file."""


@dataclass
class ProjectFiles:
    """The files of a project, and warnings about files that are left out."""

    entries: dict[str, FileToCopy] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)


def project_files(
    root: Path,
    program_paths: tuple[str, ...] = (),
    *,
    apart: Path | None = None,
    tests: str | None = None,
    allow_read: tuple[Path, ...] = (),
    max_bytes: int = MAX_BYTES,
    max_files: int = MAX_FILES,
) -> ProjectFiles:
    """Returns the files under `root` that git tracks or would track, and those the program needs.

    Without git (or where git tracks nothing of the program) every file is taken but those in
    virtual environments, caches and build folders. Ignored files inside `program_paths` (built
    extensions, generated modules, data) and ``*.egg-info`` folders are always taken. The folder
    `apart` is skipped. Files that look like secrets are left out with a warning, unless they are
    below `tests` or in the program's packages, or `allow_read` names them. Raises UsageError beyond
    `max_bytes` or `max_files`.
    """
    listing = ProjectFiles()
    real = Path(os.path.realpath(root))
    exempt = tuple(f"{p}/" for p in (tests, *program_paths) if p not in {None, "", "."})
    secret: list[str] = []
    skip = os.path.relpath(os.path.realpath(apart), real) if apart else ""
    for path in _paths(real, program_paths):
        if path in listing.entries or (skip and (path + "/").startswith(skip + "/")):
            continue
        if not path.startswith(exempt) and _is_secret(real, path, allow_read):
            secret.append(path)
            continue
        _add(real, path, listing)
        if len(listing.entries) > max_files:
            break
    if len(listing.entries) > max_files or _bytes(listing) > max_bytes:
        raise _too_large(root, listing, max_bytes, max_files)
    if secret:
        listing.warnings.append(_withheld(secret))
    return listing


def _is_secret(root: Path, path: str, allow_read: tuple[Path, ...]) -> bool:
    """Whether the name of the file, or of the file it links to, looks like a secret."""
    place = root / path
    names = [path, Path(os.path.realpath(place)).as_posix()] if place.is_symlink() else [path]
    return any(map(looks_secret, names)) and not is_allowed(place, allow_read)


def _withheld(paths: list[str]) -> str:
    what = f"{some(paths, 3)} {'looks like a secret' if len(paths) == 1 else 'look like secrets'}"
    return f"{what}, left out of the private copy; --lift-allow-read={paths[0]} lets it in"


def _paths(root: Path, program_paths: tuple[str, ...]) -> Iterator[str]:
    known = _git_paths(root)
    inside = tuple(f"{p}/" for p in program_paths if p not in {"", "."})
    listed = [p for p in known or () if not inside or p in program_paths or p.startswith(inside)]
    if known is None or not listed:
        yield from walk(root, "", program_paths)
        return
    for path in _without_caches(known):
        yield from _with_nested(root, path)
    for top in program_paths:
        if (root / top).is_dir():
            yield from walk(root, "" if top == "." else top, program_paths)
    for folder in _metadata_folders(root, program_paths):
        yield from walk(root, folder, program_paths)


def _git_paths(root: Path) -> list[str] | None:
    """Returns tracked and untracked files that are not ignored; None if git fails."""
    plain = {k: v for k, v in os.environ.items() if not k.startswith("GIT_")}
    try:
        done = subprocess.run(
            _GIT,
            cwd=root,
            env={**plain, "GIT_OPTIONAL_LOCKS": "0"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=True,
            timeout=120,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return [os.fsdecode(name) for name in done.stdout.split(b"\0") if name]


def _without_caches(paths: list[str]) -> Iterator[str]:
    """Yields the paths outside environments and caches, which not every project has git ignore."""
    environments = tuple(p.removesuffix("pyvenv.cfg") for p in paths if p.endswith("/pyvenv.cfg"))
    for path in paths:
        *folders, name = path.rstrip("/").split("/")
        cached = _is_debris(name) or not _CACHES.isdisjoint(folders)
        if not cached and not (environments and path.startswith(environments)):
            yield path


def _with_nested(root: Path, path: str) -> Iterator[str]:
    """Yields the files of a path: git lists a submodule or nested repository as one folder."""
    top = path.rstrip("/")
    if (root / top).is_symlink() or not (root / top).is_dir():
        yield top
        return
    inner = _git_paths(root / top)
    if inner is None or any(p.rstrip("/") in {"", "."} for p in inner):
        yield from walk(root, top, ())
        return
    for name in inner:
        yield from _with_nested(root, f"{top}/{name}")


def _metadata_folders(root: Path, program_paths: tuple[str, ...]) -> Iterator[str]:
    """Yields ``*.egg-info`` beside the packages, with entry points of editable installs."""
    parents = {"", *(p.rpartition("/")[0] for p in program_paths)}
    for parent in sorted(parents):
        for found in sorted((root / parent).glob("*.egg-info")):
            yield found.relative_to(root).as_posix()


def walk(root: Path, top: str, program_paths: tuple[str, ...]) -> Iterator[str]:
    """Yields paths below ``root / top`` but caches, environments, build folders, coverage data."""
    for folder, folders, names in os.walk(root / top):
        here = os.path.relpath(folder, root)
        prefix = "" if here == "." else f"{here}/"
        links = [f for f in folders if os.path.islink(os.path.join(folder, f))]
        folders[:] = sorted(
            f for f in folders if f not in links and _is_wanted(root, prefix + f, program_paths)
        )
        yield from (prefix + name for name in sorted([*names, *links]) if not _is_debris(name))


def _is_wanted(root: Path, path: str, program_paths: tuple[str, ...]) -> bool:
    name, here = path.rpartition("/")[2], f"{path}/"
    above_program = any(f"{top}/".startswith(here) for top in program_paths)
    if name in _FOREIGN or (root / path / "pyvenv.cfg").exists():
        return above_program
    in_program = any(here.startswith(f"{top}/") for top in program_paths)
    return name not in _BUILT or above_program or in_program


def _is_debris(name: str) -> bool:
    coverage = name == ".coverage" or name.startswith(".coverage.")
    return coverage or name.endswith((".pyc", ".pyo"))


def _add(root: Path, path: str, listing: ProjectFiles) -> None:
    try:
        listing.entries[path] = _entry(root, path)
    except FileNotFoundError:
        return
    except (OSError, ValueError) as error:
        listing.warnings.append(f"{path} is left out: {error}")


def _entry(root: Path, path: str) -> FileToCopy:
    """Raises FileNotFoundError for a missing file, ValueError for one that cannot be copied."""
    place = root / path
    found = place.lstat()
    link = None
    if stat.S_ISLNK(found.st_mode):
        link = _inner_link(root, place)
        if link is None:
            found = place.stat()
            if stat.S_ISDIR(found.st_mode):
                raise ValueError("a link to a folder outside the project")
        elif _leads_back(place):
            raise ValueError("a link to a folder that contains it: pytest would loop")
    if link is None and not stat.S_ISREG(found.st_mode):
        raise ValueError("neither a file nor a link")
    return FileToCopy(
        path, found.st_size, found.st_mode & 0o777, found.st_mtime_ns, found.st_ctime_ns, link
    )


def _leads_back(place: Path) -> bool:
    """Whether the link leads to a folder that contains it."""
    target = Path(os.path.realpath(place))
    return target.is_dir() and Path(os.path.realpath(place.parent)).is_relative_to(target)


def _inner_link(root: Path, place: Path) -> str | None:
    """Returns the target relative to the folder of the link, None for one outside the project."""
    target = Path(os.path.realpath(place))
    if target != root and root not in target.parents:
        return None
    text = os.readlink(place)
    if not os.path.isabs(text):
        return text
    return os.path.relpath(target, os.path.realpath(place.parent))


def _bytes(listing: ProjectFiles) -> int:
    return sum(entry.size for entry in listing.entries.values() if entry.link is None)


def _too_large(root: Path, listing: ProjectFiles, max_bytes: int, max_files: int) -> UsageError:
    sizes: Counter[str] = Counter()
    counts: Counter[str] = Counter()
    for entry in listing.entries.values():
        top = "/".join(entry.path.split("/")[:2][:-1] or [entry.path])
        sizes[top] += entry.size
        counts[top] += 1
    ranked = sizes if _bytes(listing) > max_bytes else counts
    biggest = ", ".join(
        f"{name} ({sizes[name] / 1024**2:,.0f} MiB, {counts[name]:,} files)"
        for name, _ in ranked.most_common(3)
    )
    return UsageError(
        f"the project is too large to copy: more than {max_bytes / 1024**3:g} GiB"
        f" or {max_files:,} files; the biggest: {biggest}",
        where=str(root),
        todo="add what the tests do not need to .gitignore, then start again",
    )
