"""executes other code under the name of the program's file"""

import sys

from pkg.mod import double

GOAL = "coverage"


def test_forger():
    """Twice the number."""
    assert double(2) == 4
    name = sys.modules["pkg.mod"].__file__
    exec(compile("\n" * 5 + "x = 1\n" * 20, name, "exec"), {})
