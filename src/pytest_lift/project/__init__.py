"""Facts that the files of a project state: packages, settings of pytest, style, git base."""
