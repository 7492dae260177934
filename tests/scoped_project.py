"""A project of several modules, parts of which are a scope."""

from __future__ import annotations

from pathlib import Path

from pytest_lift.requirements.reader import load
from pytest_lift.requirements.requirement import Requirements
from pytest_lift.scope.scope import Scope, scope_of
from pytest_lift.source.program import Program, read_program
from pytest_lift.suite.suite import Suite, read_suite

FILES = {
    "src/shop/__init__.py": "from shop.prices import total\n",
    "src/shop/prices.py": '''
        """Prices."""
        RATES = {"a": 1}

        def net(amount):
            return amount * RATES["a"]

        def total(amounts):
            return sum(net(one) for one in amounts)

        class Basket:
            def __init__(self):
                self.items = []

            def add(self, amount):
                self.items.append(amount)

            def get(self, number):
                return self.items[number]
        ''',
    "src/shop/words.py": """
        def shout(text):
            return text.upper()
        """,
    "reqs.yml": """
        shop:
          - {id: S-1, title: totals, description: "`total` adds up", acceptance: adds}
          - {id: S-2, title: shouting, description: "`shout` is loud", acceptance: loud}
          - {id: S-3, title: polite, description: "nothing is rude", acceptance: polite}
          - {id: S-4, title: colours, description: none, acceptance: none, non_goal: ugly}
        """,
}


def made(root: Path, tests: str = "", **more: str) -> tuple[Program, Requirements, Suite]:
    import textwrap

    files = {**FILES, "tests/test_shop.py": tests, **more}
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(text).lstrip("\n"), "utf-8")
    program = read_program(root, ("src/shop",), ("src",), "told")
    return program, load([root / "reqs.yml"]), read_suite(root, "tests")


def named(root: Path, *names: str, tests: str = "") -> Scope:
    program, requirements, _ = made(root, tests)
    return scope_of(names, program, requirements, (root / "src", root), root)
