"""Output of a lift in the terminal."""
