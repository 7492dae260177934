"""Classes above another one, by the names of their bases."""

from __future__ import annotations

from pathlib import Path

from offline_program import write_program

from pytest_lift.source.ancestry import above, bases_by_key

POOL = "class Thread:\n    def __enter__(self): ...\n"
WORK = """
    import threading
    from threading import Thread

    try:
        from backports import Lock
    except ImportError:
        from locks import Lock

    class Worker(Thread): ...
    class Other(threading.Thread): ...
    class Held(Lock): ...
    class Loose(Pool): ...
"""
LOCKS = "class Lock: ...\nclass Pool: ...\n"


def test_nearest_first_and_each_once() -> None:
    bases = {"Kite": ["Left", "Right"], "Left": ["Top"], "Right": ["Top", "Side"]}
    assert [*above("Kite", bases)] == ["Left", "Right", "Top", "Side"]


def test_a_class_may_be_derived_from_its_own_name() -> None:
    assert [*above("Path", {"Path": ["Path", "Base"], "Base": ["Path"]})] == ["Base"]


def test_a_base_from_a_library_is_no_class_of_its_name(tmp_path: Path) -> None:
    files = {"pool.py": POOL, "work.py": WORK, "locks.py": LOCKS}
    found = bases_by_key(write_program(tmp_path, files))
    assert {key: bases for key, bases in found.items() if key.startswith("work.py")} == {
        "work.py:Worker": ["Thread"],
        "work.py:Other": ["Thread"],
        "work.py:Held": ["locks.py:Lock"],
        "work.py:Loose": ["locks.py:Pool"],
    }
