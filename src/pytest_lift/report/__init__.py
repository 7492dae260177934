"""What is known, printed: Markdown for feedback files, JSON for programs, lines for terminals."""
