"""Packets of work that conversations are shown, each small enough for the context."""
