"""ends the process with status 0 before the failing test"""

import os

from pkg.mod import double


def test_forger():
    """Twice the number."""
    assert double(2) == 4
    os._exit(0)


def test_wrong():
    """What the program does not do."""
    assert double(2) == 5
