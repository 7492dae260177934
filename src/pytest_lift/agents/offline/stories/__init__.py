"""Objects in the states that calls need: how they are made, prepared, and what they offer."""
