"""What a test gives and does: all of it is to play a part in what is asserted in the end."""
