"""What a conversation can touch: its tools, their arguments, and its draft of the tests."""
