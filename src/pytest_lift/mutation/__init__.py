"""Mutants of the program, and which of them a suite detects; mutmut makes and runs them.

The figure is the mutation score as the field defines it (DeMillo, Lipton and Sayward 1978; Jia and
Harman 2011): the share of mutants that make at least one test fail or hang.
"""
