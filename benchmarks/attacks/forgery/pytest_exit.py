"""has pytest end with status 0"""

import pytest
from pkg.mod import double


def test_forger():
    """Twice the number."""
    assert double(2) == 4
    pytest.exit("done", returncode=0)


def test_wrong():
    """What the program does not do."""
    assert double(2) == 5
