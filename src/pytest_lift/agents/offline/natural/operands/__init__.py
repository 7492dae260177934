"""Values that hide what a call does, and those that show it."""
