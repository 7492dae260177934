"""The demo: simplejson 3.20.1 without its tests, lifted from nothing against requirements.yml;
with ``--prose`` against prose.yml, which states no value that a test could be held to by itself."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from sdist import SCRATCH, prepared  # noqa: E402

VERSION = "3.20.1"
PROJECT = SCRATCH / "simplejson"
LEFT_OUT = ("simplejson/tests", "simplejson/_speedups.c", "simplejson.egg-info", "scripts")
SUMMARY = "outcome iterations tests line_percent branch_percent requirements seconds".split()


def main() -> int:
    requirements = "prose.yml" if "--prose" in sys.argv[1:] else "requirements.yml"
    prepare(requirements)
    command = [sys.executable, "-m", "pytest", "--lift", "--requirements", requirements]
    command += ["--lift-max-minutes=1.4", "--lift-mutation-minutes=0.6", "--lift-output=land"]
    command += [option for option in sys.argv[1:] if option != "--prose"]
    print(f"in {PROJECT}:\n$ pytest {' '.join(command[3:])}", flush=True)
    status = subprocess.run(command, cwd=PROJECT, check=False).returncode
    run = json.loads((PROJECT / ".lift" / "run.json").read_text("utf-8"))
    print(json.dumps({key: run[key] for key in SUMMARY}))
    return status


def prepare(name: str = "requirements.yml") -> None:
    requirements = HERE / name
    prepared("simplejson", VERSION, left_out=LEFT_OUT, requirements=requirements)


if __name__ == "__main__":
    sys.exit(main())
