"""What changed between two states of a project: runs, reports or commits."""
