"""Definitions of a test that are too wide are laid out in several lines."""

from __future__ import annotations

import ast

from hypothesis import given
from hypothesis import strategies as st

from pytest_lift.agents.offline.printing.wide_definitions import WIDTH, laid_out

WIDE = f"""
@group(help="{"a" * 50}", epilog="{"b" * 50}")
@plain
def run(first, /, second: int = 1, *rest, third: str = "{"c" * 60}", **others) -> None:
    class Inner(Base, metaclass=Meta):
        @option("{"d" * 60}", default="{"e" * 40}")
        async def wait(self, *, one={"f" * 60}, other: int):
            return 1
    return Inner
"""


def test_what_is_wide_has_a_line_for_each_argument_and_means_the_same() -> None:
    tree = ast.parse(WIDE).body[0]
    text = laid_out(tree)
    assert ast.dump(ast.parse(text).body[0]) == ast.dump(tree)
    assert max(map(len, text.split("\n"))) <= WIDTH
    assert "    /,\n    second: int = 1,\n    *rest,\n" in text
    assert '@group(\n    help="' in text.replace("'", '"')


@given(st.integers(0, 3), st.integers(0, 3), st.booleans(), st.integers(0, 3), st.booleans())
def test_any_signature_stays_what_it_is(
    positional: int, plain: int, rest: bool, named: int, others: bool
) -> None:
    parts = [f"only_by_place_{n}" for n in range(positional)] + ["/"] * bool(positional)
    parts += [f"plain_{n}: {'x' * 40} = {n}" for n in range(plain)]
    parts += ["*rest"] if rest else ["*"] * bool(named)
    parts += [f"named_{n}={'y' * 40}" for n in range(named)] + ["**others"] * others
    if positional and plain:
        parts = [part for part in parts if part != "/"]
    tree = ast.parse(f"def f({', '.join(parts)}):\n    return {'z' * 90}").body[0]
    assert ast.dump(ast.parse(laid_out(tree)).body[0]) == ast.dump(tree)


def test_what_is_short_stays_in_one_line() -> None:
    assert laid_out(ast.parse("def f(a, b=1):\n    return a").body[0]) == (
        "def f(a, b=1):\n    return a"
    )
