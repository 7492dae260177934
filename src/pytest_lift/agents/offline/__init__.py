"""Agents that need no model: search and rules."""
