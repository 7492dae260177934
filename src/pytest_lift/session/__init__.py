"""Sessions of pytest with our options: set up, lifted or traced, reported, ended."""
