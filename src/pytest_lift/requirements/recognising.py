"""Tells requirements, scopes of them and lists of non-goals apart in a YAML tree."""

from __future__ import annotations

import re
from collections.abc import Iterable

from pytest_lift.requirements.yaml_tree import Node, Table, Text, YamlSequence

REASONS = ("non_goal", "untestable", "waived")
"""Fields that exempt a requirement from being tested, and say why."""
REQUIRED = ("id", "title", "description", "acceptance")
FIELDS = (*REQUIRED, "level", "examples", "tags", "scenario", *REASONS)


def is_null(node: Node) -> bool:
    return isinstance(node, Text) and node.null


def lacks_id(table: Table) -> bool:
    """Whether it reads like an item; a scope may have a title and a description above its items."""
    if "id" in table.entries or not reads_like_item(table):
        return False
    return "acceptance" in table.entries or not holds_items_below(table)


def is_named_scope(table: Table) -> bool:
    """Whether it has an id and no acceptance, but requirements below it: a scope with a name.
    Where a key may be a slip for ``acceptance``, it is a requirement with a mistake."""
    if "id" not in table.entries or "acceptance" in table.entries or "non_goal" in table.entries:
        return False
    unknown = [name for name in table.entries if name not in FIELDS]
    return similar_to("acceptance", unknown) is None and holds_items_below(table)


def holds_items_below(table: Table) -> bool:
    return any(
        is_non_goals((name,)) or holds_items(value)
        for name, (_, value) in table.entries.items()
        if name not in FIELDS
    )


def reads_like_item(table: Table) -> bool:
    return sum(name in table.entries for name in ("title", "description", "acceptance")) >= 2


def holds_items(node: Node) -> bool:
    """Whether a requirement, or what looks like one, is anywhere in `node`."""
    if isinstance(node, YamlSequence):
        return any(holds_items(child) for child in node.children)
    if isinstance(node, Table):
        if "id" in node.entries or reads_like_item(node):
            return True
        return any(holds_items(value) for _, value in node.entries.values())
    return False


def is_non_goals(scope: Iterable[str]) -> bool:
    """Whether a scope is one of non-goals; ``non-goals`` and ``Non Goals`` count too: missed, they
    would turn into demands."""
    return any(re.sub(r"[-\s]", "_", name).lower() == "non_goals" for name in scope)


def similar_to(name: str, names: Iterable[str]) -> str | None:
    """Returns the one of `names` that `name` may be a slip for, or the other way round."""
    from difflib import get_close_matches

    by_lower = {other.lower(): other for other in names}
    found = get_close_matches(name.lower(), by_lower, n=1, cutoff=0.7)
    return by_lower[found[0]] if found else None
