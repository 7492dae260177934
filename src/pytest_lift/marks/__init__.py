"""How a test says which requirements it is about: marks, fields of docstrings, properties."""
