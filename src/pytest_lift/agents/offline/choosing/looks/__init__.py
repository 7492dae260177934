"""What tests look at beside results: what calls change, and what objects show of themselves."""
