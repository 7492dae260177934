"""Child processes that run calls of the program in the jail; they import the standard library
only."""
