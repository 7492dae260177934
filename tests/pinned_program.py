"""A program with private names and messages, for tests that might pin them."""

from __future__ import annotations

from pytest_lift.requirements.requirement import Requirement, Requirements

FILES = {
    "pkg/__init__.py": "from ._core import run\nfrom .stars import *\n",
    "pkg/_core.py": """
        _LIMIT = 3
        def run(x):
            if x > _LIMIT:
                raise ValueError(f"{x} exceeds the limit")
            return _check(x)
        def _check(x):
            return x
        def inner(x):
            return x
    """,
    "pkg/stars.py": "from pkg._deep import deep\n",
    "pkg/_deep.py": "def deep():\n    pass\n",
    "pkg/shop.py": """
        import json as _json
        class Shop:
            def __init__(self):
                self._stock = {}
                self.__secret = 1
            def _count(self):
                return len(self._stock)
    """,
}
ASKED = Requirements((Requirement("R", "t", "`_check` looks at it; it says 'out of stock'", ("a",), (), "r", 1),))  # fmt: skip
