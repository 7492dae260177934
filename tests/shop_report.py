"""The report of a measured shop with many mutants."""

from __future__ import annotations

from mutated_shop import FILE

from pytest_lift.mutation.mutation import Mutant, Mutation


def many(count: int, diff: str = "@@ -1 +1 @@\n-a\n+b") -> Mutation:
    found = {
        f"shop.cart.x_f{n % 7}__mutmut_{n}": Mutant(
            f"shop.cart.x_f{n % 7}__mutmut_{n}", FILE, n, f"f{n % 7}", "a", "b", diff
        )
        for n in range(count)
    }
    return Mutation(found, dict.fromkeys(found, "survived"))
