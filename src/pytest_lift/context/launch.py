"""How a language server is started: command, environment, and what it is told of the project."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
import sysconfig
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pytest_lift.errors import UsageError

OFF = "off"
PASSED = ("HOME", "LANG", "LC_ALL", "LC_CTYPE", "TMPDIR", "XDG_CACHE_HOME", "SYSTEMROOT")
"""Variables that a server sees; keys are in others."""
RULES = (
    "import-not-found",
    "unresolved-reference",
    "missing-attribute",
    "missing-argument",
    "too-many-positional-arguments",
    "unknown-argument",
    "parameter-already-assigned",
    "not-callable",
    "unused-awaitable",
    "invalid-await",
    "invalid-syntax",
)
"""Rules of ty that healthy tests keep; the others ask for types that tests need not have."""


@dataclass(frozen=True)
class Launch:
    """Command of a server, and the interpreter whose packages the project is run with."""

    command: tuple[str, ...]
    python: Path = Path(sys.executable)

    @property
    def name(self) -> str:
        return Path(self.command[0]).name

    def environment(self, environ: Mapping[str, str] = os.environ) -> dict[str, str]:
        """Returns the variables of the server: a few plain ones, and the interpreter's."""
        kept = {name: environ[name] for name in PASSED if name in environ}
        folder = self.python.parent
        kept["PATH"] = os.pathsep.join([str(folder), environ.get("PATH", os.defpath)])
        if (folder.parent / "pyvenv.cfg").is_file():
            kept["VIRTUAL_ENV"] = str(folder.parent)
        return kept

    def options(self, root: Path, import_roots: Sequence[str]) -> dict[str, Any]:
        """Returns what ty reads at the start; other servers skip it."""
        roots = [str(root / folder) for folder in dict.fromkeys((*import_roots, ""))]
        environment = {"python": str(self.python), "root": roots}
        rules = {"all": "ignore", **dict.fromkeys(RULES[:-1], "error")}
        return {
            "configuration": {"environment": environment, "rules": rules},
            "diagnosticMode": "openFilesOnly",
        }

    def section(self, name: str, root: Path, import_roots: Sequence[str]) -> Any:
        """Returns the settings that a server asks for by name, as pyright and its kin do."""
        paths = [str(root / folder) for folder in import_roots]
        analysis = {"extraPaths": paths, "diagnosticMode": "openFilesOnly"}
        if name == "python":
            return {"pythonPath": str(self.python), "analysis": analysis}
        return analysis if name.endswith(".analysis") else None


def chosen_launch(given: str | None, python: Path = Path(sys.executable)) -> Launch | None:
    """Returns the server of ``--lift-lsp``, else ty where it is installed with this package; None
    for ``off`` or where there is none. Raises UsageError for a command that is not there."""
    if given == OFF:
        return None
    if given is None:
        installed = Path(sysconfig.get_path("scripts")) / "ty"
        return Launch((str(installed), "server"), python) if installed.is_file() else None
    try:
        words = shlex.split(given)
    except ValueError:
        words = []
    path = shutil.which(words[0]) if words else None
    if path is None:
        raise UsageError(
            f"there is no command {given!r}",
            where="--lift-lsp",
            todo="name a language server that talks over standard input, or off",
        )
    return Launch((path, *words[1:]), python)
