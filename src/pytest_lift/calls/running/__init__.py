"""Children in which the program runs: what they are given, and what they tell."""
