"""What changed between two states of a project: runs, reports or commits.

`states.py` says what a state is and takes it from a report; `commits.py` takes it from git,
statically; `comparing.py` holds two against each other; `printing.py` renders the difference.
"""
