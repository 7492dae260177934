"""The settings of pytest in ini files: found, read without pytest, and added to by edits.

Which files count, and in which order, follows pytest 9: a `pytest.ini` counts even when it is
empty, a `pyproject.toml`, `tox.ini` or `setup.cfg` only with a section for pytest.
"""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pytest_lift.errors import UsageError

SIGNS = ("pyproject.toml", ".lift", "setup.cfg", "setup.py", ".git")
"""Files and folders that mark the top folder of a project without settings for pytest."""

Added = Mapping[str, Sequence[str]]
"""Name of a setting -> values to add."""

_SECTIONS: Mapping[str, tuple[str, ...]] = {
    "pytest.toml": ("pytest",),
    ".pytest.toml": ("pytest",),
    "pytest.ini": ("pytest",),
    ".pytest.ini": ("pytest",),
    "pyproject.toml": ("tool.pytest.ini_options", "tool.pytest"),
    "tox.ini": ("pytest",),
    "setup.cfg": ("tool:pytest",),
}
"""File that may hold pytest's settings, in order of precedence -> its sections for them, the usual
one first."""
FILES = tuple(_SECTIONS)


@dataclass(frozen=True)
class IniFile:
    """The unconverted settings of one file."""

    path: Path
    values: Mapping[str, Any] = field(default_factory=dict)

    def lines(self, name: str) -> list[str]:
        """Returns the values of a setting that is a list or has one value a line."""
        value = self.values.get(name)
        if isinstance(value, list):
            return [str(part) for part in value]
        texts = str(value).splitlines() if value is not None else []
        return [text.strip() for text in texts if text.strip()]

    def words(self, name: str) -> list[str]:
        """Returns the values of a setting that is a list or has values separated by spaces."""
        value = self.values.get(name)
        if isinstance(value, list):
            return [str(part) for part in value]
        try:
            return shlex.split(str(value)) if value is not None else []
        except ValueError as error:
            raise UsageError(f"{name}: {error}", where=str(self.path)) from None


def find_ini_file(start: Path) -> tuple[Path, IniFile | None]:
    """Returns the root of the project and its settings, searched upwards from the folder `start`.
    Raises `UsageError` for a candidate that cannot be read."""
    folders = (start, *start.parents)
    for folder in folders:
        for name in _SECTIONS:
            path = folder / name
            if path.is_file() and (values := _read(path)) is not None:
                return folder, IniFile(path, values)
    return project_folder(folders) or start, None


def project_folder(folders: Iterable[Path]) -> Path | None:
    """Returns the first folder with a sign of a project."""
    return next((f for f in folders if any((f / sign).exists() for sign in SIGNS)), None)


def read_ini_file(path: Path) -> IniFile:
    """Reads the file that pytest has chosen; it may have any name. Raises `UsageError` for a file
    that cannot be read."""
    return IniFile(path, _read(path) or {})


def _read(path: Path) -> Mapping[str, Any] | None:
    """Returns the settings; None for a file that does not count, having no section for them."""
    import iniconfig

    try:
        if path.name == "pyproject.toml":
            return _pyproject(path)
        if path.suffix == ".toml":
            return _table(_toml(path), "pytest") or {}
        found = _ini(path, "tool:pytest" if path.name == "setup.cfg" else "pytest")
        return found if path.name in ("tox.ini", "setup.cfg") else found or {}
    except (OSError, ValueError, iniconfig.ParseError) as error:
        what = f"cannot be read: {getattr(error, 'strerror', None) or error}"
        raise UsageError(what, where=str(path), todo="correct this file") from None


def _pyproject(path: Path) -> Mapping[str, Any] | None:
    own = _table(_table(_toml(path), "tool") or {}, "pytest")
    if own is None:
        return None
    native = {key: value for key, value in own.items() if key != "ini_options"}
    return native or _table(own, "ini_options")


def _toml(path: Path) -> Mapping[str, Any]:
    text = path.read_text("utf-8")
    if "pytest" not in text:
        return {}
    import tomllib

    return tomllib.loads(text)


def _table(value: Mapping[str, Any], name: str) -> Mapping[str, Any] | None:
    found = value.get(name)
    return found if isinstance(found, dict) else None


def _ini(path: Path, section: str) -> Mapping[str, Any] | None:
    import iniconfig

    sections = iniconfig.IniConfig(str(path), path.read_text("utf-8"))
    return dict(sections[section].items()) if section in sections else None


@dataclass(frozen=True)
class IniEdit:
    """A change of one file that is not yet written."""

    name: str
    """Name of the file, which is in the top folder of the project."""
    before: str | None
    """Old text; None for a new file."""
    after: str
    section: str
    """Header of the section, with brackets."""
    lines: tuple[str, ...]
    """New lines of the changed settings, for a user who types them below `section`."""


def lines_for(root: Path, ini: Path | None, added: Added) -> IniEdit:
    """Returns the edit that adds settings to `ini`, the file that pytest reads in `root`.

    Without one, the edit is for pyproject.toml where it exists, else for a new pytest.ini. Raises
    UsageError where the file cannot be changed without changing other settings in it.
    """
    usual = "pyproject.toml" if (root / "pyproject.toml").is_file() else "pytest.ini"
    place = ini if ini is not None else root / usual
    if place.parent.resolve() != root.resolve() or place.name not in _SECTIONS:
        raise UsageError(
            "pytest's settings are not in the project's own configuration file",
            where=str(place),
            todo="add the lines yourself",
        )
    before = place.read_bytes().decode("utf-8") if place.exists() else None
    text = before or ""
    old = read_ini_file(place) if before is not None else None
    section = _section(place.name, text)
    toml = place.suffix == ".toml"
    newline = "\r\n" if "\r\n" in text else "\n"
    after = text.replace("\r\n", "\n")
    for name, values in added.items():
        after = (_in_toml if toml else _in_ini)(after, section, name, values)
    after = after.replace("\n", newline)
    typed = [
        _typed(name, [*_values(old, name), *values], toml=toml) for name, values in added.items()
    ]
    edit = IniEdit(place.name, before, after, f"[{section}]", tuple("\n".join(typed).split("\n")))
    _verify(edit, place, old, added)
    return edit


def _section(name: str, text: str) -> str:
    """Returns the section that the text has, else the usual one."""
    sections = _SECTIONS[name]
    return next((section for section in sections if _header(section).search(text)), sections[0])


def _header(section: str) -> re.Pattern[str]:
    spaced = r"[ \t]*\.[ \t]*".join(re.escape(part) for part in section.split("."))
    return re.compile(rf"^[ \t]*\[[ \t]*{spaced}[ \t]*\][ \t]*(?:[#;].*)?$", re.MULTILINE)


def _typed(name: str, values: Sequence[str], *, toml: bool) -> str:
    if toml:
        line = f"{name} = [{', '.join(map(_quoted, values))}]"
        return line if len(line) <= 88 else "\n".join([f"{name} = [", *_rows(values), "]"])
    texts = _texts(name, values)
    if len(texts) == 1 and name == "pythonpath":
        return f"{name} = {texts[0]}"
    return "\n".join([f"{name} =", *(f"    {text}" for text in texts)])


def _texts(name: str, values: Sequence[str]) -> list[str]:
    """Returns the values as written in an ini file; pytest splits `pythonpath` as a shell does."""
    return [shlex.quote(value) for value in values] if name == "pythonpath" else [*values]


def _rows(values: Sequence[str]) -> list[str]:
    return [f"    {_quoted(value)}," for value in values]


def _quoted(value: str) -> str:
    return json.dumps(value, ensure_ascii=False)


def _with_section(text: str, section: str) -> tuple[str, int]:
    """Returns the text with the section, and the offset of the line after its header."""
    head = _header(section).search(text)
    if head is None:
        text += "" if not text or text.endswith("\n") else "\n"
        text += f"\n[{section}]\n" if text else f"[{section}]\n"
        return text, len(text)
    if head.end() == len(text):
        return f"{text}\n", len(text) + 1
    return text, head.end() + 1


def _body(text: str, start: int) -> str:
    """Returns the lines of a section, up to the next section."""
    following = re.compile(r"^\[", re.MULTILINE).search(text, start)
    return text[start : following.start() if following else len(text)]


def _in_ini(text: str, section: str, name: str, values: Sequence[str]) -> str:
    """Adds lines to an existing setting, or the setting at the start of its section."""
    text, start = _with_section(text, section)
    body = _body(text, start)
    found = re.search(
        rf"^{re.escape(name)}[ \t]*[=:].*\n?(?:[ \t]+\S.*\n?|[ \t]*\n(?=[ \t]+\S))*",
        body,
        re.MULTILINE,
    )
    if found is None:
        return f"{text[:start]}{_typed(name, values, toml=False)}\n{text[start:]}"
    end = start + found.end()
    before = text[:end] if text[:end].endswith("\n") else f"{text[:end]}\n"
    return before + "".join(f"    {value}\n" for value in _texts(name, values)) + text[end:]


def _in_toml(text: str, section: str, name: str, values: Sequence[str]) -> str:
    """Adds values to the start of an existing list, or the setting at the start of its table."""
    text, start = _with_section(text, section)
    body = _body(text, start)
    found = re.search(rf"^[ \t]*{re.escape(name)}[ \t]*=[ \t]*(\[|\"\"\"|'''|\"|')", body, re.M)
    if found is None:
        return f"{text[:start]}{_typed(name, values, toml=True)}\n{text[start:]}"
    at, opening = start + found.end(), found[1]
    rest = text[at:]
    if opening == "[":
        if re.match(r"[ \t]*(?:#.*)?\n", rest):
            line = rest.index("\n") + 1
            new = "".join(f"{row}\n" for row in _rows(values))
            return text[:at] + rest[:line] + new + rest[line:]
        comma = "" if rest.lstrip().startswith("]") else ", "
        return text[:at] + ", ".join(map(_quoted, values)) + comma + rest
    if len(opening) == 3:
        end = "" if rest[:1] == "\n" else "\n"
        return text[:at] + "\n" + "\n".join(_texts(name, values)) + end + rest
    between = " " if name == "pythonpath" else "\\n"
    return text[:at] + between.join(_texts(name, values)) + between + rest


def _verify(edit: IniEdit, place: Path, old: IniFile | None, added: Added) -> None:
    """Raises UsageError unless pytest will read the added values and all others unchanged."""
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        beside = Path(folder) / place.name
        beside.write_bytes(edit.after.encode("utf-8"))
        try:
            new: IniFile | None = read_ini_file(beside)
        except UsageError:
            new = None

    def others(file: IniFile | None) -> dict[str, Any]:
        return {k: v for k, v in file.values.items() if k not in added} if file else {}

    def is_complete(name: str) -> bool:
        return sorted(_values(new, name)) == sorted([*_values(old, name), *added[name]])

    if new is None or others(new) != others(old) or not all(map(is_complete, added)):
        raise UsageError(
            "pytest's settings are written in a way that the lift does not change",
            where=edit.name,
            todo="add the lines yourself",
        )


def _values(file: IniFile | None, name: str) -> list[str]:
    if file is None:
        return []
    return file.words(name) if name == "pythonpath" else file.lines(name)
