"""Joins planned tests that say alike, and cuts those that say more than their docstrings tell."""
