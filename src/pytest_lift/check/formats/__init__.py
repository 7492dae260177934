"""Findings of the check as text, JSON, SARIF and annotations of GitHub."""
