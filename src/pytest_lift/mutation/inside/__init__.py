"""Programs that run inside the processes of mutmut. Standard library, pytest and mutmut only."""
