"""Shows options of functions where setting them makes a difference."""
