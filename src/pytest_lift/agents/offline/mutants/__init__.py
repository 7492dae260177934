"""A search for calls that tell surviving mutants from the program."""
