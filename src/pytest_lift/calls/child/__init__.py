"""What runs calls of the program inside the jail. Standard library and each other only."""
