"""`pytest-lift link`: suggests links between existing tests and requirements."""
