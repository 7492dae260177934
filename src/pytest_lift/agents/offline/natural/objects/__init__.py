"""Objects in the arguments of calls: plainer ones, and classes that others derive from."""
