"""Texts of sample reports: a program, a test of it, and what wants to be markup."""

from __future__ import annotations

MARKUP = "</script><img src=x onerror=\"document.title='owned'\"><b>bold</b>"
HOSTILE = (
    MARKUP,
    "\x1b[31mred\x1b[0m \x07 bell",
    "line\u2028separator\u2029paragraph \u202eright to left",
    "lone \ud800 surrogate",
    "W" * 600,
    "-->]]></style></pre></details><!--",
    "{{ 7 * 7 }} {% raise %} &amp; &lt;",
)
"""Texts that want to be markup, terminal codes, or too wide."""

SOURCE = '''\
@pytest.mark.req("CART-2")
@pytest.mark.parametrize("count, total", [(1, 5), (2, 10), (3, 15)])
def test_total_adds_up(count, total):
    """The total is the sum of all lines."""
    cart = Cart()
    for _ in range(count):
        cart.add("apple", price=5)  # whole cents
    assert cart.total() == total, f"after {count}"
'''
PROGRAM = '''\
"""A cart of things to buy."""

from decimal import Decimal


class Cart:
    def __init__(self):
        self.lines = []

    def add(self, name, price, count=1):
        if count < 1:
            raise ValueError(f"count must be positive, not {count}")
        if price < 0:
            raise ValueError("price must not be negative")
        self.lines.append((name, price, count))

    def total(self):
        return sum(price * count for _, price, count in self.lines)

    def discounted(self, percent):
        if percent > 50 and not self.lines:
            return Decimal(0)
        share = Decimal(100 - percent) / 100
        for name, _, count in self.lines:
            if count > 10:
                share *= Decimal("0.95")
                break
        return self.total() * share


def main():
    print(Cart().total())


if __name__ == "__main__":
    main()
'''
TESTS = "tests/test_cart.py"
