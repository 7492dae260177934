"""What a conversation is shown: the work of a phase, cut into packets that fit the context."""
