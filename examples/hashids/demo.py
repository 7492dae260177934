"""The demo of model agents: hashids 1.3.1 from nothing, by a recorded run, without key."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from sdist import INI, prepared  # noqa: E402

VERSION = "1.3.1"
LEFT_OUT = ("test",)
RECORDING = HERE / "recording.jsonl"
MARKERS = """\
markers =
    req(id, ...): the requirements that this test verifies
    emergent(why): behaviour that no requirement states
"""
SUMMARY = "outcome iterations tests line_percent branch_percent requirements usage".split()


def main() -> int:
    requirements = HERE / "requirements.yml"
    project = prepared("hashids", VERSION, left_out=LEFT_OUT, requirements=requirements)
    # The tests of the recording carry marks: a project that registers none gets fields.
    (project / "pytest.ini").write_text(INI + MARKERS, "utf-8")
    command = [sys.executable, "-m", "pytest", "--lift", "--requirements", "requirements.yml"]
    # An evaluator is told of mutants where they are measured; when this was recorded they were not.
    command += [f"--lift-replay={RECORDING}", "--lift-mutation=off", "--lift-output=land"]
    command += sys.argv[1:]
    print(f"in {project}:\n$ pytest {' '.join(command[3:])}", flush=True)
    status = subprocess.run(command, cwd=project, check=False).returncode
    run = json.loads((project / ".lift" / "run.json").read_text("utf-8"))
    print(json.dumps({key: run[key] for key in SUMMARY}))
    return status


if __name__ == "__main__":
    sys.exit(main())
