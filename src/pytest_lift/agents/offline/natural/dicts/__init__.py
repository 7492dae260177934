"""Dicts as people write them: the keys that a program looks up, and those that it holds."""
