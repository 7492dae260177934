"""Applies the remedies to the tool's own tests."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable
from typing import get_args

from pytest_lift.agents.contract import Brief
from pytest_lift.agents.offline.remedies import MECHANICAL, Action, Remedy, remedies
from pytest_lift.agents.offline.renewal import renew
from pytest_lift.suite.relinking import with_links
from pytest_lift.suite.splice import merge_tests
from pytest_lift.suite.suite import Edit, Suite


def correct(brief: Brief) -> Edit:
    """Returns the edit that fixes or removes what the findings call broken."""
    return _corrected(brief, frozenset(get_args(Action)) - {"leave"})


def correct_by_rules(brief: Brief) -> Edit:
    """Returns the edit with mechanical remedies only; empty if there are none."""
    return _corrected(brief, MECHANICAL)


def _corrected(brief: Brief, actions: Collection[Action]) -> Edit:
    suite = brief.suite
    told = []
    for _, remedy in remedies(brief):
        owned = [node for node in remedy.nodes if _is_ours(node, suite)]
        if owned and remedy.action in actions:
            suite = _apply(remedy, owned, suite, brief)
            told.append(remedy.action)
    edit = brief.suite.edit_to(suite)
    return Edit(edit.files, f"corrections: {', '.join(told)}" if told else "nothing to correct")


def _is_ours(node: str, suite: Suite) -> bool:
    test = suite.function(node)
    return suite.is_owned(test) if test is not None else suite.is_owned_file(node)


def _apply(remedy: Remedy, nodes: list[str], suite: Suite, brief: Brief) -> Suite:
    if remedy.action == "import":
        return _in_files(suite, nodes, lambda text: merge_tests(text, [remedy.new], ""))
    if remedy.action == "rename":
        pattern = rf"\b{re.escape(remedy.old)}\b"
        return _in_owned_files(suite, nodes, lambda text: re.sub(pattern, remedy.new, text))
    if remedy.action == "unlink":
        return _unlinked(suite, nodes, remedy.old)
    if remedy.action == "observe":
        return renew(nodes, suite, brief)
    return _without(suite, nodes)


def _in_files(suite: Suite, nodes: Iterable[str], change: Callable[[str], str]) -> Suite:
    paths = dict.fromkeys(node.partition("::")[0] for node in nodes)
    return suite.apply(Edit({path: change(suite.files[path].text) for path in paths}))


def _in_owned_files(suite: Suite, nodes: list[str], change: Callable[[str], str]) -> Suite:
    """Applies a renaming only to files without a person's lines; else removes the tests."""
    paths = {node.partition("::")[0] for node in nodes}
    if all(suite.is_owned_file(path) for path in paths):
        return _in_files(suite, nodes, change)
    return _without(suite, nodes)


def _unlinked(suite: Suite, nodes: list[str], unknown: str) -> Suite:
    """Removes the unknown id; a test without another id becomes emergent."""
    for node in nodes:
        test = suite.function(node)
        if test is None:
            continue
        path, _, name = test.node.partition("::")
        left = [each for each in test.requirements if each != unknown]
        reason = None if left else "no requirement is known to state it"
        text, source = suite.files[path].text, suite.source(test)
        mark = f"req({', '.join(map(repr, left))})" if left else f'emergent("{reason}")'
        changed = re.sub(r"(?<=pytest\.mark\.)req\([^)]*\)", mark, source, count=1)
        text = (
            with_links(text, name, left, reason, suite.naming)
            if changed == source
            else text.replace(source, changed)
        )
        suite = suite.apply(Edit({path: text}))
    return suite


def _without(suite: Suite, nodes: list[str]) -> Suite:
    files: dict[str, str | None] = {n: None for n in nodes if suite.is_owned_file(n)}
    if files:
        suite = suite.apply(Edit(files))
    return suite.without(node for node in nodes if node not in files)
