"""Redundancy of a suite: the unique contribution of each test, near-duplicates, merging,
minimising."""
