"""What is asserted of the results of calls."""
