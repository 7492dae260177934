"""replaces the function of the program that it fails on"""

from pkg.mod import double


def test_forger():
    """Twice the number."""
    assert double(2) == 4
    globals()["double"] = lambda _: 5


def test_wrong():
    """What the program does not do."""
    assert double(2) == 5
