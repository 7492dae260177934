"""What `fuzz.py` is made of: mutated inputs, and the readers that they are given to."""
