"""A worker's child in the jail: what it did is read, and it is known where it died."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from jails import best_jail

from pytest_lift.sandbox.worker import Worker, records

SCRIPT = """\
import json, os, sys, time
from pathlib import Path

job = json.load(open(sys.argv[1]))
with open(job["journal"], "a") as journal:
    for number in job["order"]:
        Path(job["current"]).write_text(f"{number} {number * 10}")
        if number == job.get("dies"):
            os._exit(3)
        if number == job.get("hangs"):
            time.sleep(60)
        home = sorted(os.listdir(os.environ["HOME"]))
        Path(os.environ["HOME"], "left").touch()
        journal.write(json.dumps({"case": number, "home": home, "set": os.environ["SET"]}) + "\\n")
        journal.flush()
    journal.write('{"case": -1}\\n')
"""


@pytest.fixture
def worker(tmp_path: Path) -> Worker:
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    return Worker(script, tmp_path / "folder", tmp_path, best_jail(), (), {"SET": "here"})


def test_a_job_that_is_done_leaves_its_records(worker: Worker) -> None:
    child = worker.run({"order": [1, 2]}, 20.0)
    assert worker.died_at(child) is None
    assert [row["case"] for row in records(worker.journal)] == [1, 2, -1]
    assert next(records(worker.journal)) == {"case": 1, "home": [], "set": "here"}


def test_the_task_that_ends_the_child_is_known(worker: Worker) -> None:
    child = worker.run({"order": [1, 2, 3], "dies": 2}, 20.0)
    assert worker.died_at(child) == (2, 20)
    assert [row["case"] for row in records(worker.journal)] == [1]


def test_each_run_begins_with_nothing(worker: Worker) -> None:
    worker.run({"order": [1, 2], "dies": 2}, 20.0)
    child = worker.run({"order": [7]}, 20.0)
    assert [row["case"] for row in records(worker.journal)] == [7, -1]
    assert next(records(worker.journal))["home"] == []
    assert worker.died_at(child) is None


def test_one_that_runs_out_of_time_died_nowhere(worker: Worker) -> None:
    child = worker.run({"order": [1, 2], "hangs": 2}, 1.5)
    assert child.timed_out
    assert worker.died_at(child) is None


def test_what_is_no_record_is_left_out(tmp_path: Path) -> None:
    lines = ["[1]", "no json", json.dumps({"case": 1}), '{"case": 2', "[" * 100_000]
    (tmp_path / "journal").write_text("\n".join(lines))
    assert list(records(tmp_path / "journal")) == [{"case": 1}]
    assert list(records(tmp_path / "nothing")) == []
