"""What runs inside a probed pytest session. Standard library and pytest only."""
