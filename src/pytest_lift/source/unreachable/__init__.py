"""Lines of a program that cannot run here."""
