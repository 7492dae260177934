"""What a project says of itself in its files: packages, settings of pytest, style."""
