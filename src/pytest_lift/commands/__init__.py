"""What `pytest-lift` does without running pytest, one module or folder for each command."""
