"""Unique contribution of each test, near-duplicates, merging and minimising of tests."""
