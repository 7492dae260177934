"""Pages of the site that are made from the code: whole, with a place of its own for each entry."""

from __future__ import annotations

import ast
import importlib.util
import re
import sys
from pathlib import Path
from types import ModuleType

import pytest

from pytest_lift.cli import COMMANDS
from pytest_lift.options import OPTIONS

TOP = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def pages() -> ModuleType:
    spec = importlib.util.spec_from_file_location("website_pages", TOP / "website/pages.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def anchors(text: str) -> list[str]:
    return re.findall(r"\{ #([\w-]+) \}", text)


def test_every_option_and_command_has_a_place(pages: ModuleType) -> None:
    options = pages.options()
    assert anchors(options) == ["lift", *(option.name for option in OPTIONS)]
    for option in OPTIONS:
        assert option.help[1:] in options
        assert f"`{option.dest}`" in options
    assert anchors(pages.commands()) == [command.name for command in COMMANDS]
    assert "--format" in pages.commands()


def test_every_message_has_a_place_of_its_own(pages: ModuleType) -> None:
    found = list(pages.found_messages())
    slugs = [one.slug for one in found]
    assert len(slugs) == len(set(slugs)) > 60
    assert sorted(slugs) == anchors(pages.messages())
    told = next(one for one in found if one.slug == "no-requirement-file-is-named")
    assert told.todo.startswith("set lift_requirements in the ini file")
    assert any("..." in one.what for one in found)


def test_a_name_stands_for_its_text_where_it_has_one(pages: ModuleType) -> None:
    source = """
def f():
    what = "one thing"
    raise LiftError(what, todo=todo)

def g(x):
    what = "this"
    if x:
        what = "that"
    raise LiftError(what, todo=f"take {x}")

todo = "mend it"
"""
    found = [
        (pages._text(call.args[0], texts), pages._text(call.keywords[0].value, texts))
        for call, texts in pages._calls(ast.parse(source), {})
    ]
    assert found == [("one thing", "mend it"), ("...", "take ...")]


@pytest.mark.parametrize(
    ("link", "here", "expected"),
    [
        ("[a](docs/jail.md#x)", "README.md", "[a](jail.md#x)"),
        ("![a](docs/report.png)", "README.md", "![a](report.png)"),
        ("[a](../README.md)", "docs/jail.md", "[a](index.md)"),
        ("[a](jail.md)", "docs/check.md", "[a](jail.md)"),
        ("[a](../src/pytest_lift/cli.py)", "docs/check.md", "a"),
        ("[a](#here)", "docs/check.md", "[a](#here)"),
        ("[a](https://x.invalid/y)", "README.md", "[a](https://x.invalid/y)"),
        ("[a](nowhere.md)", "docs/check.md", "[a](nowhere.md)"),
    ],
)
def test_links_lead_where_they_lead_in_the_repository(
    pages: ModuleType, link: str, here: str, expected: str
) -> None:
    known = {"jail.md", "index.md", "report.png", "check.md"}
    assert pages._LINK.sub(lambda found: pages._link(found, here, known), link) == expected
