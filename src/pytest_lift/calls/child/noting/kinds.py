"""Tells that the object of a case is of another class than the one whose method the case is about.

Loaded in the child process, so it imports nothing of this package but its neighbours.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Any


def is_of_another_class(value: Any, symbol: str, modules: Iterable[str]) -> bool:
    """Whether a value is none of the class of a method, which some modules have by its name: a
    function may give an object of any class below the one that it says. What hands on whatever it
    is asked for stands for an object of another class."""
    owner, _, method = symbol.rpartition(".")
    name, kinds = owner.rpartition(".")[2], type(value).__mro__
    if not name or method in ("__init__", "__new__"):
        return False
    if any(one.__name__ == name or "__getattr__" in vars(one) for one in kinds):
        return False
    known = (getattr(sys.modules.get(one), "__dict__", {}).get(name) for one in modules)
    found = [one for one in known if isinstance(one, type)]
    return bool(found) and not any(one in kinds for one in found)
