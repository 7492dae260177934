"""Configuration of mutmut: paths in its folder, our table in pyproject.toml, the user's filters."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from configparser import ConfigParser
from configparser import Error as ConfigError
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from pytest_lift.scope.scope import Scope
from pytest_lift.source.program import Program

KNOWN = ("", "src")
"""Import roots from which mutmut gets the names of modules right; any other one is moved to the
second: a name that is not the imported one would leave every mutant without a test."""


@dataclass(frozen=True)
class Layout:
    """A mapping of POSIX paths, relative to the project and to mutmut's copy of it."""

    moved: tuple[str, ...]
    """Import roots that stand in ``src`` there, the longest first."""

    @classmethod
    def of(cls, program: Program) -> Layout:
        strange = {root for root in program.import_roots if root not in KNOWN}
        return cls(tuple(sorted(strange, key=len, reverse=True)))

    def placed(self, path: str) -> str:
        """Returns the path in mutmut's folder of a file, folder or node id of the project."""
        for root in self.moved:
            if path == root or path.startswith(f"{root}/"):
                return "src" + path[len(root) :]
        return path

    def original(self, path: str) -> str:
        """Returns the path in the project of a file or node id in mutmut's folder; with several
        moved roots the first."""
        if self.moved and path.startswith("src/"):
            return self.moved[0] + path[len("src") :]
        return path

    def sources(self, program: Program) -> list[str]:
        """Returns paths to mutate in mutmut's folder: the folder or module of each top-level
        package."""
        return list(dict.fromkeys(self.placed(top) for top in _tops(program)))


def _tops(program: Program) -> Iterable[str]:
    """Yields the program's outermost folders and modules; what stands in the root itself file by
    file."""
    for path in program.paths:
        if any(path.startswith(f"{other}/") for other in program.paths):
            continue
        if path not in (".", ""):
            yield path
            continue
        for file in program.files:
            yield file.partition("/")[0]


FILTERS = ("only_mutate", "do_not_mutate", "do_not_mutate_patterns")
"""Keys of the user's that say what is mutated; how it is run is decided here."""
TEST_CONSTANTS = 10
"""A single test may take as many times longer than a whole run's constant: what it sets up, and
does not count as its own time, is computed then."""
PATHS = ("only_mutate", "do_not_mutate")

_TABLE = re.compile(r"^\s*\[\s*tool\s*\.\s*mutmut\s*\]\s*(#.*)?$")
_HEADER = re.compile(r"^\s*\[")


@dataclass(frozen=True)
class Configuration:
    """Configuration of one run of mutmut: seconds, and lists of POSIX paths in its folder."""

    sources: tuple[str, ...]
    selection: tuple[str, ...]
    options: tuple[str, ...]
    """For every pytest that it runs."""
    filters: Mapping[str, tuple[str, ...]]
    timeout_multiplier: float = 5.0
    timeout_constant: float = 0.5
    isolation: str = "fork"
    warmup: str = "collect"
    """Work that the forked process has done: it collected the tests, or nothing (``none``)."""

    @property
    def patience(self) -> tuple[float, float]:
        """Seconds, and times as long as without a mutant, that one test may compute."""
        return TEST_CONSTANTS * self.timeout_constant, self.timeout_multiplier

    def patient(self) -> Configuration:
        """Returns settings for mutants that seemed to hang: more time, and no fork of a process
        with threads, which an import in a test may have started."""
        return replace(
            self,
            timeout_multiplier=15.0,
            timeout_constant=1.0,
            isolation="forkserver",
            warmup="none",
        )

    def without_file(self, path: str) -> Configuration:
        """Returns settings with one file not mutated."""
        spared = (*self.filters.get("do_not_mutate", ()), path)
        return replace(self, filters={**self.filters, "do_not_mutate": spared})

    def table(self) -> dict[str, Any]:
        """Returns the keys of ``[tool.mutmut]`` of mutmut 3.8."""
        return {
            "source_paths": list(self.sources),
            **{name: list(values) for name, values in self.filters.items() if values},
            "pytest_add_cli_args": list(self.options),
            "pytest_add_cli_args_test_selection": list(self.selection),
            "timeout_multiplier": self.timeout_multiplier,
            "timeout_constant": self.timeout_constant,
            "process_isolation": self.isolation,
            "forkserver_warmup": self.warmup,
            "track_dependencies": False,
            "use_git_change_detection": False,
            "on_dependency_change": "ignore",
            "use_setproctitle": False,
        }


def read_filters(project: Path, layout: Layout) -> dict[str, tuple[str, ...]]:
    """Returns the user's filters of mutmut, as they have to be written for its folder; a file that
    cannot be read has none."""
    found = _of_pyproject(project) or _of_setup_cfg(project)
    return {
        name: tuple(layout.placed(text) if name in PATHS else text for text in found[name])
        for name in FILTERS
        if found.get(name)
    }


def within(
    filters: Mapping[str, tuple[str, ...]], layout: Layout, scope: Scope | None
) -> Mapping[str, tuple[str, ...]]:
    """Returns the filters restricted to files of the scope; the user's choice stays."""
    if scope is None or filters.get("only_mutate"):
        return filters
    return {**filters, "only_mutate": tuple(sorted(map(layout.placed, scope.files)))}


def _of_pyproject(project: Path) -> dict[str, list[str]]:
    try:
        data = tomllib.loads((project / "pyproject.toml").read_text("utf-8"))
        table = data["tool"]["mutmut"]
        return {name: [str(value) for value in table[name]] for name in FILTERS if name in table}
    except (OSError, ValueError, KeyError, TypeError):
        return {}


def _of_setup_cfg(project: Path) -> dict[str, list[str]]:
    parser = ConfigParser()
    try:
        parser.read(project / "setup.cfg", "utf-8")
        table = dict(parser["mutmut"]) if parser.has_section("mutmut") else {}
    except (ConfigError, ValueError):
        return {}
    return {n: [t for t in table[n].split("\n") if t] for n in FILTERS if n in table}


def with_table(text: str, table: Mapping[str, Any]) -> str:
    """Returns a pyproject.toml with our ``[tool.mutmut]`` instead of the user's.

    The rest stays, since tests and tools read it; if it cannot be kept (a syntax error, an inline
    table), the result has nothing but ours.
    """
    ours = _as_toml(table)
    rest = _without_table(text)
    merged = f"{rest.rstrip()}\n\n{ours}" if rest.strip() else ours
    try:
        data = tomllib.loads(merged)
        kept = data["tool"].pop("mutmut") == dict(table) and _others(data) == _others(
            tomllib.loads(text)
        )
    except (ValueError, KeyError, AttributeError, TypeError):
        return ours
    return merged if kept else ours


def _others(data: dict[str, Any]) -> dict[str, Any]:
    tool = {name: value for name, value in data.get("tool", {}).items() if name != "mutmut"}
    return {**{k: v for k, v in data.items() if k != "tool"}, "tool": tool}


def _without_table(text: str) -> str:
    kept, inside = [], False
    for line in text.splitlines():
        if _HEADER.match(line):
            inside = bool(_TABLE.match(line))
        if not inside:
            kept.append(line)
    return "\n".join(kept)


def _as_toml(table: Mapping[str, Any]) -> str:
    """Returns a table as TOML: texts, numbers, booleans and lists of texts look the same in
    JSON."""
    rows = [f"{name} = {_value(value)}" for name, value in table.items()]
    return "\n".join(["[tool.mutmut]", *rows, ""])


def _value(value: object) -> str:
    if isinstance(value, Sequence) and not isinstance(value, str):
        return f"[{', '.join(_value(item) for item in value)}]"
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
