"""`pytest-lift link`: tests that are there already, and the requirements that they speak for."""
