"""Isolation of cases: what they may do and take, and what is put back after them."""
