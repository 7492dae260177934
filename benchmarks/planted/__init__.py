"""What `vacuous.py` plants: tests that can notice nothing, made from tests that do."""
