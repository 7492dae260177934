"""A suite with everything that is measured about it: runs, coverage, faults, strength."""
