"""What cases do before the call that they show."""
