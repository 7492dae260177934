"""Docstrings and a README become drafts of requirements that load."""

from __future__ import annotations

from pathlib import Path

from pytest_lift.commands.init import requirements_text
from pytest_lift.commands.init_drafts import drafts_of
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
