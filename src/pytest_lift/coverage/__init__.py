"""What coverage.py measured in a run: figures, lines and branches by test, and what is missed."""
