"""The Python source of the program under test, read by `ast` and never run."""
