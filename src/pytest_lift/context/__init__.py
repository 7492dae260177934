"""Concise context of a function: the definitions that guard its branches, and its uses."""
