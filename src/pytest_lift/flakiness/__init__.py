"""Tests whose outcome depends on the order, and the tests that spoil them."""
