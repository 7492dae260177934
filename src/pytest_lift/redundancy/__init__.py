"""What each test adds that no other does: near-duplicates, merging, minimising."""
