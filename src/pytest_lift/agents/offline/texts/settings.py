"""Files of settings as users of a program write them: its own section, with some of its options."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Mapping, Sequence
from functools import cached_property

from pytest_lift.agents.offline.texts.contents import Contents
from pytest_lift.agents.offline.texts.formats import by_suffix
from pytest_lift.source.syntax import texts

FORMATS = frozenset({"ini", "toml", "yaml", "json"})
"""Formats of settings."""
OF_TOOLS = ("pyproject.toml", "setup.cfg", "tox.ini")
"""Files with settings of several programs."""
Setting = bool | int | float | str


class SettingsFiles:
    """Names and texts of files with settings that a program looks for."""

    def __init__(self, contents: Contents) -> None:
        self.contents = contents

    def names(self, path: str) -> list[str]:
        """Returns the names of the files with settings that stand in the program, those of a module
        first."""
        return [one for one in self.contents.named_files(path) if self._format(one, path)]

    def text(self, name: str, path: str, settings: Mapping[str, Setting]) -> str:
        """Returns the text of such a file."""
        kind = self._format(name, path)
        section = self._section(name, kind)
        if kind == "json":
            return json.dumps(dict(settings), indent=2) + "\n"
        if kind == "yaml":
            return "".join(f"{key}: {json.dumps(value)}\n" for key, value in settings.items())
        written = json.dumps if kind == "toml" else _plain
        lines = (f"{key} = {written(value)}\n" for key, value in settings.items())
        return f"[{section}]\n{''.join(lines)}"

    def _format(self, name: str, path: str) -> str:
        """Returns the format of a file with settings; "" for another file."""
        kind = by_suffix().get(name.rpartition(".")[2], "")
        if not kind and name.startswith("."):
            read = [by_suffix().get(suffix, "") for suffix in self.contents.formats(path)]
            kind = next((one for one in ("ini", *read) if one in FORMATS and one in read), "ini")
        return kind if kind in FORMATS else ""

    def _section(self, name: str, kind: str) -> str:
        """Returns the section of the program, as it stands in the program where it does."""
        own = self._own_names
        plain = own[0] if own else "main"
        if kind == "toml":
            return f"tool.{plain}" if name in OF_TOOLS else plain
        forms = (f"{before}{one}" for one in own for before in ("", "tool:", "tool."))
        return next((form for form in forms if form in self._constants), plain)

    @cached_property
    def _own_names(self) -> Sequence[str]:
        """Names of the program, the one by which it looks its section up first."""
        tops = {file.module.partition(".")[0] for file in self.contents.program.files.values()}
        found = dict.fromkeys(f for top in sorted(tops) for f in (top, top.replace("_", "-")))
        return sorted(found, key=lambda one: one not in self._constants)

    @cached_property
    def _constants(self) -> frozenset[str]:
        files = self.contents.program.files.values()
        return frozenset(t for file in files for t in texts(ast.walk(file.tree)) if len(t) < 60)


def _plain(value: Setting) -> str:
    return re.sub(r"\s+", " ", str(value).lower() if isinstance(value, bool) else str(value))
