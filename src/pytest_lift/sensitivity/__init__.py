"""Sensitivity of tests: the program is replaced by stubs while a test runs."""
