"""Coverage of a run, as coverage.py measured it: figures, lines and branches by test, and gaps."""
