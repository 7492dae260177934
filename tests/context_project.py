"""A small program with types, uses and an untyped function, as the context tests read it."""

from __future__ import annotations

from pathlib import Path

import pytest

from pytest_lift.context.function_context import FunctionContext
from pytest_lift.context.launch import Launch, chosen_launch
from pytest_lift.context.retriever import Retriever
from pytest_lift.source.program import Program, read_program

FILES = {
    "shop/__init__.py": "from shop.goods import Good\n",
    "shop/goods.py": '''\
"""Goods."""

from __future__ import annotations

import typing

LIMIT = 100
RATES = {
    "books": 7,
    "food": 5,
}


class Base:
    name: str = ""

    @property
    def shouted(self) -> str:
        """Name in capitals.

        More of it.
        """
        return self.name.upper()


class Good(Base):
    """A thing for sale."""

    def __init__(self, name: str, price: int) -> None:
        self.name = name
        self.price = price
        self.maker: Maker | None = None

    def is_dear(self) -> bool:
        return self.price > LIMIT or self.price < 0


class Maker:
    country: str = "nl"
''',
    "shop/fares.py": '''\
from shop import goods
from shop.goods import Good, RATES


class Refused(Exception):
    """Nothing is sold."""


def fare(good: Good, kind: str) -> int:
    """Fare of a good."""
    if good.is_dear() or good.maker and good.maker.country == "nl":
        return goods.LIMIT
    if kind not in RATES:
        raise Refused(kind)
    return RATES[kind] + rounded(good.price)


def rounded(number):
    return number // 10 * 10


def described(thing, mode=None):
    if thing.maker and thing.shouted:
        return thing.name
    return ""


def longest(thing):
    return 1 if thing.maker else 0


def measured(all_goods: list[Good]) -> int:
    return longest(all_goods[0])


def catalogue(all_goods: list[Good]) -> list[str]:
    good = all_goods[0]
    return [described(good, mode=1), fare(good, "books")]
''',
    "tests/test_fares.py": """\
from shop.fares import fare
from shop.goods import Good


def test_fare():
    assert fare(Good("a", 20), "food") == 25
""",
}


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    for path, text in FILES.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(text)
    return tmp_path


def ty() -> Launch:
    launch = chosen_launch(None)
    if launch is None:
        pytest.skip("ty is not installed")
    return launch


def retriever_of(root: Path, launch: Launch | None) -> Retriever:
    retriever = Retriever(launch)
    retriever.read(root, program_of(root), texts_of_tests(root))
    return retriever


def program_of(root: Path) -> Program:
    return read_program(root, ("shop",), ("",), "")


def texts_of_tests(root: Path) -> dict[str, str]:
    paths = sorted(root.glob("tests/*.py"))
    return {path.relative_to(root).as_posix(): path.read_text() for path in paths}


def context_of(retriever: Retriever, path: str, name: str) -> FunctionContext:
    source = retriever.files.program.files[path]
    symbol = next(symbol for symbol in source.symbols if symbol.name == name)
    found = retriever.context(source, symbol)
    assert found is not None
    return found


def places(found: FunctionContext) -> dict[str, list[str]]:
    """Definitions of each key token, as ``path:line``."""
    return {
        one.token.text: [f"{place.path}:{place.line}" for place in one.places]
        for one in found.found
    }
