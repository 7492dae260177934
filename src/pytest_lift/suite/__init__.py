"""Test files as a value: their tests, who owns each, and edits that keep every other byte."""
