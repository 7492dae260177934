"""Commands of `pytest-lift`, which do not run pytest: one module or folder for each."""
