"""What cases show a reader, and which of them show nothing."""
