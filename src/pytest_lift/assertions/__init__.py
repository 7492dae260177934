"""What a test checks and where its values come from, as far as its text tells."""
