"""Says what single assertions see."""
