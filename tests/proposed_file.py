"""A small shop and tests proposed for it, as diagnosis and repair read them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent

import pytest
from context_project import ty

from pytest_lift.context.retriever import Retriever
from pytest_lift.gate.diagnosis.diagnosing import Diagnoser
from pytest_lift.gate.repair.repairing import Repaired, Repairer
from pytest_lift.source.program import read_program
from pytest_lift.suite.suite import suite_of

PROGRAM = {
    "shop/__init__.py": "from shop.goods import Good\n",
    "shop/goods.py": """\
        class Good:
            def __init__(self, name, price=1):
                self.name = name
                self.price = price

            def is_dear(self, limit=100):
                return self.price > limit

            async def order(self):
                return self.name
        """,
    "shop/fares.py": """\
        import decimal

        RATES = {"books": 7}

        def fare(good, kind="books", *, rounded=False):
            return RATES[kind] + good.price

        async def fetched(kind):
            return RATES[kind]
        """,
    "shop/deep/__init__.py": "",
    "shop/deep/rules.py": "class Rule:\n    word = 'a'\n",
}
TESTS = {
    "tests/conftest.py": """\
        import pytest

        @pytest.fixture
        def stock():
            return []
        """,
    "tests/things.py": """\
        import pytest
        from shop import Good

        @pytest.fixture
        def hat():
            return Good("hat")

        def two():
            return 2
        """,
    "tests/data/goods.json": "{}",
}
PATH = "tests/test_shop.py"


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    for path, text in {**PROGRAM, **TESTS}.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(dedent(text))
    return tmp_path


@pytest.fixture(params=["by its tree", "by server"])
def diagnoser(shop: Path, request: pytest.FixtureRequest) -> Iterator[Diagnoser]:
    """With a server and without one: what both find is told by both."""
    yield from _of(shop, with_server=request.param == "by server")


@pytest.fixture
def by_server(shop: Path) -> Iterator[Diagnoser]:
    yield from _of(shop, with_server=True)


@pytest.fixture
def by_tree(shop: Path) -> Iterator[Diagnoser]:
    yield from _of(shop, with_server=False)


def _of(root: Path, *, with_server: bool) -> Iterator[Diagnoser]:
    program = read_program(root, ("shop",), ("",), "")
    retriever = Retriever(ty() if with_server else None)
    retriever.read(root, program)
    texts = {path: dedent(text) for path, text in TESTS.items() if path.endswith(".py")}
    yield Diagnoser(program, suite_of("tests", texts), root, retriever.server)
    retriever.close()


def rules(diagnoser: Diagnoser, text: str) -> list[tuple[str, str]]:
    """Rule and subject of each diagnostic."""
    return [(one.rule, one.subject) for one in diagnoser.diagnose(PATH, dedent(text))]


def repaired(diagnoser: Diagnoser, text: str) -> Repaired:
    return Repairer(diagnoser).repaired(PATH, dedent(text))
