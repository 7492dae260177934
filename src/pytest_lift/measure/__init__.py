"""Run -> figures: what was executed, by which test."""
