"""Contexts as text: definitions by file and class, shortened, within a budget; uses."""

from __future__ import annotations

from pathlib import Path

import context_project
import pytest
from context_project import context_of, retriever_of

from pytest_lift.context.rendering import (
    context_text,
    definitions_text,
    estimate,
    uses_text,
)

shop = context_project.shop


def test_definitions_stand_below_their_file_and_class(shop: Path) -> None:
    retriever = retriever_of(shop, context_project.ty())
    found = context_of(retriever, "shop/fares.py", "fare")
    assert (
        definitions_text([found], retriever.files).text
        == '''\
### shop/fares.py (module shop.fares)
```python
class Refused(Exception):
    """Nothing is sold."""
def rounded(number):
    ...
```
### shop/goods.py (module shop.goods)
```python
LIMIT = 100
RATES = {
    "books": 7,
    "food": 5,
}
class Good(Base):
    """A thing for sale."""
    def __init__(self, name: str, price: int) -> None
    maker: Maker | None
    def is_dear(self) -> bool:
        return self.price > LIMIT or self.price < 0
class Maker:  # in part
    country: str = 'nl'
```'''
    )
    retriever.close()


def test_an_attribute_that_is_assigned_from_an_argument_is_shown_by_its_type(shop: Path) -> None:
    retriever = retriever_of(shop, context_project.ty())
    text = context_text(context_of(retriever, "shop/goods.py", "Good.is_dear"), retriever.files)
    assert "price: int" in text
    assert "self.price = price" not in text
    retriever.close()


def test_what_a_reader_has_anyway_and_the_function_itself_are_left_out(shop: Path) -> None:
    retriever = retriever_of(shop, context_project.ty())
    found = context_of(retriever, "shop/fares.py", "fare")
    text = definitions_text(
        [found], retriever.files, is_shown=lambda path, line: "goods" in path
    ).text
    assert text.splitlines()[0] == "### shop/fares.py (module shop.fares)"
    assert "goods" not in text
    assert "def fare" not in text
    retriever.close()


def test_two_functions_share_what_both_need(shop: Path) -> None:
    retriever = retriever_of(shop, context_project.ty())
    both = [context_of(retriever, "shop/fares.py", name) for name in ("fare", "described")]
    text = definitions_text(both, retriever.files).text
    assert text.count("maker: Maker | None") == 1
    assert text.count("def shouted") == 1
    assert "More of it" not in text, "of a docstring the first line"
    retriever.close()


@pytest.mark.parametrize("budget", [0, 40, 100, 150])
def test_a_budget_is_kept_and_guards_come_first(shop: Path, budget: int) -> None:
    retriever = retriever_of(shop, context_project.ty())
    found = context_of(retriever, "shop/fares.py", "fare")
    text = context_text(found, retriever.files, budget)
    assert estimate(text) <= budget + 5
    if budget >= 150:
        assert "RATES" in text
        assert "rounded" not in text
    retriever.close()


def test_long_functions_are_cut_to_their_head_and_long_constants_to_their_beginning(
    shop: Path,
) -> None:
    body = "\n".join(f"    x{n} = {n}" for n in range(60))
    table = "TABLE = [\n" + "".join(f"    {n},\n" for n in range(60)) + "]\n"
    (shop / "shop/long.py").write_text(
        f"{table}\n\n@staticmethod\ndef long(\n    a,  # the first\n):\n    # begins\n{body}\n\n"
        "def short(a):\n    if long(a) in TABLE: return 1\n"
    )
    retriever = retriever_of(shop, None)
    text = definitions_text([context_of(retriever, "shop/long.py", "short")], retriever.files).text
    assert "@staticmethod\ndef long(\n    a,  # the first\n):\n    ...  # 60 lines\n" in text
    assert "    23,\n    ...  # 37 lines more\n" in text


def test_overloads_give_way_to_the_implementation_with_its_whole_head(shop: Path) -> None:
    (shop / "shop/over.py").write_text(
        """\
import typing
try:
    import fast
except ImportError:
    fast = None


class Loop:
    @typing.overload
    def current(self) -> int: ...

    @typing.overload
    def current(self, late: bool) -> "int | None": ...  # noqa: F811

    def current(self, late: bool = False) -> "int | None":  # noqa: F811

        # What runs now.
        return 1 if late else None


def f(loop: Loop):
    if fast and loop.current():
        return 1
"""
    )
    retriever = retriever_of(shop, context_project.ty())
    text = definitions_text([context_of(retriever, "shop/over.py", "f")], retriever.files).text
    assert (
        text
        == """\
### shop/over.py (module shop.over)
```python
fast = None
class Loop:
    def current(self, late: bool = False) -> "int | None":  # noqa: F811
        return 1 if late else None
```"""
    )
    retriever.close()


@pytest.mark.parametrize(
    ("assigned", "shown"),
    [
        ("self.a = given", "a = given"),
        ("self.a = [given]", "a = [given]"),
        ("self.a = len", "def len("),
        ("self.a = 'x'", "a: str"),
    ],
)
def test_attributes_are_shown_by_type_or_by_what_is_assigned(
    shop: Path, assigned: str, shown: str
) -> None:
    (shop / "shop/attributes.py").write_text(
        "class A:\n"
        f"    def __init__(self, given):\n        {assigned}\n"
        "    def f(self):\n        if self.a:\n            return 1\n"
    )
    retriever = retriever_of(shop, context_project.ty())
    text = context_text(context_of(retriever, "shop/attributes.py", "A.f"), retriever.files)
    assert f"\n    {shown}" in text
    retriever.close()


def test_a_use_over_several_lines_is_shown_as_one(shop: Path) -> None:
    (shop / "tests/test_lines.py").write_text(
        "from shop.fares import fare\n\n\ndef test_lines():\n    fare(\n        None,\n        'b',\n    )\n"
    )
    retriever = retriever_of(shop, None)
    text = uses_text(context_of(retriever, "shop/fares.py", "fare"), retriever.files).text
    assert "- tests/test_lines.py:5 in test_lines: `fare(None, 'b', )`" in text


def test_uses_are_one_line_each_and_counted_beyond_the_budget(shop: Path) -> None:
    calls = "".join(f"\n\ndef test_{n}():\n    fare(None, '{n}')\n" for n in range(50))
    (shop / "tests/test_many.py").write_text(f"from shop.fares import fare{calls}")
    retriever = retriever_of(shop, None)
    found = context_of(retriever, "shop/fares.py", "fare")
    lines = uses_text(found, retriever.files, 100).text.splitlines()
    assert lines[0] == (
        '- tests/test_fares.py:6 in test_fare: `assert fare(Good("a", 20), "food") == 25`'
    )
    assert lines[-1] == f"- and {52 - len(lines) + 1} more"
    assert estimate("\n".join(lines)) <= 105
