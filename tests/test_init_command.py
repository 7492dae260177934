"""`pytest-lift init`: drafts from docs, settings and a hook; what is there already stays."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from conftest import Project
from hypothesis import given
from hypothesis import strategies as st

from pytest_lift.commands.init.command import requirements_text, with_hook
from pytest_lift.commands.init.drafts import drafts_of
from pytest_lift.commands.init.prose import (
    markdown_sections,
    paragraphs,
    raises,
    rest_sections,
    sentences,
    session_of,
    with_imports,
)
from pytest_lift.requirements.reader import load
from pytest_lift.requirements.requirement import Requirement
from pytest_lift.source.program import read_program

README = """\
# Shop

Sells things, e.g. books. [Docs](https://docs.invalid) tell more.

## Features

- **Prices** are rounded to cents. Always!
- short one
- Carts keep [their](x) order of items

  A second paragraph of the item.

## Usage

A price has two decimals:

```python
>>> price(2.5)
'2.50'
```

## Installation

- Run pip install shop in your shell
"""
CODE = '''\
"""Shops."""


class PriceError(ValueError):
    """A price is wrong in some way."""


def price(amount, currency="EUR"):
    """Return the price as text.

    Two decimals are shown, e.g. for 2.5. `currency` comes behind.

    Args:
        amount: what it costs.

    Raises:
        PriceError: the amount is
            negative.

    >>> price(2.5)
    '2.50'
    """


def _hidden():
    """Not a promise."""


class Cart:
    """A cart.

    :raises ValueError: when it is full
    """

    def add(self, item):
        """Add an item: it comes last."""
'''
EXISTING = "repos:\n- repo: https://x.invalid/y\n  rev: v1\n  hooks:\n  - id: y\n"


def drafts(root: Path) -> dict[str, Requirement]:
    (root / "README.md").write_text(README)
    (root / "shop.py").write_text(CODE)
    found = drafts_of(root, read_program(root, ("shop.py",), ("",), ""))
    (root / "requirements.yml").write_text(requirements_text(found))
    return {one.id: one for one in load([root / "requirements.yml"])}


def test_docstrings_and_readme_become_drafts_that_load(tmp_path: Path) -> None:
    found = drafts(tmp_path)
    assert list(found) == ["README-1", "README-2", "README-3", "SHOP-1", "SHOP-2", "SHOP-3"]
    assert {one.tags for one in found.values()} == {("draft",)}
    price = found["SHOP-1"]
    assert price.title == "Return the price as text"
    assert price.description.startswith("`price`: Return the price as text. Two decimals")
    assert price.acceptance == (
        "Return the price as text.",
        "Two decimals are shown, e.g. for 2.5.",
        "`currency` comes behind.",
        "`price` raises `PriceError`: the amount is negative.",
    )
    assert price.examples == (">>> from shop import price\n>>> price(2.5)\n'2.50'",)
    assert found["SHOP-2"].acceptance == ("A cart.", "`Cart` raises `ValueError`: when it is full")
    assert found["SHOP-3"].description == "`Cart.add`: Add an item: it comes last."


def test_a_readme_gives_its_bullets_and_the_examples_of_its_sections(tmp_path: Path) -> None:
    found = drafts(tmp_path)
    assert found["README-1"].acceptance == ("Prices are rounded to cents.", "Always!")
    assert found["README-2"].title == "Carts keep their order of items"
    assert found["README-3"].title == "Usage"
    assert found["README-3"].examples == (">>> from shop import price\n>>> price(2.5)\n'2.50'",)


def test_modules_of_one_name_have_ids_of_their_own(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / f"pkg/{name}").mkdir(parents=True)
        (tmp_path / f"pkg/{name}/core.py").write_text('def f():\n    """Does a thing."""\n')
    found = drafts_of(tmp_path, read_program(tmp_path, ("pkg",), ("",), ""))
    assert [one.id for one in found] == ["CORE-1", "B_CORE-1"]


@pytest.mark.parametrize(
    ("doc", "expected"),
    [
        ("One.\n\nTwo\nlines.\n\nReturns:\n    x", ["One.", "Two lines."]),
        ("One.\n\nParameters\n----------\nx : int", ["One."]),
        ("One.\n:param x: y", ["One."]),
        ("See :class:`~a.B` and ``c``, or `this <x>`_.", ["See `a.B` and `c`, or this."]),
        (">>> 1\n1", []),
        ("", []),
    ],
)
def test_the_prose_of_a_docstring_ends_where_its_sections_begin(
    doc: str, expected: list[str]
) -> None:
    assert paragraphs(doc) == expected


def test_what_is_raised_is_found_in_every_style() -> None:
    google = "Raises:\n    KeyError: if it is\n        gone.\n    OSError: else."
    assert list(raises(google)) == [("KeyError", "if it is gone."), ("OSError", "else.")]
    assert list(raises(":raises a.B: sometimes\n:return: x")) == [("a.B", "sometimes")]


def test_sentences_end_at_full_stops_but_not_at_abbreviations() -> None:
    assert sentences("It is e.g. A thing. Is it? Yes") == ["It is e.g. A thing.", "Is it?", "Yes"]


def test_a_session_is_taken_only_with_names_that_have_a_home() -> None:
    session = session_of(">>> x = f(1)\n>>> g(x)\n2\n>>> len([i for i in x])\n1")
    assert session is not None
    assert session.free == {"f", "g"}
    assert with_imports(session, {"f": "m"}) is None
    told = with_imports(session, {"f": "m", "g": "m"})
    assert told is not None
    assert told.startswith(">>> from m import f, g\n>>> x = f(1)\n")
    assert session_of(">>> f(1)") is None, "nothing is expected"
    assert session_of(">>> f(1)  # doctest: +SKIP\n2") is None
    assert session_of(">>> f(\n2") is None


def test_rest_documents_have_the_same_sections_as_markdown() -> None:
    text = "Shop\n====\n\nSells `things <x>`_.\n\n* one bullet of\n  two lines\n\n.. note:: x\n\nUse\n---\n\n>>> f()\n1\n"
    first, shop, use = rest_sections(text)
    assert (first.heading, shop.heading, use.heading) == ("", "Shop", "Use")
    assert (shop.paragraphs, shop.bullets) == (["Sells things."], ["one bullet of two lines"])
    assert ">>> f()" in use.code[0]


@given(st.text(alphabet="#-*` \n>ab.=:[]()<_", max_size=80))
def test_no_document_is_too_odd_to_be_read(text: str) -> None:
    for read in (markdown_sections, rest_sections):
        assert all(isinstance(section.heading, str) for section in read(text))
    assert all(paragraphs(text))
    session_of(text)


def test_the_hook_is_added_to_what_is_there_and_once() -> None:
    made = with_hook(None)
    assert made is not None
    assert yaml.safe_load(made)["repos"][0]["hooks"][0]["id"] == "lift-check"
    assert with_hook(made) is None
    for before in (EXISTING, f"{EXISTING}\n# the end\nfail_fast: true\n", EXISTING.rstrip()):
        after = with_hook(before)
        assert after is not None
        assert [repo["repo"] for repo in yaml.safe_load(after)["repos"]] == [
            "https://x.invalid/y",
            "local",
        ]
        assert all(line in after.splitlines() for line in before.splitlines())
    for odd in ("repos: []\n", "[1]", "a: b", "repos: [", ""):
        assert with_hook(odd) is None


def test_a_project_without_anything_gets_all_of_it(project: Project) -> None:
    (project.root / "reqs.yml").unlink()
    (project.root / "setup.cfg").unlink()
    project.git("init", "-q")
    tried = project.command("init", "--dry-run")
    assert (tried.status, (project.root / "requirements.yml").exists()) == (0, False)
    done = project.command("init")
    assert done.status == 0
    assert "wrote requirements.yml: 2 drafts from docstrings" in done
    assert "lift_requirements" in project.read("pytest.ini")
    assert "lift-check" in project.read(".pre-commit-config.yaml")
    assert project.command("check").status == 0
    before = {path: path.read_bytes() for path in project.root.glob("*") if path.is_file()}
    again = project.command("init")
    assert again.status == 0
    assert "requirements.yml exists already and is not changed" in again
    assert "pytest's settings name requirements and marks already" in again
    assert ".pre-commit-config.yaml has the hook already" in again
    assert before == {path: path.read_bytes() for path in project.root.glob("*") if path.is_file()}


def test_marks_that_a_conftest_file_registers_are_there_already(project: Project) -> None:
    lines = [f"    config.addinivalue_line('markers', '{name}: x')" for name in ("req", "emergent")]
    project.write({"conftest.py": "\n".join(["def pytest_configure(config):", *lines, ""])})
    assert "markers" not in project.command("init", "--dry-run")


def test_a_place_outside_the_project_is_a_usage_error(project: Project) -> None:
    done = project.command("init", "--requirements", "../elsewhere.yml")
    assert done.status == 4
    assert "is not below the project" in done
    assert not (project.root.parent / "elsewhere.yml").exists()
