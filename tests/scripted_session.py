"""A test of the user's, and agents that add one more by script."""

from __future__ import annotations

USERS = """
    from thing import label

    def test_mine():
        assert label("a") == "a"
"""
FOUND = '''\
"""Tests of thing."""

import pytest

from thing import double


@pytest.mark.req("R-1")
def test_doubles():
    """Doubles a number."""
    assert double(21) == 42
'''
ONE = "--lift-iterations=1"
