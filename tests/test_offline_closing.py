"""An object that has begun a thread is closed after the call, and is looked at before that."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

from begun_search import search_of
from jails import best_jail
from offline_program import targets_of, tried, write_program

from pytest_lift.agents.offline.arguments.inputs import Inputs
from pytest_lift.agents.offline.search.surroundings.needs import KnownNeeds
from pytest_lift.agents.offline.texts.contents import Contents
from pytest_lift.calls.call import Call, as_line
from pytest_lift.calls.drafting import as_case
from pytest_lift.calls.names import Resolver
from pytest_lift.calls.prober import Prober
from pytest_lift.calls.targets.finding import find_targets

WORK = """
    import sqlite3
    import threading


    class Worker:
        def __init__(self):
            self._jobs = []
            self._open = threading.Event()
            self._thread = threading.Thread(target=self._open.wait, daemon=True)
            self._thread.start()

        def add(self, job):
            self._jobs.append(job)
            return len(self._jobs)

        def close(self):
            self._jobs.clear()
            self._open.set()
            self._thread.join()


    class Block:
        def __enter__(self):
            return self

        def __exit__(self, *error):
            return None

        def size(self):
            return 1


    def worker():
        return Worker()


    def block():
        return Block()


    def rows(path):
        with sqlite3.connect(path) as base:
            return base.execute("SELECT 1").fetchall()
"""


def test_a_call_that_left_a_thread_closes_its_object(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"work.py": WORK})
    targets = {t.symbol: t for t in find_targets(program, Resolver(program))}
    rng = random.Random(1)
    known = KnownNeeds(Inputs(program, rng), Contents(program, rng), rng)
    adding = Call(
        targets["Worker.add"], (("job", "1"),), receiver=Call(targets["worker"]), name="worker"
    )
    assert not known.around(adding).closed
    assert known.heed(targets["worker"], "thread")
    assert not known.heed(targets["worker"], "thread")  # no news
    assert {known.around(adding).closed for _ in range(20)} == {"close", ""}
    closing = adding.but(target=targets["Worker.close"], values=())
    assert not known.around(closing).closed
    seen = tried(program, tmp_path, adding.but(closed="close"))
    assert seen[0] == ("worker = worker()\nresult = worker.add(1)\nworker.close()\nresult\nworker")
    assert (seen[1].outcomes[0].source, seen[1].rejected) == ("1", "")
    assert tried(program, tmp_path, adding)[1].rejected == "thread"


def test_seconds_are_not_counted_in_a_loop_where_others_may_sleep(tmp_path: Path) -> None:
    text = """
        import time


        class Poll:
            def once(self):
                time.sleep(60)
                return True
    """
    program = write_program(tmp_path, {"poll.py": text})
    targets = {t.symbol: t for t in find_targets(program, Resolver(program))}
    rng = random.Random(1)
    known = KnownNeeds(Inputs(program, rng), Contents(program, rng), rng)
    known.heed(targets["Poll.once"], "timeout")
    once = Call(targets["Poll.once"], receiver=Call(targets["Poll"]), name="poll")
    assert any(one.slept for one in (known.around(once) for _ in range(20)))
    known.heed(targets["Poll.once"], "RuntimeError: no running event loop (poll.py:1)")
    calls = [one for one in (known.around(once) for _ in range(20)) if one.awake]
    assert {(one.looped, one.slept) for one in calls} == {(True, False)}


def test_a_context_manager_that_has_no_other_end_is_entered(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"work.py": WORK})
    targets = targets_of(program, tmp_path)
    rng = random.Random(1)
    known = KnownNeeds(Inputs(program, rng), Contents(program, rng), rng)
    known.heed(targets["Block.size"], "thread")
    size = Call(targets["Block.size"], receiver=Call(targets["block"]), name="entered")
    (call,) = {one for _ in range(20) if (one := known.around(size)).entered}
    case = as_case(call, Resolver(program))
    assert case is not None
    assert case.source.startswith("with block() as entered:\n    result = entered.size()")


def test_the_state_of_an_object_is_that_before_it_is_closed(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"work.py": WORK})
    targets = targets_of(program, tmp_path)
    once = Call(
        targets["Worker.add"], (("job", "1"),), receiver=Call(targets["Worker"]), name="worker",
        closed="close",
    )  # fmt: skip
    cases = [
        as_case(one, Resolver(program)) for one in (once, replace(once, before=(as_line(once),)))
    ]
    prober = Prober(tmp_path, program, best_jail())
    seen = prober.observe([case for case in cases if case is not None], 20)
    prober.close()
    assert len({one.state for one in seen.values()}) == 2


def test_calls_get_what_they_lacked_at_once(tmp_path: Path) -> None:
    search, targets = search_of(tmp_path, {"work.py": WORK})
    call = Call(targets["rows"], (("path", "'a.db'"),))
    search._explore([call])
    assert [(one.text, one.folder) for one in search._next] == [("rows('a.db')", True)]
    search._follow()
    search.prober.close()
    assert [one.call and one.call.folder for one in search.kept] == [True]
    assert not search._next
