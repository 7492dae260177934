"""What is known of the arguments of a program, and what is made of it."""
