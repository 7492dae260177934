"""Says what an assertion sees in each item of a result: ``items with name 'a' and 'b'``."""

from __future__ import annotations

import ast
import re

from pytest_lift.agents.offline.writing.oracles.checks import StepCheck
from pytest_lift.agents.offline.writing.told import Wording
from pytest_lift.agents.offline.writing.values import LONGEST_VALUE, listed, value_words
from pytest_lift.source.syntax import leaf, shared_expression

MOST_NAMED = 3
"""Most items of a result that are told one by one."""
LONGEST_ALONE = 100
"""Most characters of the only item that is written out."""


def shown_items(check: StepCheck, words: Wording, longest: int) -> str:
    """Returns ``names has items with key 'a' and 'b'`` of a check of what each item shows; "" for
    another one."""
    items = item_facts(check)
    if items is None:
        return ""
    what, facts, read = items
    verb = "gives" if isinstance(read, ast.Call) else "has"
    return f"{words.call(ast.unparse(read), longest)} {verb} {what} {facts}"


def item_facts(check: StepCheck) -> tuple[str, str, ast.expr] | None:
    """Returns what is looked at in each item, what is seen there, and of what the items are."""
    node = shared_expression(check.expression)
    if not isinstance(node, ast.ListComp) or len(node.generators) != 1:
        return None
    what = _looked_at(node.elt, ast.unparse(node.generators[0].target))
    if not what:
        return None
    values = shared_expression(check.expected)
    shown = values.elts if isinstance(values, ast.List) else []
    if not shown:
        return None
    many = len(shown) > MOST_NAMED and not isinstance(node.elt, ast.ListComp)
    longest = LONGEST_ALONE if many or len(shown) == 1 else LONGEST_VALUE
    words = [value_words(ast.unparse(one), longest) for one in shown]
    words = [one.strip("'") for one in words] if what == "objects of type" else words
    facts = f"{words[0]} first, {len(words)} in all" if many else listed(words)
    if len(words) == 1 and "islice(" not in check.expression:
        what = re.sub("^(item|object|group)s ", r"one \1 ", what)
    return what, facts, without_reading(node.generators[0].iter) or node.generators[0].iter


def _looked_at(node: ast.expr, item: str) -> str:
    """Returns ``items with name`` for ``item.name``, what is looked at in each item; "" for
    what has no words."""
    match node:
        case ast.Tuple(elts=[_, *_] as parts):
            names = [_attribute_of(one, item) for one in parts]
            return f"items with {listed(names)}" if all(names) else ""
        case ast.ListComp(
            elt=inner, generators=[ast.comprehension(ast.Name(part), ast.Name(whole))]
        ):
            name = _attribute_of(inner, part) if whole == item else ""
            return f"groups of items with {name}" if name else ""
        case ast.Attribute(ast.Call(ast.Name("type"), [ast.Name(name)]), "__name__"):
            return "objects of type" if name == item else ""
        case ast.Call(ast.Name("str" | "repr"), [ast.Name(name)]):
            return "what reads" if name == item else ""
    name = _attribute_of(node, item)
    return f"items with {name}" if name else ""


def _attribute_of(node: ast.expr, item: str) -> str:
    """Returns the name of the attribute of an item that is read; "" for anything else."""
    match node:
        case ast.Attribute(ast.Name(owner), name) if owner == item and not name.startswith("__"):
            return name
    return ""


def result_words(check: StepCheck, longest: int = LONGEST_VALUE) -> str:
    """Returns what a check expects as a sentence has it: ``[1, 2] first`` where more may come."""
    words = value_words(check.expected, longest)
    node, part = shared_expression(check.expression), False
    while (inner := _read(node)) is not None:
        part = part or not isinstance(node, ast.Call) or leaf(node.func) == "islice"
        node = inner
    return f"{words} first" if words and part else words


def without_reading(node: ast.expr | None) -> ast.expr | None:
    """Returns the call in ``list(...)``, ``islice(...)`` and before ``[:5]``, which read what it
    gives."""
    while (inner := _read(node)) is not None:
        node = inner
    return node


def _read(node: ast.expr | None) -> ast.Call | None:
    """Returns the call of which an expression does nothing but read what it gives."""
    match node:
        case ast.Call(func=function, args=[ast.Call() as inner, *_]):
            return inner if leaf(function) in ("list", "islice") else None
        case ast.Subscript(ast.Call() as inner, ast.Slice(None, ast.Constant(), None)):
            return inner
    return None
