"""The part of a program that one lift is about."""
