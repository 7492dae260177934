"""Examples in docstrings, documents and requirements, read as cases with known results."""
