"""A worker's child in the jail: what it did is read, and it is known where it died."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jails import best_jail

from pytest_lift.sandbox.worker import LiveWorker, Worker, records

SCRIPT = """\
import json, marshal, os, sys, time
from pathlib import Path

job = marshal.load(open(sys.argv[1], "rb"))
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


LIVING = """\
import json, marshal, os, sys
place = sys.argv[1]
number = ""
while True:
    job = marshal.load(open(place + number, "rb"))
    open(job["current"], "w").write(str(job["order"][0]))
    if job.get("dies"):
        os._exit(3)
    if job.get("hangs"):
        while True:
            os.write(3, b"0")
    with open(job["journal"], "a") as journal:
        record = {"case": job["order"][0], "pid": os.getpid(), "first": "first" in job}
        journal.write(json.dumps({**record, "kept": number}) + "\\n")
    os.write(3, b"%d\\n" % job["number"])
    number = os.read(3, 100).decode().strip()
    if not number:
        break
"""


@pytest.fixture
def live(tmp_path: Path) -> Iterator[LiveWorker]:
    script = tmp_path / "living.py"
    script.write_text(LIVING)
    made = LiveWorker(Worker(script, tmp_path / "folder", tmp_path, best_jail()))
    yield made
    made.close()


def done(live: LiveWorker, **job: Any) -> list[dict[str, Any]]:
    live.give(job, {"first": 1})
    assert live.wait(20.0) is None
    return list(records(live.journal))


def test_a_child_that_stays_alive_does_one_job_after_another(live: LiveWorker) -> None:
    (first,), (second,) = done(live, order=[1]), done(live, order=[2])
    assert (first["first"], second["first"], second["case"]) == (True, False, 2)
    assert second["kept"] == "2"
    assert len([*live.worker.folder.glob("job*")]) == 1  # of those done nothing is left


def test_where_a_child_died_another_one_begins(live: LiveWorker) -> None:
    done(live, order=[1])
    live.give({"order": [7], "dies": True}, {})
    assert live.wait(20.0) == (7,)
    assert done(live, order=[8])[0]["first"]


def test_one_that_says_much_and_does_nothing_is_ended(live: LiveWorker) -> None:
    live.give({"order": [1], "hangs": True}, {})
    began = time.monotonic()
    assert live.wait(1.0) is None
    assert time.monotonic() - began < 10
    assert done(live, order=[8])[0]["first"]
