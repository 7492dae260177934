"""Keywords that a function reads from ``**kwargs``."""

from __future__ import annotations

import ast

import pytest

from pytest_lift.calls.keywords import named_keywords


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("kwargs.get('sort', False)", [("sort", "False")]),
        ("kwargs.pop('ranks')", [("ranks", "None")]),
        ("kwargs['name']", [("name", "...")]),
        ("'deep' not in kwargs", [("deep", "...")]),
        ("other.get('sort')", []),
        ("kwargs.get('not a name')", []),
        ("kwargs.get('first')", []),
        ("kwargs.get('a', 1), kwargs['a']", [("a", "1")]),
    ],
)
def test_each_way_of_reading_is_known(body: str, found: list[tuple[str, str]]) -> None:
    node = ast.parse(f"def f(first, **kwargs):\n    return {body}\n").body[0]
    assert [(p.name, p.default) for p in named_keywords(node)] == found


def test_without_such_a_parameter_there_are_none() -> None:
    assert named_keywords(ast.parse("def f(kwargs): return kwargs['name']").body[0]) == ()
