"""Notes inside a child process what the program does with values while cases run."""
