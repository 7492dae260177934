"""The jail as a value: its tier, what it leaves open, its limits; and a job for its supervisor."""

from __future__ import annotations

import os
import site
import sys
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypedDict

TIERS = ("bwrap", "namespaces", "landlock")
"""From the strongest to the weakest."""

OPEN = {
    "bwrap": (),
    "namespaces": (),
    "landlock": (
        "rights, times and attributes of your files can be changed (not their content)",
        "unix sockets of other programs can be connected to",
        "files of others in /dev/shm can be read and changed, and your terminals be written on",
        "the names of your other processes and connections can be seen",
        "tests that serve on loopback cannot run",
        "processes outlive the run if its supervisor is killed with SIGKILL",
    ),
    "off": ("generated tests run as you: they can read, write and send whatever you can",),
}
"""Tier -> gaps that it leaves open."""

PASSED_ON = (
    *("PATH", "LANG", "LANGUAGE", "LC_ALL", "LC_CTYPE", "TZ", "SYSTEMROOT", "VIRTUAL_ENV"),
    *("LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "SOURCE_DATE_EPOCH"),
    *("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "PYTEST_PLUGINS"),
)
"""The only variables of the user's environment that a child sees; keys are never among them."""

OWN = ("HOME", "TMPDIR", *(("USERPROFILE", "TEMP", "TMP") if os.name == "nt" else ()))
"""Variables with the folder that a child has for itself; no others, for a program may ask for them
and do something else without."""

_MEBIBYTE = 1024 * 1024


@dataclass(frozen=True)
class Limits:
    """Limits of one child with all its descendants."""

    memory: int = 2048 * _MEBIBYTE
    """Bytes of anonymous memory, all processes together."""
    file_bytes: int = 256 * _MEBIBYTE
    open_files: int = 1024
    processes: int = 256
    output_bytes: int = 64 * _MEBIBYTE
    scratch_bytes: int = 512 * _MEBIBYTE
    scratch_files: int = 65_536

    @property
    def address_space(self) -> int:
        """Bytes of each process: twice the memory, since not all that is mapped is used."""
        return 2 * self.memory


@dataclass(frozen=True)
class Jail:
    """Jail in which code that the user did not write is run."""

    tier: str
    """One of `TIERS`, or ``off``."""
    reads: tuple[Path, ...] = ()
    """Paths that every child may read beside the system's: interpreter, packages, allowed ones."""
    writes: tuple[Path, ...] = ()
    net: bool = False
    passed_on: tuple[str, ...] = ()
    """Names of further variables that children see."""
    limits: Limits = field(default=Limits())
    skipped: Mapping[str, str] = field(default_factory=dict, hash=False)
    """Stronger tier -> why it is not used."""

    weaknesses: tuple[str, ...] = ()
    """Gaps that this machine's kernel leaves beyond those of the tier."""

    @property
    def open(self) -> tuple[str, ...]:
        """Gaps of the tier and of this machine, and what the user allows on top."""
        if self.tier == "off":
            return OPEN["off"]
        allowed = ["the network can be reached (--lift-allow-net)"] if self.net else []
        allowed += [f"{path} can be written (--lift-allow-write)" for path in self.writes]
        return (*OPEN[self.tier], *self.weaknesses, *allowed)

    @property
    def told(self) -> str:
        """The tier, why no stronger one, and what it leaves open, in a line."""
        why = "; ".join(f"not {tier}: {reason}" for tier, reason in self.skipped.items())
        left = "; ".join(self.open)
        return self.tier + (f" ({why})" if why else "") + (f"; leaves open: {left}" if left else "")

    def inside(self, project: Path, copy: Path) -> Jail:
        """Returns the jail of runs in a copy: what is allowed in the project is meant there."""
        return replace(
            self,
            reads=tuple(_moved(path, project, copy) for path in self.reads),
            writes=tuple(_moved(path, project, copy) for path in self.writes),
        )

    def environment(self, home: Path, extra: Mapping[str, str]) -> dict[str, str]:
        """Returns the allow-listed part of the environment, a fresh HOME for all that is temporary,
        and `extra`.

        Packages installed with ``pip install --user`` stay importable under the other HOME.
        """
        names = (*PASSED_ON, *self.passed_on)
        kept = {name: os.environ[name] for name in names if name in os.environ}
        if site.ENABLE_USER_SITE:
            kept["PYTHONUSERBASE"] = site.getuserbase()
        own = dict.fromkeys(OWN, str(home))
        return {**kept, **own, **extra}


def python_reads(project: Path) -> tuple[Path, ...]:
    """Returns paths that this interpreter has to read, without the user's `project`.

    Tests run on the private copy: files of the project that are not in the copy are not theirs.
    """
    project = project.resolve()
    prefixes = {sys.prefix, sys.base_prefix, sys.exec_prefix, sys.base_exec_prefix}
    found = [Path(os.path.abspath(path)) for path in sorted(prefixes)]
    found += [Path(os.path.realpath(sys.executable)).parent, Path(__file__).resolve().parents[2]]
    for path in map(Path, map(os.path.abspath, _import_path())):
        if not path.resolve().is_relative_to(project):
            found.append(path)
    return tuple(dict.fromkeys(path for path in found if not _is_too_much(path, project)))


def _moved(path: Path, project: Path, copy: Path) -> Path:
    """Packages installed in the project (a virtual environment) are not copied and stay."""
    inside = path.is_relative_to(project) and (copy / path.relative_to(project)).exists()
    return copy / path.relative_to(project) if inside else path


def _import_path() -> Iterator[str]:
    for entry in (*sys.path, *([site.getusersitepackages()] if site.ENABLE_USER_SITE else ())):
        if entry and os.path.isabs(entry) and os.path.exists(entry):
            yield entry


def _is_too_much(path: Path, project: Path) -> bool:
    """Whether a folder on Python's path is too much to allow: it contains the user's home or
    project, or the temporary files of all users."""
    apart = (Path.home(), project, Path(tempfile.gettempdir()).resolve())
    return any(path == place or path in place.parents for place in apart)


class Job(TypedDict):
    """Plain values only: it travels as one marshalled object. Paths are absolute."""

    command: list[str]
    cwd: str
    env: dict[str, str]
    """Complete."""
    tier: str
    """``bwrap``, ``namespaces``, ``landlock`` or ``off``."""
    net: bool
    """The machine's own network, instead of a loopback of its own."""
    reads: list[str]
    writes: list[str]
    throwaway: str
    """A folder whose content ends with the child; empty for none."""
    folders: list[str]
    """To be made inside `throwaway`."""
    output: int
    """The descriptor of stdout and stderr."""
    record: int
    """The descriptor that the child gets as number 3, or -1."""
    seconds: float
    output_bytes: int
    memory: int
    """Bytes of anonymous memory of all processes together."""
    address_space: int
    """Bytes, each process."""
    file_bytes: int
    open_files: int
    processes: int
    scratch_bytes: int
    scratch_files: int
