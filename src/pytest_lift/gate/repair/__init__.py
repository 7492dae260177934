"""Mechanical repairs of proposed tests: what keeps them from running, never what they assert."""
