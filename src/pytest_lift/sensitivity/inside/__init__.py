"""Programs that run inside a probed pytest session. Standard library and pytest only."""
