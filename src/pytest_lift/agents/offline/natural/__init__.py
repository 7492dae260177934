"""What a person would type, and how far calls are from that."""
