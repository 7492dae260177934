"""Packets of work for conversations, each small enough for the context."""
