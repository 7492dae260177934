"""Findings: the ranked problems of a suite, and the feedback files that list them."""
