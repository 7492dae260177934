"""The files that `pytest-lift init` writes, as texts: requirement drafts and a pre-commit entry."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from pytest_lift.commands.init.drafts import Draft
from pytest_lift.version import version

DRAFT = "draft"
"""The tag of a requirement that nobody has read yet."""
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


def requirements_text(drafts: Sequence[Draft]) -> str:
    """A requirement file in YAML: one scope for each module, every item with the tag `DRAFT`."""
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


def _introduction(count: int) -> Iterator[str]:
    noun = "draft" if count == 1 else "drafts"
    yield f"{count} {noun} of requirements: what README and docstrings say."
    yield f"Read each, mend it, drop what is no requirement, then remove its tag `{DRAFT}`."
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
    """A pre-commit configuration with the hook; None where it is there already, or where the text
    is written in a way in which it cannot be added without touching the rest."""
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
    """The hook as the last of the list `repos`, indented as the others are."""
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
