"""Reports: a `Report` as a value, its formats, and the terminal."""
