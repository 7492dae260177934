"""What runs inside a measured pytest session: the recorder. Standard library and pytest only."""
