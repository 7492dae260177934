"""The lift in the terminal."""
