"""Agents that ask a model: their prompts, packets of work, tools and write permissions."""
