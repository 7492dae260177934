"""jumps over the failing assertion by a trace function"""

import sys

from pkg.mod import double


def trace(frame, event, _):
    if frame.f_code.co_name == "test_wrong" and event == "line":
        frame.f_lineno = frame.f_code.co_firstlineno + 3
    return trace


def test_forger():
    """Twice the number."""
    assert double(2) == 4
    sys.settrace(trace)


def test_wrong():
    """What the program does not do."""
    assert double(2) == 5
    return
