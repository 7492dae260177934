"""Views of an object: which of them tell a reader most, as checks of a test."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pytest_lift.agents.offline.search.dullness import BEGUN_WITH
from pytest_lift.agents.offline.writing.legibility import illegibility
from pytest_lift.calls.case import Case, Step

LONG = 60
"""Characters of a value from which its length is checked in its place."""
DIGEST = re.compile(r"b?'[0-9a-f]{32,}'")
"""Value that any change of what it is made of changes."""
Views = Mapping[str, str]
"""Expression with ``{}`` for the variable -> source of its value."""


@dataclass(frozen=True)
class ViewRanking:
    """What makes views telling: options that are set, and values that nobody gave."""

    options: Sequence[str]
    given: frozenset[str]

    def __call__(self, pair: tuple[str, str]) -> tuple[bool, bool, bool]:
        view, value = pair
        named = view.removeprefix("{}.") in self.options
        return not named, self.is_known(value), len(value) > LONG or illegibility(value) > 0

    def is_known(self, value: str) -> bool:
        return value in BEGUN_WITH or value in self.given


def given_values(case: Case) -> frozenset[str]:
    """Returns the arguments of all calls in a case."""
    nodes = (node for step in case.steps for node in ast.walk(ast.parse(step.source)))
    calls = [node for node in nodes if isinstance(node, ast.Call)]
    values = (v for c in calls for v in (*c.args, *(keyword.value for keyword in c.keywords)))
    return frozenset(ast.unparse(value) for value in values)


def telling_looks(name: str, views: Views, most: int, rank: ViewRanking) -> list[Step]:
    """Returns checks of the most telling views; what another view says already is left out, and
    the text of an object that says more than its parts were given stays."""
    telling = {view: value for view, value in views.items() if not DIGEST.fullmatch(value)}
    views = telling or dict(views)
    items = next((view for view in ("dict({})", "list({})") if view in views), "")
    if items and len(views[items]) <= LONG:
        views.pop("len({})", None)
    elif items:
        views.pop(items)
    if len(views) > 1:
        text = views.pop("str({})", "")
        views.pop("bool({})", None)
        if text and not rank.is_known(text) and all(map(rank.is_known, views.values())):
            views = {"str({})": text, **views}
    ordered = sorted(views.items(), key=rank)
    told = {value: view for view, value in reversed(ordered) if value not in BEGUN_WITH}
    ordered = [(view, value) for view, value in ordered if told.get(value, view) == view]
    return [Step(view.format(name), check=True) for view, _ in ordered[: max(most, 1)]]
