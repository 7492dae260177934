"""Targets: the callables of the program that a test may use, and how each is called."""
