"""Type hints: what they name, the values for them, and which values fit them."""
