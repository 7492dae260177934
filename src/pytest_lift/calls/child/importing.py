"""Executes the import lines of cases, each once.

Loaded by path in the child process, so it imports nothing of this package.
"""

from __future__ import annotations

import faulthandler
import sys
import textwrap
import types
from collections.abc import Iterable
from functools import partial
from typing import Any

IMPORT_SECONDS = 20.0
CASE = "lift_case"
"""Name of the module that cases are taken to be."""


def forget_orphans(failed: str) -> None:
    """Forgets modules of packages that could not be imported to their end, as one of the name
    `failed`: they would be found by their names, though no test can import them."""
    top = failed.partition(".")[0]
    own = [one for one in sys.modules if one.startswith(f"{top}.") and not _has_parents(one)]
    for one in own:
        del sys.modules[one]


def _has_parents(module: str) -> bool:
    parent = module.rpartition(".")[0]
    return not parent or (parent in sys.modules and _has_parents(parent))


class ImportLines:
    """Import line -> the names that it binds, or why it fails."""

    def __init__(self, limits: Any, objects: Any) -> None:
        self.limits = limits
        self.objects = objects
        """`DefinedObjects` of what cases define."""
        sys.modules.setdefault(CASE, types.ModuleType(CASE))  # some ask for the module of a class
        self.found: dict[str, dict[str, Any] | str] = {}
        self.defined: dict[str, dict[str, Any]] = {}
        """Source of definitions -> the names that they bind."""

    def execute(self, lines: Iterable[str]) -> bool:
        """Executes the lines that are new; returns whether there are any. Limits the memory that
        cases may take beside what was imported."""
        new = [line for line in dict.fromkeys(lines) if line not in self.found]
        if not new:
            return False
        faulthandler.dump_traceback_later(IMPORT_SECONDS, exit=True)
        self.limits.limit_growth(self.limits.ADDRESS_SPACE)
        for line in new:
            space: dict[str, Any] = {}
            try:
                exec(line, space)
            except BaseException as error:
                forget_orphans(line.split()[1])
                self.found[line] = f"import: {type(error).__name__}: {error}"[:200]
            else:
                space.pop("__builtins__", None)
                self.found[line] = space
        self.limits.limit_growth()
        return True

    def define(self, cases: Iterable[dict[str, Any]], states: Any = None) -> None:
        """Executes the definitions that cases begin with and that are new, each once; `states`
        keeps apart what they register."""
        for case in cases:
            sources = self._sources(case)
            for at in range(len(sources)):
                key, known = "\n".join(sources[: at + 1]), "\n".join(sources[:at])
                if key not in self.defined:
                    before = self.defined.get(known, {})
                    bind = partial(self._names_of, sources[at], case, before)
                    found = bind() if states is None else states.define(key, known, bind)
                    self.defined[key] = {**before, **found}
                    self.objects.note(found.values())

    def define_anew(self, case: dict[str, Any]) -> dict[str, Any]:
        """Returns what the definitions of a case bind when they are executed once more."""
        found: dict[str, Any] = {}
        for source in self._sources(case):
            found |= self._names_of(source, case, found)
        return found

    def _names_of(
        self, source: str, case: dict[str, Any], before: dict[str, Any]
    ) -> dict[str, Any]:
        """Returns what a definition inside a function binds; nothing where it fails."""
        space = {"__name__": CASE, **self.names_of(case), **before}
        inside = textwrap.indent(source, "    ")
        try:
            written = f"def test_case():\n{inside}\n    return locals()"
            exec(compile(written, "<case>", "exec", dont_inherit=True), space)
            found: dict[str, Any] = space["test_case"]()
        except BaseException:
            return {}
        return found

    def names_of(self, case: dict[str, Any]) -> dict[str, Any]:
        """Returns what the import lines of a case bind, as far as they do not fail."""
        found: dict[str, Any] = {}
        for line in case["imports"]:
            names = self.found[line]
            found.update({} if isinstance(names, str) else names)
        return found

    def definitions_of(self, case: dict[str, Any]) -> dict[str, Any]:
        """Returns what the first steps of a case define, as it was when they were executed."""
        found = self.defined.get(self.key_of(case), {})
        self.objects.put_back(found.values())
        return found

    def has_defined(self, case: dict[str, Any]) -> bool:
        """Whether the first steps of a case are executed and define something."""
        return bool(self.defined.get(self.key_of(case)))

    def forget_definitions(self) -> None:
        """Forgets what cases define: it is executed anew."""
        self.defined.clear()
        self.objects.forget()

    def key_of(self, case: dict[str, Any]) -> str:
        """Returns the source of what a case defines, "" where it defines nothing."""
        return "\n".join(self._sources(case))

    def _sources(self, case: dict[str, Any]) -> list[str]:
        return [step[0] for step in case["steps"][: case["defines"]]]
