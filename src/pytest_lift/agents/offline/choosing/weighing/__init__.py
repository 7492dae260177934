"""Leaves out chosen cases that are not worth a test."""
