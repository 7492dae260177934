"""Texts that calls read: known ones of common formats, files of them, and plainer ones."""
