"""The demo: simplejson 3.20.1 without its tests, lifted from nothing against requirements.yml."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

VERSION = "3.20.1"
HERE = Path(__file__).resolve().parent
SCRATCH = HERE.parents[1] / ".demo"
PROJECT = SCRATCH / "simplejson"
LEFT_OUT = ("simplejson/tests", "simplejson/_speedups.c", "simplejson.egg-info", "scripts")
SUMMARY = "outcome iterations tests line_percent branch_percent requirements seconds".split()


def main() -> int:
    prepare()
    command = [sys.executable, "-m", "pytest", "--lift", "--requirements", "requirements.yml"]
    command += ["--lift-max-minutes=1.2", "--lift-output=land", *sys.argv[1:]]
    print(f"in {PROJECT}:\n$ pytest {' '.join(command[3:])}", flush=True)
    status = subprocess.run(command, cwd=PROJECT, check=False).returncode
    run = json.loads((PROJECT / ".lift" / "run.json").read_text("utf-8"))
    print(json.dumps({key: run[key] for key in SUMMARY}))
    return status


def prepare() -> None:
    """A fresh folder with the package's sources and documentation and no tests at all."""
    shutil.rmtree(PROJECT, ignore_errors=True)
    with tarfile.open(fetched()) as archive:
        archive.extractall(SCRATCH, filter="data")
    (SCRATCH / f"simplejson-{VERSION}").rename(PROJECT)
    for path in LEFT_OUT:
        target = PROJECT / path
        shutil.rmtree(target) if target.is_dir() else target.unlink()
    shutil.copy(HERE / "requirements.yml", PROJECT)
    (PROJECT / "pytest.ini").write_text("[pytest]\n", "utf-8")


def fetched() -> Path:
    """The sdist, downloaded once."""
    archive = SCRATCH / "download" / f"simplejson-{VERSION}.tar.gz"
    if not archive.exists():
        command = [sys.executable, "-m", "pip", "download", "-q", "--no-deps"]
        command += ["--disable-pip-version-check", "--no-binary", "simplejson"]
        command += ["-d", str(archive.parent), f"simplejson=={VERSION}"]
        subprocess.run(command, check=True, env={**os.environ, "DISABLE_SPEEDUPS": "1"})
    return archive


if __name__ == "__main__":
    sys.exit(main())
