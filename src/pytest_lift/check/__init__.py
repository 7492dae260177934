"""`pytest-lift check`: the links between tests and requirements, by reading alone.

Nothing of the project is imported and nothing is run, so that it may stand in front of every
commit. How data flows:

| step | file |
|---|---|
| what was asked for | `command.py`, with `pytest_lift.project.option_values` |
| read | `project.py`: requirements (`known.py`), test files (`reading.py`) |
| read once | `files/content_cache.py`, `reading.py`: rows of files that have not changed |
| read of git | `files/git.py`: the test files as they were; by `files/git.py` |
| judge | `checking.py`: the rules; `project.py`: lost links; `known.py`: what was meant |
| found | `problems.py`: the findings as values |
| mend | `fixing.py`: a literal at a time; `baseline.py`: known problems |
| tell | `output.py`: text, JSON, GitHub, SARIF; to standard output, or a file |
"""
