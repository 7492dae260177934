"""Requirements as values, and the readers of the files that they stand in."""
