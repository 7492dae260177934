"""Conversations with a model: endpoints, tools as text, budgets, prices and recordings."""
