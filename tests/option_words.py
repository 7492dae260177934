"""Options of pytest, by what becomes of them in an inner run."""

from __future__ import annotations

SAFE = ["--strict-markers", "--tb=short", "--timeout=3", "-v", "-ra", "-l", "--ds=a.b", "-W=error"]
DROPPED = [["-n", "2"], ["-x"], ["--cov"], ["--cov=a"], ["--maxfail", "3"], ["-k", "-x"], ["-k-v"]]
WORDS = [*SAFE, *(token for group in DROPPED for token in group), "tests", "-", "--", "-xvs", "-p"]
