"""Agents without a model: search and rules."""
