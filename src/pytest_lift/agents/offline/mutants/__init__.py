"""Search for calls that kill surviving mutants."""
