"""What keeps a proposed test from running, told without running it."""
