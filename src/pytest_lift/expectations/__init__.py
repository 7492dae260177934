"""Statements of requirement texts about calls, and whether a test asserts them."""
