"""Values that functions get, learnt from what happens inside of calls."""
