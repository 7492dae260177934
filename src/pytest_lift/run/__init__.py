"""One run of a suite in a private copy of the project: how it is started, what came of it."""
