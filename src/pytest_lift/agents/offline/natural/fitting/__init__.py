"""Whether arguments fit their parameters."""
