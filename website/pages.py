"""Pages of the site that are made from the code and from files outside `docs/`, when it is built.

mkdocs calls `on_files` and `on_page_markdown`. Links to what is not on the site become plain text.
"""

from __future__ import annotations

import argparse
import ast
import io
import posixpath
import re
from collections.abc import Iterator
from contextlib import redirect_stdout
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pytest_lift.cli import COMMANDS
from pytest_lift.options import LIFT, OPTIONS

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files
    from mkdocs.structure.pages import Page

TOP = Path(__file__).resolve().parents[1]
OUTSIDE = {
    "README.md": "index.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
}
"""File at the top of the repository -> page."""
ERRORS = frozenset({"LiftError", "UsageError", "LandingError", "StorageError"})
_LINK = re.compile(r"(!?)\[([^\]]*)\]\(([^)\s]+)\)")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages that are no files of `docs/`."""
    from mkdocs.structure.files import File

    made = {page: (TOP / name).read_text("utf-8") for name, page in OUTSIDE.items()}
    made |= {"options.md": options(), "commands.md": commands(), "messages.md": messages()}
    for name, text in made.items():
        files.append(File.generated(config, name, content=text))
    return files


def on_page_markdown(markdown: str, page: Page, files: Files, **_: Any) -> str:
    """Links as they stand in the repository, as they have to stand on the site."""
    origin = next((n for n, to in OUTSIDE.items() if to == page.file.src_uri), None)
    here = origin or f"docs/{page.file.src_uri}"
    known = {file.src_uri for file in files}
    return _LINK.sub(lambda found: _link(found, here, known), markdown)


def _link(found: re.Match[str], here: str, known: set[str]) -> str:
    image, text, target = found.groups()
    if re.match(r"[a-z]+:|#", target):
        return found[0]
    path, _, anchor = target.partition("#")
    place = posixpath.normpath(posixpath.join(posixpath.dirname(here), path))
    inside = OUTSIDE.get(place, place.removeprefix("docs/"))
    if inside in known:
        return f"{image}[{text}]({inside}{'#' + anchor if anchor else ''})"
    if (TOP / place).exists():
        return text  # a file of the repository that is not on the site
    return found[0]  # broken: the build says so


def options() -> str:
    """Every option with all the ways to give it."""
    parts = [
        "# Options\n\nThe command line wins over the environment, the environment over the ini "
        "file of pytest. A key of a model comes from the environment only.\n",
        f"## --lift {{ #lift }}\n\n{_sentence(LIFT)}\n\n"
        "Default: off. Only the command line has it.\n",
    ]
    for option in OPTIONS:
        value = "" if option.flag else f"={option.name.upper().replace('-', '_')}"
        default = option.default or option.unset or ("off" if option.flag else "none")
        rows = [
            ("command line", f"`--lift-{option.name}{value}`"),
            ("environment", f"`LIFT_{option.name.replace('-', '_').upper()}`"),
            ("ini", f"`{option.dest}`"),
            ("default", default),
        ]
        if option.choices:
            rows.append(("one of", ", ".join(f"`{choice}`" for choice in option.choices)))
        if option.many:
            rows.append(("several", f"may be repeated; with `{option.between}` between in the "
                         "environment, one a line in an ini file"))  # fmt: skip
        listed = "\n".join(f"- {name}: {text}" for name, text in rows)
        parts.append(
            f"## --lift-{option.name} {{ #{option.name} }}\n\n{_sentence(option.help)}\n\n"
            f"{listed}\n"
        )
    return "\n".join(parts)


def commands() -> str:
    """Every command with its help."""
    parts = ["# Commands\n\n`pytest-lift COMMAND`: what is done without running pytest.\n"]
    for command in COMMANDS:
        parser = argparse.ArgumentParser(prog=f"pytest-lift {command.name}", formatter_class=_Wide)
        import_module(command.module).add_arguments(parser)
        told = io.StringIO()
        with redirect_stdout(told):
            parser.print_help()
        parts.append(
            f"## {command.name} {{ #{command.name} }}\n\n{_sentence(command.help)}\n\n"
            f"```text\n{told.getvalue().strip()}\n```\n"
        )
    return "\n".join(parts)


class _Wide(argparse.HelpFormatter):
    def __init__(self, prog: str) -> None:
        super().__init__(prog, width=92, max_help_position=30)


@dataclass(frozen=True)
class Message:
    """An error that a user can cause, as it is raised."""

    slug: str
    what: str
    todo: str
    module: str


def messages() -> str:
    """Every error, by what it says: the parts that vary are shown as `...`."""
    parts = [
        "# Messages\n\nWhat can go wrong, and what to do then. A message begins with the place "
        "(a file and line, an option, a test) and ends with the next step. Parts that vary are "
        "shown as `...`.\n"
    ]
    for one in sorted(found_messages(), key=lambda one: one.slug):
        known = one.todo.strip(". ")
        todo = f"\n\nWhat to do: {_escaped(one.todo)}." if known else ""
        parts.append(f"## {_escaped(one.what)} {{ #{one.slug} }}{todo}\n")
    return "\n".join(parts)


def found_messages() -> Iterator[Message]:
    """The errors of the sources, each slug once."""
    seen: set[str] = set()
    for path in sorted((TOP / "src").rglob("*.py")):
        source = path.read_text("utf-8")
        if not any(name in source for name in ERRORS):
            continue
        for node, texts in _calls(ast.parse(source), {}):
            if _name(node.func) not in ERRORS or not node.args:
                continue
            what = _text(node.args[0], texts)
            todo = next((_text(k.value, texts) for k in node.keywords if k.arg == "todo"), "")
            slug = re.sub(r"[^a-z0-9]+", "-", what.lower().replace("...", " ")).strip("-")[:60]
            if slug and slug not in seen and len(slug) > 3:
                seen.add(slug)
                yield Message(slug, what, todo, path.stem)


def _calls(
    scope: ast.AST, outer: dict[str, ast.expr]
) -> Iterator[tuple[ast.Call, dict[str, ast.expr]]]:
    """Each call with the names that stand for one text there."""
    nodes = list(_inside(scope))
    texts = dict(outer)
    given = [
        (target.id, node.value)
        for node in nodes
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    ]
    names = [name for name, _ in given]
    texts |= {name: value for name, value in given if names.count(name) == 1}
    for node in nodes:
        if isinstance(node, ast.Call):
            yield node, texts
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield from _calls(node, texts)


def _inside(scope: ast.AST) -> Iterator[ast.AST]:
    """What stands in a scope; functions in it are named and not entered."""
    for child in ast.iter_child_nodes(scope):
        yield child
        if not isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
            yield from _inside(child)


def _text(node: ast.expr, texts: dict[str, ast.expr], depth: int = 0) -> str:
    """What an expression reads like; parts that vary are ``...``."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(
            _text(part, texts) if isinstance(part, ast.Constant) else "..." for part in node.values
        )
    if isinstance(node, ast.Name) and node.id in texts and depth < 3:
        return _text(texts[node.id], texts, depth + 1)
    return "..."


def _name(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else ""


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}" + ("" if text.endswith(".") else ".")


def _escaped(text: str) -> str:
    return re.sub(r"([\\`*_{}\[\]<>#|])", r"\\\1", text)
