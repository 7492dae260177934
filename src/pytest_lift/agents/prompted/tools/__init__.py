"""Tools of a conversation: their arguments, their implementation, and its draft of the tests."""
