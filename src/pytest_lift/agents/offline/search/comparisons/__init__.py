"""Answers what the program compares in calls by others that turn the comparisons."""
