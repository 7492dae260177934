"""What `marking.py` is made of: a suite marked by script, the truth about it, and the comparison.

Nothing here uses what pytest-lift knows of marks, except `comparing.py`, which asks it.
"""
