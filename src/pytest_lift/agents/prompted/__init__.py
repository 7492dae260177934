"""Agents that ask a model: prompts, packets of work, tools, and what they may write."""
