"""Jail for code that the user did not write: child processes, each with a supervisor."""
