"""Describes inside a child process what values are and what they show."""
