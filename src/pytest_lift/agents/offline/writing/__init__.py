"""Cases -> test functions: grouped, named, asserted, linked and printed."""
