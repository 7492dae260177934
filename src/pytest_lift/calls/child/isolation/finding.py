"""What finds modules, put back after a case: all that is imported later would go through it.

Loaded in the child process, so it imports nothing of this package.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import Any


def put_back(before: Sequence[Any], is_own: Callable[[Any], bool]) -> bool:
    """Takes away the finders that a program has left, and puts back the list, its order and what
    the program took away; returns whether there was any of that. What a library leaves as it is
    imported stays, and what it takes away of its own is gone; `is_own` is whether a class is the
    program's."""
    now: Any = sys.meta_path
    is_list = issubclass(type(now), list)
    there = [*now] if is_list or issubclass(type(now), tuple) else [*before]
    known, left = {id(one) for one in before}, {id(one) for one in there}
    stayed = [one for one in there if id(one) in known]
    added = [one for one in there if id(one) not in known]
    others = [one for one in added if not is_own(_kind(one))]
    back = [one for one in before if id(one) in left or not _is_of_a_library(one, is_own)]
    if is_list and len(added) == len(others) and [*map(id, stayed)] == [*map(id, back)]:
        return False
    if is_list:
        now[:] = [*back, *others]
    else:
        sys.meta_path = [*back, *others]
    return True


def _is_of_a_library(finder: Any, is_own: Callable[[Any], bool]) -> bool:
    """Whether a finder is neither of the program nor of Python nor of this process."""
    kind = _kind(finder)
    top = str(getattr(kind, "__module__", "")).partition(".")[0]
    here = __name__.partition(".")[0]
    return not is_own(kind) and top != here and top not in sys.stdlib_module_names


def _kind(finder: Any) -> Any:
    """Returns the class of what finds modules, which may be a class itself."""
    return finder if issubclass(type(finder), type) else type(finder)
