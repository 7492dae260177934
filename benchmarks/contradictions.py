"""`make bench-contradictions`: are differences between requirements and programs found and told?

Three sealed packages, 20 requirements each, of which 7, 8 and 6 say something else than the package
does (see contradictions/README.md). Without a model this scores the recorded outcomes of real
trials, `contradictions/trials/<trial>/<package>.json`; with `--model NAME` (and OPENAI_API_KEY or
OPENAI_BASE_URL) it lifts the packages anew. The bars: 85 % of all are reported, none counts as
verified, at most two false ones in all.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path
from typing import Any

from lifting import lift_command

HERE = Path(__file__).resolve().parent / "contradictions"
SEAL = "0d06d458d04d17dc8ababb1f3b868f2bb04d73bc16cb13b43ff10ed2826a4e11"
PACKAGES = ("worktime", "gridtext", "stockroom")
SUSPECTED = ("suspected-defect", "contradicted")
"""How a status is called that says so; the latter in the recorded outcomes."""


def unsealed(folder: Path) -> Path:
    """The archive, unpacked; its truth is checked against the programs."""
    archive = HERE / "sealed.tar.gz"
    found = hashlib.sha256(archive.read_bytes()).hexdigest()
    if found != SEAL:
        raise SystemExit(f"{archive} is not what was sealed: {found}")
    with tarfile.open(archive) as packed:
        packed.extractall(folder, filter="data")
    subprocess.run([sys.executable, "check_truth.py"], cwd=folder, check=True, capture_output=True)
    return folder


def lifted(root: Path, model: str) -> dict[str, Any]:
    command = lift_command("-q", f"--lift-model={model}")
    command += ["--requirements=requirements.yml", "--lift-iterations=4", "--lift-output=land"]
    kept = {k: v for k, v in os.environ.items() if k not in ("CI", "PYTEST_ADDOPTS")}
    subprocess.run(command, cwd=root, env=kept, check=False)
    data: dict[str, Any] = json.loads((root / ".lift/run.json").read_text("utf-8"))
    return data


def score(package: str, truth: dict[str, Any], run: dict[str, Any]) -> dict[str, Any]:
    """Requirements reported against those that were planted."""
    rows = run["trace"]["requirements"]
    planted = {name for name, said in truth["requirements"].items() if said["contradicted"]}
    reported = {row["id"] for row in rows if row["status"] in SUSPECTED}
    verified = {row["id"] for row in rows if row["status"] == "verified"}
    usage = run["usage"].values()
    return {
        "package": package,
        "planted": len(planted),
        "reported": len(planted & reported),
        "settled_for_the_code": sorted(planted & verified),
        "missed": sorted(planted - reported),
        "not_planted": sorted(reported - planted),
        "verified": len(verified),
        "tests": run["tests"],
        "line_percent": run["line_percent"],
        "branch_percent": run["branch_percent"],
        "iterations": run["iterations"],
        "calls": sum(one["calls"] for one in usage),
        "tokens_in": sum(one["prompt_tokens"] for one in usage),
        "tokens_out": sum(one["completion_tokens"] for one in usage),
        "outcome": run["outcome"],
    }


def trials(folder: Path, model: str | None) -> dict[str, dict[str, dict[str, Any]]]:
    """Trial -> package -> run."""
    if model is not None:
        return {"now": {name: lifted(folder / name, model) for name in PACKAGES}}
    return {
        place.name: {
            file.stem: json.loads(file.read_text("utf-8")) for file in place.glob("*.json")
        }
        for place in sorted((HERE / "trials").iterdir())
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model")
    told = parser.parse_args()
    rows = []
    with tempfile.TemporaryDirectory() as name:
        folder = unsealed(Path(name))
        for trial, runs in trials(folder, told.model).items():
            for package, run in runs.items():
                truth = json.loads((folder / "truth" / f"{package}.json").read_text("utf-8"))
                rows.append({"trial": trial, **score(package, truth, run)})
    columns = ("trial", "package", "planted", "reported", "not_planted", "calls", "tokens_in")
    for row in ({name: name for name in columns}, *rows):
        print("  ".join(f"{row[name]!s:<18}" for name in columns))
    together = {}
    for trial in dict.fromkeys(row["trial"] for row in rows):
        mine = [row for row in rows if row["trial"] == trial]
        together[trial] = {
            "planted": sum(row["planted"] for row in mine),
            "reported": sum(row["reported"] for row in mine),
            "settled_for_the_code": sum(len(row["settled_for_the_code"]) for row in mine),
            "not_planted": sum(len(row["not_planted"]) for row in mine),
        }
    print(json.dumps({"bench": "contradictions", "trials": together, "rows": rows}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
