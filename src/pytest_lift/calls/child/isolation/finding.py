"""What finds modules, put back after a case: all that is imported later would go through it.

Loaded in the child process, so it imports nothing of this package.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from operator import is_not
from typing import Any


def put_back(before: Sequence[Any], is_own: Callable[[Any], bool]) -> bool:
    """Takes away the finders that a program has left, and puts back what it took away; returns
    whether there was any of that. What a library has left as it was imported stays; `is_own` is
    whether a class is the program's."""
    now = sys.meta_path
    if len(now) == len(before) and not any(map(is_not, now, before)):
        return False
    known, there = {id(one) for one in before}, {id(one) for one in now}
    added = [one for one in now if id(one) not in known]
    others = [one for one in added if not is_own(_kind(one))]
    if len(others) == len(added) and known <= there:
        return False
    now[:] = [*before, *others]
    return True


def _kind(finder: Any) -> Any:
    """Returns the class of what finds modules, which may be a class itself."""
    return finder if issubclass(type(finder), type) else type(finder)
