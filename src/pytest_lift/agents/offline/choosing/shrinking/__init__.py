"""Smaller steps than a call: what several arguments of it have in common."""
