"""`make bench-offline`: ten packages that the search was made with, lifted from no tests.

``--names a,b``: others; ``--folder DIR``: each folder in DIR; ``--seeds 5``: five lifts of each.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from untested import Plan, Row, figures_of, print_rows, rows_of

KNOWN = (
    "simplejson python-slugify thefuzz toolz more-itertools semver tomli humanize inflection "
    "jmespath"
).split()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--names", default=",".join(KNOWN))
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--seeds", type=int, default=1, help="lifts of each program")
    parser.add_argument("--mutants", action="store_true", help="with the extra `mutation`")
    parser.add_argument("--keep", type=Path, help="folder for the programs with their tests")
    options = parser.parse_args()
    seeds = tuple(range(1, options.seeds + 1))
    plan = Plan(options.seconds, seeds, options.keep, options.mutants)
    rows: list[Row] = []
    if options.folder is not None:
        for source in sorted(path for path in options.folder.iterdir() if path.is_dir()):
            rows += rows_of("folder", source.name, plan, source)
    else:
        for name in options.names.split(","):
            rows += rows_of("known" if name in KNOWN else "named", name, plan, None)
    print_rows(rows)
    figures = figures_of("offline", rows, plan)
    print(json.dumps(figures))
    return int(bool(figures["crashed"] or figures["failing"]))


if __name__ == "__main__":
    sys.exit(main())
