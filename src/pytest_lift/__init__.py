"""pytest-lift evolves a pytest suite: run, measure, feed back, rewrite, accept what is better.

PYTEST_DONT_REWRITE: where this package is imported before pytest, it would warn that it cannot be
rewritten, and a project that makes errors of warnings could not be run.
"""

import sys

# pytest rewrites the assertions of each module of an installed plugin. There are none here that a
# user could see, and it compiles everything anew, in each process, where what it compiled cannot
# be kept: in a jail, in an image with PYTHONDONTWRITEBYTECODE, in the first session of all. Where
# pytest works differently inside, this package loads more slowly, no more.
for _finder in sys.meta_path:
    _marked = getattr(_finder, "_must_rewrite", None)
    if isinstance(_marked, set):
        _marked.discard(__name__)
