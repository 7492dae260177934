"""`pytest-lift init`: writes what a project needs to start, and says what it did."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pytest_lift.commands.init_drafts import Draft, documented, drafts_of
from pytest_lift.commands.project_option import add_project, named_project
from pytest_lift.errors import LiftError, UsageError
from pytest_lift.files.atomic import place_file
from pytest_lift.options import MARKS
from pytest_lift.project.discovery import find_program
from pytest_lift.project.ini_files import IniFile, find_ini_file, lines_for
from pytest_lift.project.option_values import read_static_config
from pytest_lift.suite.respelling import marker_lines, registered
from pytest_lift.text import printable
from pytest_lift.text.wording import count
from pytest_lift.version import version

DRAFT = "draft"
"""Tag of a requirement that has not been reviewed."""
HOOK = """\
  - repo: local
    hooks:
      - id: lift-check
        name: links between tests and requirements
        entry: pytest-lift check
        language: system
        always_run: true
        pass_filenames: false
"""
WIDTH = 96


REQUIREMENTS = "requirements.yml"
HOOKS = ".pre-commit-config.yaml"


def requirements_text(drafts: Sequence[Draft]) -> str:
    """Returns a requirement file in YAML: one scope for each module, every item with the tag
    `DRAFT`."""
    import yaml

    class Dumper(yaml.SafeDumper):
        """Writes texts of several lines as they are."""

        def increase_indent(self, flow: bool = False, indentless: bool = False) -> Any:
            return super().increase_indent(flow, False)

    def text(dumper: yaml.SafeDumper, value: str) -> yaml.Node:
        style = "|" if "\n" in value else None
        return dumper.represent_scalar("tag:yaml.org,2002:str", value, style=style)

    Dumper.add_representer(str, text)
    head = "".join(f"# {line}\n" for line in _introduction(len(drafts)))
    scopes: dict[str, list[dict[str, Any]]] = {}
    for draft in drafts:
        scopes.setdefault(draft.scope, []).append(_item(draft))
    parts = []
    for scope, items in scopes.items():
        body = yaml.dump({scope: items}, Dumper=Dumper, sort_keys=False, allow_unicode=True,
                         width=WIDTH)  # fmt: skip
        parts.append(
            body.replace("\n  - id:", "\n\n  - id:").replace(":\n\n  - id:", ":\n  - id:", 1)
        )
    return head + "\n" + "\n".join(parts)


def _introduction(drafts: int) -> Iterator[str]:
    yield f"{count(drafts, 'draft')} of requirements: what README and docstrings say."
    yield f"Review each: correct it or delete it, then remove its tag `{DRAFT}`."
    yield f"Made by pytest-lift {version()}."
    yield "Texts that state values (`f(2)` gives 4) can be verified; the format: docs/formats.md."


def _item(draft: Draft) -> dict[str, Any]:
    item: dict[str, Any] = {
        "id": draft.id,
        "title": draft.title,
        "description": draft.description,
        "acceptance": list(draft.acceptance),
    }
    if draft.examples:
        item["examples"] = [f"{text}\n" for text in draft.examples]
    return {**item, "tags": [DRAFT]}


def with_hook(text: str | None) -> str | None:
    """Returns a pre-commit configuration with the hook; None if the hook exists already or
    cannot be added without changing other parts of the text."""
    import yaml

    if text is None:
        return f"repos:\n{HOOK}"
    if "lift-check" in text:
        return None
    try:
        before = yaml.safe_load(text)
        repos = before["repos"]
        after = _appended(text, repos)
        expected = {**before, "repos": [*repos, *yaml.safe_load(f"repos:\n{HOOK}")["repos"]]}
        return after if yaml.safe_load(after) == expected else None
    except (yaml.YAMLError, KeyError, TypeError):
        return None


def _appended(text: str, repos: Sequence[object]) -> str:
    """Returns the text with the hook at the end of `repos`, indented like the other items."""
    lines = text.splitlines(keepends=True)
    start = next(n for n, line in enumerate(lines) if line.startswith("repos:"))
    end = start + 1
    indent = "  "
    for number, line in enumerate(lines[start + 1 :], start + 1):
        if line.strip() and not line.startswith((" ", "-", "#")):
            break
        if line.lstrip().startswith("- repo:"):
            indent = line[: len(line) - len(line.lstrip())]
        if line.strip():
            end = number + 1
    if end and not lines[end - 1].endswith("\n"):
        lines[end - 1] += "\n"
    hook = "".join(f"{indent}{line[2:]}" for line in HOOK.splitlines(keepends=True))
    return "".join([*lines[:end], hook, *lines[end:]])


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--source",
        action="append",
        default=[],
        metavar="PKG_OR_DIR",
        help="package, module or folder that the drafts are about; may be given several times "
        "(default: found by the project's layout and settings)",
    )
    parser.add_argument(
        "--requirements",
        default=REQUIREMENTS,
        metavar="FILE",
        help=f"where the drafts are written (default: {REQUIREMENTS})",
    )
    parser.add_argument(
        "--dry-run",
        action="store_true",
        help="write nothing, only say what would be written (default: off)",
    )
    add_project(parser)


def run(options: argparse.Namespace) -> int:
    """Returns 0. Existing files are left as they are, which is reported. Raises UsageError."""
    root, ini = find_ini_file(named_project(options) or Path.cwd().absolute())
    start = _Start(root, ini, options.dry_run)
    start.requirements(options.requirements, options.source)
    start.settings(options.requirements)
    start.hook()
    for line in start.told:
        print(printable.line(line))
    return 0


@dataclass
class _Start:
    root: Path
    ini: IniFile | None
    dry: bool
    told: list[str] = field(default_factory=list)

    def requirements(self, name: str, source: list[str]) -> None:
        place = self.root / name
        if not place.resolve().is_relative_to(self.root.resolve()):
            raise UsageError(f"{name} is not below the project {self.root}", where="--requirements",
                             todo="name a file inside the project")  # fmt: skip
        if place.exists():
            self.told.append(f"{name} exists already and is not changed")
            return
        program = find_program(self.root, source=source)
        drafts = drafts_of(self.root, program)
        if not drafts:
            self.told.append(
                f"no {name}: neither README nor docstrings of {', '.join(program.names)} say what "
                "it does; write requirements by hand (docs/formats.md)"
            )
            return
        self._write(name, requirements_text(drafts))
        self.told.append(f"wrote {name}: {', '.join(_counts(drafts, documented(program)))}")
        self.told.append(
            "  review and correct each, then remove its tag draft; next: pytest --lift"
        )

    def settings(self, name: str) -> None:
        """Adds the requirement file and the marks to pytest's configuration file."""
        had = self.ini.lines("lift_requirements") if self.ini else []
        lines = self.ini.lines("markers") if self.ini else []
        tests = read_static_config(self.root).tests
        known = registered([*lines, *marker_lines(self.root, tests)])
        added: dict[str, list[str]] = {}
        if not had and (self.dry or (self.root / name).exists()):
            added["lift_requirements"] = [name]
        missing = [line for line in MARKS if not registered([line]) <= known]
        added |= {"markers": missing} if missing else {}
        if not added:
            self.told.append("pytest's settings name requirements and marks already")
            return
        try:
            edit = lines_for(self.root, self.ini.path if self.ini else None, added)
        except UsageError as error:
            self.told.append(f"pytest's settings are not changed: {error}")
            return
        self._write(edit.name, edit.after)
        self.told.append(f"{'made' if edit.before is None else 'added to'} {edit.name}: "
                         f"{edit.section}")  # fmt: skip
        self.told += [f"  {line}" for line in edit.lines]

    def hook(self) -> None:
        place = self.root / HOOKS
        try:
            before = place.read_text("utf-8") if place.exists() else None
        except (OSError, UnicodeDecodeError) as error:
            self.told.append(f"{HOOKS} cannot be read and is not changed: {error}")
            return
        after = with_hook(before)
        if after is None:
            known = before is not None and "lift-check" in before
            why = "has the hook already" if known else "cannot be added to: add the hook by hand"
            self.told.append(f"{HOOKS} {why}")
            return
        self._write(HOOKS, after)
        verb = "made" if before is None else "added to"
        self.told.append(f"{verb} {HOOKS}: pytest-lift check before each commit")

    def _write(self, name: str, text: str) -> None:
        if self.dry:
            return
        try:
            place_file(self.root / name, text.encode("utf-8"))
        except OSError as error:
            raise LiftError(
                f"it cannot be written: {error.strerror}",
                where=str(self.root / name),
                todo="make the folder writable",
            ) from error


def _counts(drafts: tuple[Draft, ...], documented_in_all: int) -> Iterator[str]:
    docs = sum(":" in draft.source for draft in drafts)
    if docs:
        more = f" (of {documented_in_all})" if documented_in_all > docs else ""
        yield f"{count(docs, 'draft')} from docstrings{more}"
    if rest := len(drafts) - docs:
        yield f"{count(rest, 'draft')} from {drafts[0].source}"
