"""Texts for people: words for figures, secrets left out, control characters spelled out, diffs."""
