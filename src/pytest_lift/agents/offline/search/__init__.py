"""Search for calls that reach code that no test executes."""
