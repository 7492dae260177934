"""mutmut as an adapter drives it: its folder, its settings, its runs and its results."""
