"""What a child process noted while cases ran, as values: command lines, comparisons, arguments."""
