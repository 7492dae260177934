"""Examples in docstrings, documents and requirements -> cases with known results."""
