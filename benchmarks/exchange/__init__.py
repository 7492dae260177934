"""What other tools make of our files, and we of theirs: a sample project and a check per tool."""
