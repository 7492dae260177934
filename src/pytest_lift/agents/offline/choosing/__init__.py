"""Which of the cases that the search found become tests, and how they are made readable."""
