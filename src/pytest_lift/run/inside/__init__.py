"""Programs that run inside a measured pytest session. Standard library and pytest only."""
