"""Mutants of sample reports: changes of a small program as facts, few, hostile and many."""

from __future__ import annotations

import difflib
from dataclasses import replace

from sample_texts import HOSTILE, MARKUP, PROGRAM, TESTS

from pytest_lift.mutation.mutation import Interval
from pytest_lift.report.mutant_facts import (
    FunctionMarks,
    MutantFile,
    MutationFacts,
    Survivor,
    VerdictCount,
)

CHANGES = (
    ("count < 1", "count <= 1", "Cart.add", "call it with a count of 1, and expect no error"),
    ("if price < 0", "if price <= 0", "Cart.add", "add a line that costs 0"),
    ("price must not be negative", "XXprice must not be negativeXX", "Cart.add", ""),
    ("self.lines.append((name, price, count))", "self.lines.append(None)", "Cart.add", ""),
    ("percent > 50 and", "percent > 50 or", "Cart.discounted", "a discount over 50 of a full cart"),
    ("Decimal(100 - percent) / 100", "Decimal(100 + percent) / 100", "Cart.discounted", ""),
    ("count > 10", "count >= 10", "Cart.discounted", "exactly 10 of one kind"),
    ("                break\n", "                return\n", "Cart.discounted", ""),
)
"""(text of `PROGRAM`, what a mutant has there, function, what an assertion would have to see)"""


def hunk(source: str, old: str, new: str) -> str:
    """A mutant of `source` as mutmut's own diff shows it."""
    lines = source.splitlines(), source.replace(old, new, 1).splitlines()
    return "\n".join(difflib.unified_diff(*lines, "cart.py", "cart.py", lineterm=""))


def survivor(nth: int, old: str, new: str, symbol: str, todo: str = "") -> Survivor:
    return Survivor(
        f"shop.cart.x_{symbol}__mutmut_{nth}",
        PROGRAM[: PROGRAM.index(old)].count("\n") + 1,
        symbol,
        hunk(PROGRAM, old, new),
        f"{nth:010x}",
        ("CART-2", "CART-4") if symbol == "Cart.add" else ("CART-3",),
        (f"{TESTS}::test_discount", f"{TESTS}::test_total_adds_up"),
        2 + nth,
        "an error message changes, and nothing else" if "XX" in new else "",
        todo,
    )


def small_mutation() -> MutationFacts:
    """Every verdict, a sample, a file with nothing to change, and what is not told."""
    found = tuple(survivor(n, *change) for n, change in enumerate(CHANGES, 1))
    bare = Survivor("shop.huge.x_f__mutmut_3", 2, "f", "", executed_by=0)
    cart = MutantFile("src/shop/cart.py", 40, 24, 15, 8, 1, 9, found, (
        FunctionMarks("Cart.add", ("aaaaaaaaaa",), tuple(one.mark for one in found[:4])),
    ))  # fmt: skip
    return MutationFacts(
        62.5,
        48,
        32,
        20,
        9,
        sampled=True,
        interval=Interval(51.3, 72.5),
        counts=(
            VerdictCount("killed", 17),
            VerdictCount("timed-out", 2),
            VerdictCount("crashed", 1),
            VerdictCount("survived", 9),
            VerdictCount("untested", 3),
            VerdictCount("excluded", 2),
        ),
        left_alone=21,
        files=(
            cart,
            MutantFile("src/shop/huge.py", 8, 8, 5, 1, 2, 4, (bare,)),
            MutantFile("src/shop/settings.py", 0, 0, 0, 0, 0, 8),
        ),
        notes=("The time for mutants was up after 32 of 48: what was measured is a sample.",),
        seconds=41.0,
    )


def hostile_mutation() -> MutationFacts:
    found = small_mutation()
    mean = tuple(
        Survivor(MARKUP, n, text, f"@@ -1,2 +1,2 @@\n {text}\n-{text}x\n+{text}y", text, (text,), (text,), 3, text, text)
        for n, text in enumerate(HOSTILE)
    )  # fmt: skip
    file = MutantFile(MARKUP, 9, 9, 2, 7, 0, 1, mean, (FunctionMarks(MARKUP, (MARKUP,)),))
    return replace(found, files=(file, *found.files), notes=HOSTILE)


def big_mutation(count: int) -> MutationFacts:
    found = [
        replace(
            survivor(n, *CHANGES[n % len(CHANGES)]),
            requirements=(f"REQ-{n % 100}",),
            tests=tuple(f"tests/part_0/test_module_0.py::test_requirement_{i}_holds_in_case_{i}" for i in range(8)),
        )
        for n in range(count)
    ]  # fmt: skip
    of_file = [found[n::100] for n in range(100)]
    return MutationFacts(
        81.4,
        count * 6,
        count * 5,
        count * 4,
        count,
        sampled=True,
        interval=Interval(80.1, 82.6),
        counts=(VerdictCount("killed", count * 4), VerdictCount("survived", count)),
        files=tuple(
            MutantFile(f"src/warehouse/m{n}.py", 120, 100, 80, len(each), 0, 5, tuple(each))
            for n, each in enumerate(of_file)
        ),
    )
