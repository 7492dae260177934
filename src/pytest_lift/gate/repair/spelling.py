"""Repairs misspelt attributes and keywords that have exactly one close candidate."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from pytest_lift.gate.diagnosis.by_names import NameFaults
from pytest_lift.gate.diagnosis.by_spelling import Spelling
from pytest_lift.gate.diagnosis.closeness import the_close_one
from pytest_lift.gate.diagnosis.diagnostic import Diagnostic
from pytest_lift.gate.repair.fix import DraftFile, Fix, TextEdit
from pytest_lift.source.syntax import chain, walked


def attribute_fixes(draft: DraftFile, one: Diagnostic) -> Iterator[Fix]:
    """Yields the correction of an attribute to the one close member of its object."""
    name = one.subject.rpartition(".")[2]
    node = _attribute_at(draft, one, name)
    if node is None:
        return
    end = draft.span(node)[1]
    start = end - len(name)
    if draft.text[start:end] != name:
        return
    line = node.end_lineno or node.lineno
    known = draft.diagnoser.members(
        draft.path, draft.text, line, (node.end_col_offset or 0) - len(name.encode()), name
    )
    private = name.startswith("_")
    public = [n for n in known if private or not n.startswith("_")]
    close = the_close_one(name, public) or the_close_one(name, _of_module(draft, node))
    if close is not None:
        what = f".{close} in place of .{name}"
        renamed = {f".{name}": f".{close}"}
        yield Fix(
            "misspelt-attribute", what, (TextEdit(start, end, close),), (), renamed, reveals=True
        )


def _of_module(draft: DraftFile, node: ast.Attribute) -> frozenset[str]:
    """Returns the names of the module of the project that an attribute is taken from; servers
    leave out those that nothing has imported."""
    names = NameFaults(draft.path, draft.text, draft.tree, draft.diagnoser.importables)
    module = names.modules.get(".".join(chain(node.value)))
    return module.names if module is not None else frozenset()


def _attribute_at(draft: DraftFile, one: Diagnostic, name: str) -> ast.Attribute | None:
    found = [
        node
        for node in walked(draft.tree)
        if isinstance(node, ast.Attribute)
        and node.attr == name
        and (node.lineno, node.col_offset) <= (one.line, one.column)
        and (one.line, one.end) <= (node.end_lineno or 0, node.end_col_offset or 0)
    ]
    return min(found, key=lambda node: node.end_col_offset or 0, default=None)


def keyword_fixes(draft: DraftFile, one: Diagnostic) -> Iterator[Fix]:
    """Yields the correction of a keyword to the one close parameter that the call leaves free."""
    name = one.subject
    known = draft.diagnoser.parameters(draft.path, draft.text, one)
    given = _given(draft, one)
    close = the_close_one(name, [parameter for parameter in known if parameter not in given])
    start = draft.positions.offset(one.line, one.column)
    if close is not None and draft.text.startswith(name, start):
        edit = TextEdit(start, start + len(name), close)
        what = f"{close}= in place of {name}="
        yield Fix("misspelt-keyword", what, (edit,), (), {f"{name}=": f"{close}="})


def word_fixes(draft: DraftFile, one: Diagnostic) -> Iterator[Fix]:
    """Yields the correction of a word that stands nowhere to the one close word that is somewhere:
    what is called has no known type."""
    spelling = Spelling(draft.text, draft.tree, draft.diagnoser.importables)
    is_keyword = one.rule == "unknown-keyword"
    name = one.subject
    start = draft.positions.offset(one.line, one.column)
    close = next((close for found, close in spelling.slips() if found == one), None)
    if close is not None and draft.text.startswith(name, start):
        edit = TextEdit(start, start + len(name), close)
        old, new = (f"{name}=", f"{close}=") if is_keyword else (f".{name}", f".{close}")
        rule = "misspelt-keyword" if is_keyword else "misspelt-attribute"
        yield Fix(rule, f"{new} in place of {old}", (edit,), (), {old: new})


def _given(draft: DraftFile, one: Diagnostic) -> set[str]:
    """Returns the other keywords of the call."""
    for node in walked(draft.tree):
        if isinstance(node, ast.Call):
            places = {(word.lineno, word.col_offset) for word in node.keywords}
            if (one.line, one.column) in places:
                return {word.arg for word in node.keywords if word.arg} - {one.subject}
    return set()
