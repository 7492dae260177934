"""Tools of a conversation: their arguments, their work, and its draft of the tests."""
