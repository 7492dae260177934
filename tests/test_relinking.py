"""Marks turned into fields of docstrings: what goes, what comes, and every other byte."""

from __future__ import annotations

import pytest

from pytest_lift.suite.relinking import (
    WIDTH,
    MarkChanges,
    bound_by_imports,
    printed,
    with_fields,
    with_links,
    without_idle_imports,
)
from pytest_lift.suite.test_file import DEFAULT_NAMING

MARKED = '''import pytest


@pytest.mark.req("R-1", "R-2")
@pytest.mark.slow
def test_a():
    """Says it."""
    assert 1  # why


@pytest.mark.req("R-3")
def test_b():
    assert 2
'''
BOTH = ("req", "emergent")


def fields(text: str, *tests: str, **more: bool) -> str:
    return with_fields(text, MarkChanges(BOTH, tests, **more), DEFAULT_NAMING)


def test_a_mark_becomes_a_field_and_other_marks_stay() -> None:
    assert fields(MARKED, "test_a") == MARKED.replace(
        '@pytest.mark.req("R-1", "R-2")\n', ""
    ).replace('"""Says it."""', '"""Says it.\n\n    :req: R-1, R-2\n    """')


def test_a_test_without_a_docstring_gets_one() -> None:
    after = fields(MARKED, "test_b")
    assert '@pytest.mark.req("R-1", "R-2")' in after
    assert after.endswith('def test_b():\n    """:req: R-3"""\n    assert 2\n')


def test_tests_that_are_not_named_stay() -> None:
    assert fields(MARKED) == MARKED
    assert fields(MARKED, "test_other") == MARKED


def test_line_ends_of_the_file_are_kept() -> None:
    after = fields(MARKED.replace("\n", "\r\n"), "test_a", "test_b")
    assert after.count("\n") == after.count("\r\n")


def test_links_replace_those_that_are_there() -> None:
    text = 'def test_a():\n    """Says it.\n\n    :req: R-1\n    """\n    assert 1\n'
    after = with_links(text, "test_a", ("R-2", "R-3"), None, DEFAULT_NAMING)
    assert after == text.replace("R-1", "R-2, R-3")
    assert "emergent: why" in with_links(text, "test_a", (), "why", DEFAULT_NAMING)
    assert with_links(text, "test_b", ("R-2",), None, DEFAULT_NAMING) == text


@pytest.mark.parametrize(
    ("ids", "emergent", "lines"),
    [
        ((), None, []),
        (("A", "B"), None, [":req: A, B"]),
        (("A",), " nobody\n  asked ", [":req: A", ":emergent: nobody asked"]),
        ((), "", [":emergent:"]),
    ],
)
def test_lines_of_fields(ids: tuple[str, ...], emergent: str | None, lines: list[str]) -> None:
    assert printed(ids, emergent) == lines


def test_long_fields_go_on_in_the_next_line() -> None:
    first, *rest = printed([f"REQ-{n:04}" for n in range(20)], None)
    assert len(first) <= WIDTH
    assert rest
    assert all(line.startswith("    ") and len(line) <= WIDTH for line in rest)


def test_imports_that_became_idle_go() -> None:
    before = "import os\nimport pytest, sys\nfrom a import (\n    b,\n    c,\n)\n\nos, pytest, b, c, sys\n"
    text = before.replace("os, pytest, b, c, sys", "sys, c")
    assert without_idle_imports(text, before) == "import sys\nfrom a import c\n\nsys, c\n"
    assert without_idle_imports(text, before, ("os",)).startswith("import os\nimport sys\n")
    assert without_idle_imports(text, text) == text


def test_names_that_imports_bind() -> None:
    assert bound_by_imports("import a.b, c as d\nfrom e import f\nx = 1\n") == {"a", "d", "f"}
