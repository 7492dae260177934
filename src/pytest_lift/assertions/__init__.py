"""Checks of a test and the origins of their values, as far as its text shows."""
