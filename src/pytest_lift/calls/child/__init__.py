"""Child processes that run calls of the program in the jail; standard library only."""
