"""Candidates that spoil a suite or fake its figures, and a plain look at what they leave."""
