"""`pytest-lift diff`: two states of the links between requirements and tests, compared."""
