"""Where code that the user did not write is run: children in a jail, each with a supervisor."""
