"""A program whose tests take its branches one by one, measured for real."""

from __future__ import annotations

HEAD = "import pytest\nfrom pkg import mod\nfrom pkg.mod import sign\n\n\n"
UP = "def test_up():\n    number = sign(3)\n    assert number == 1\n\n\n"
TEN = "".join(
    UP.replace("3", str(n + 1)).replace("_up", f"_up_{n}").replace("number", f"n{n}")
    for n in range(10)
)
