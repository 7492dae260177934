"""Trees of Python for parameters that take nodes of the `ast` module."""
