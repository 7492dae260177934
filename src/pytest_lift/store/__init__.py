"""Storage of a lift on disk: the history, the archive of runs, and landing without loss."""
