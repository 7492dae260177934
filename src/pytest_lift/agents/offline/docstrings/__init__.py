"""Docstrings of tests: what each has to say, and sentences that say it."""
