"""pytest-lift evolves a pytest suite: run, measure, feed back, rewrite, accept what is better."""
