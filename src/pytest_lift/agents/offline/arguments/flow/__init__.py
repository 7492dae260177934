"""Types of the values that flow from the calls in a program to parameters without a hint."""
