"""Calls of the program: what can be called, and running such calls in the jail with probes."""
