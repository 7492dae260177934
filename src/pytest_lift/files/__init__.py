"""Files on a disk that others use, too: read without trust, written whole or not at all."""
