"""Options that spare a child pytest the plugins of the developer's environment.

hypothesis and anyio take most of the time in which pytest starts, and the small projects of the
tests use neither.
"""

OPTIONS = ("-p", "no:hypothesispytest", "-p", "no:anyio")
"""For the command line, `addopts` or, joined by spaces, PYTEST_ADDOPTS."""
