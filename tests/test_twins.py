"""Groups of near-duplicates: no test is left that an earlier one of its shape covers."""

from __future__ import annotations

from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from pytest_lift.redundancy.redundancy import likeness, twin_groups
from pytest_lift.redundancy.shapes import shapes
from pytest_lift.redundancy.test_coverage import Footprint
from pytest_lift.suite.suite import suite_of

BODIES = (
    "    x = 1\n    assert f(x, 'a') == 2\n",
    "    y = 1\n    assert f(y, 'a') == 2\n",  # renamed
    "    x = 1\n    assert f(x, 'b') == 2\n",  # one literal
    "    x = 7\n    assert f(x, 'b') == 9\n",  # rows
)
FACTS = st.frozensets(st.integers(0, 3), max_size=3)


@given(st.lists(st.tuples(st.sampled_from(BODIES), FACTS, FACTS, st.booleans()), max_size=9))
def test_each_test_of_a_shape_goes_to_an_earlier_one_that_covers_it(
    rows: list[tuple[str, frozenset[int], frozenset[int], bool]],
) -> None:
    text = "".join(f"def test_{n}():\n{row[0]}\n\n" for n, row in enumerate(rows))
    known = shapes(suite_of("tests", {"tests/test_a.py": text}))
    nodes = list(known)
    prints = {
        node: Footprint(
            node,
            frozenset(("m.py", fact, fact + 1) for fact in row[1]),
            frozenset(("m.py", f"f{fact}", 0) for fact in row[2]),
        )
        for node, row in zip(nodes, rows, strict=True)
    }
    alone = frozenset(node for node, row in zip(nodes, rows, strict=True) if row[3])
    groups = twin_groups(known, prints, lambda node: (nodes.index(node),), alone)

    def covers(other: str, node: str) -> bool:
        like = likeness(known[node], known[other])
        if like in ("copy", "renamed"):
            return True
        seen = prints[node].seen and node not in alone
        return like is not None and seen and prints[node].within(prints[other])

    dropped = {twin.test for group in groups for twin in group.twins}
    left = [node for node in nodes if node not in dropped]
    for node, other in product(left, left):
        if node != other:
            assert not (covers(node, other) and covers(other, node))
    for node in nodes:
        if node in dropped:
            assert any(covers(other, node) for other in left)


def test_a_thousand_of_one_shape_that_do_different_things_all_stay() -> None:
    text = "".join(f"def test_{n}():\n    x = {n}\n    assert f(x)\n\n\n" for n in range(1000))
    known = shapes(suite_of("tests", {"tests/test_a.py": text}))
    prints = {
        node: Footprint(node, frozenset({("m.py", 1, 2), ("m.py", n, -n)}))
        for n, node in enumerate(known)
    }
    assert twin_groups(known, prints, lambda node: (node,), frozenset()) == ()
