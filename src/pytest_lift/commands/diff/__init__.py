"""`pytest-lift diff`: changes between two states of a project: runs, reports or commits."""
