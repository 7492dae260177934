"""Links from tests to requirements: marks, fields of docstrings, properties."""
