"""Sections of packets on what the run knows already: expectations, contradictions, notes."""
