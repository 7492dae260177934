"""Sessions of pytest with our options, from set-up to exit code."""
