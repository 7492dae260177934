"""Requirements x results of tests -> which requirement is verified, by what, and what doubts it."""
