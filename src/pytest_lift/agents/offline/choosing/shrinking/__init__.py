"""Makes cases smaller and plainer as long as they reach the same."""
