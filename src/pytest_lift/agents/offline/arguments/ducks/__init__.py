"""Objects that have what the code reads of a parameter: of its class in a library, or of none."""
