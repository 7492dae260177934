"""Tells errors that an argument of a call raises before the call is entered.

Loaded in the child process, so it imports nothing of this package but its neighbours.
"""

from __future__ import annotations

import ast
from itertools import islice

Place = tuple[int | None, int | None, int | None, int | None]
"""First and last line, first and last column."""


def is_raised_by_an_argument(error: BaseException, source: str, symbol: str, file: str) -> bool:
    """Whether an error of a step, whose code is of a file, was raised by what makes an argument of
    the call of a symbol, not by that call: ``box.put(Lid(-1))`` where there is no such lid."""
    place = _place(error, file)
    if place is None or _is_entered(error, symbol):
        return False
    owner, _, name = symbol.rpartition(".")
    called = owner.rpartition(".")[2] if name == "__init__" else name
    calls = [one for one in ast.walk(ast.parse(source)) if isinstance(one, ast.Call)]
    # Of an object that is called, and of a class derived from that of the symbol, the outermost.
    named = [one for one in calls if _leaf(one) == called] or calls[:1]
    if any(_range(one) == place for one in named):
        return False
    given = (each for one in named for each in _given(one))
    return any(_holds(_range(each), place) for each in given)


def _is_entered(error: BaseException, symbol: str) -> bool:
    """Whether an error was raised in the function of a symbol, or in what that calls."""
    frame = error.__traceback__
    while frame is not None:
        if frame.tb_frame.f_code.co_qualname in (symbol, f"{symbol}.__init__"):
            return True
        frame = frame.tb_next
    return False


def _place(error: BaseException, file: str) -> Place | None:
    """Returns what of a step was executed as an error was raised."""
    frame = error.__traceback__
    while frame is not None and frame.tb_frame.f_code.co_filename != file:
        frame = frame.tb_next
    if frame is None:
        return None
    found = next(islice(frame.tb_frame.f_code.co_positions(), frame.tb_lasti // 2, None), None)
    return None if found is None or None in found else found


def _given(call: ast.Call) -> tuple[ast.expr, ...]:
    return (*call.args, *(one.value for one in call.keywords))


def _range(node: ast.expr) -> Place:
    return node.lineno, node.end_lineno, node.col_offset, node.end_col_offset


def _holds(outer: Place, inner: Place) -> bool:
    """Whether one place is in another one, both of which are known."""
    first, last, left, right = (one or 0 for one in outer)
    begin, end, start, stop = (one or 0 for one in inner)
    return (first, left) <= (begin, start) and (end, stop) <= (last, right)


def _leaf(call: ast.Call) -> str:
    """Returns the last name of what is called."""
    function = call.func
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""
