"""Turns cases into test functions: groups, names, assertions, links and their text."""
