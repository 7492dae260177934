"""What the sentences of a requirement state of calls, and whether a test asserts it."""
