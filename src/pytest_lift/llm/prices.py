"""What tokens cost, as the user says: no list of prices of our own would stay true."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

from pytest_lift.errors import UsageError
from pytest_lift.settings import Prices

_FORM = "model, input, cached input, output (or: model, input, output) per million tokens"


def read_prices(lines: Iterable[str], where: str) -> dict[str, Prices]:
    """Model -> prices, from lines such as ``gpt-5-mini 0.25 0.025 2.00``. Raises UsageError."""
    found = {}
    for line in lines:
        name, *texts = line.split() or [""]
        numbers = [_amount(text) for text in texts]
        if len(numbers) not in (2, 3) or not all(0 <= number < math.inf for number in numbers):
            todo = f"write {_FORM}, such as: gpt-5-mini 0.25 0.025 2.00"
            raise UsageError(f"{line!r} is no price", where=where, todo=todo)
        found[name] = Prices(numbers[0], numbers[-2], numbers[-1])
    return found


def price_of(name: str, prices: Mapping[str, Prices]) -> Prices:
    """Raises UsageError that shows the line to write."""
    if name in prices:
        return prices[name]
    raise UsageError(
        f"the price of {name} is not known",
        where="--lift-max-cost",
        todo=f'say it with --lift-prices="{name} INPUT CACHED OUTPUT" or in the ini file, '
        f"lift_prices = {name} INPUT CACHED OUTPUT, per million tokens",
    )


def _amount(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return math.nan
