"""Options of the calls that were chosen: each is to make a difference where it is set."""
