"""How written code is laid out."""
