"""What a lift keeps on disk: the history, the archive of runs, and landing without loss."""
