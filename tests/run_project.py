"""A project of one module, and its suite as it is run."""

from __future__ import annotations

PASSING = "def test_ok(): pass\n"
