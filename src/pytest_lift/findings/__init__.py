"""What is wrong with a suite, ranked, and the feedback files that say so."""
