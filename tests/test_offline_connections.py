"""What connects to others is tested on a connection to nobody, which notes what is sent."""

from __future__ import annotations

from pathlib import Path

from begun_search import search_of
from jails import best_jail
from offline_program import write_program

from pytest_lift.agents.offline.printing.connections import with_connections
from pytest_lift.agents.offline.printing.functions import PrintedTest
from pytest_lift.agents.offline.search.surroundings.connections import connection_of
from pytest_lift.agents.offline.writing.oracles.verifying import verify
from pytest_lift.calls.call import Call
from pytest_lift.calls.case import Case, Observation, Outcome, Step
from pytest_lift.calls.names import Resolver
from pytest_lift.calls.prober import Prober

CLIENT = """
    import socket


    class Client:
        def __init__(self, host="localhost"):
            self.connection = socket.create_connection((host, 8125))

        def count(self, name, by=1):
            self.connection.sendall(f"{name}:{by}".encode())
            return len(self.connection.recv(10))
"""
WAITING = """
    import selectors
    import socket


    def is_ready():
        with selectors.SelectSelector() as selector:
            selector.register(socket.socket(), selectors.EVENT_WRITE)
            return len(selector.select(0))
"""
IMPORTS = ("from client import Client",)
STEPS = (
    Step("sent = []"),
    Step("Client().count('visits')", check=True),
    Step("sent", check=True, aside=True),
)
BLOCK = ("    sent = []", "    connection = MagicMock()")


def test_a_case_connects_to_nobody_and_notes_what_is_sent(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"client.py": CLIENT})
    awake = connection_of(program)
    assert [name for name, _ in awake] == ["sendall", "recv", "socket.getaddrinfo", "socket.socket"]
    connecting = Case("client.py", "Client.count", STEPS, IMPORTS, awake=awake)
    alone = Case("client.py", "Client.count", STEPS, IMPORTS)
    prober = Prober(tmp_path, program, best_jail())
    seen = prober.observe([connecting, alone], 20.0)
    prober.close()
    assert [one.source for one in seen[connecting.key].outcomes] == ["0", "[b'visits:1']"]
    assert alone.key not in seen or seen[alone.key].rejected == "socket"


def test_a_program_that_leaves_it_to_a_library_gets_all_methods(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"mails.py": "import smtplib\n"})
    assert {"send", "sendall", "sendto", "makefile"} <= {name for name, _ in connection_of(program)}


def test_what_waits_for_a_connection_is_refused(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"waits.py": WAITING})
    awake = connection_of(program)
    steps = (STEPS[0], Step("is_ready()", check=True))
    case = Case("waits.py", "is_ready", steps, ("from waits import is_ready",), awake=awake)
    prober = Prober(tmp_path, program, best_jail())
    seen = prober.observe([case], 20.0)
    prober.close()
    assert not seen[case.key].usable


def test_all_calls_on_what_connects_get_a_connection(tmp_path: Path) -> None:
    search, targets = search_of(tmp_path, {"client.py": CLIENT})
    made = Call(targets["Client"])
    counted = Call(targets["Client.count"], (("name", "'visits'"),), receiver=made)
    assert search.drafts.connecting(targets["Client.count"])
    assert not search.drafts.connecting(targets["Client.count"])
    for call in (made, counted):
        case = search.write(call)
        assert case is not None
        assert "socket.socket" in case.connects
        assert case.steps[0].source == "sent = []"
    search.prober.close()


def test_a_call_stays_whose_effect_is_what_it_sends(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"client.py": CLIENT})
    case = Case("client.py", "Client.count", STEPS, IMPORTS, effect="by=")
    outcomes = (Outcome(source="None"), Outcome("list", "[b'visits:1']"))
    item = verify(case, Observation(outcomes), program, Resolver(program))
    assert item is not None
    assert STEPS[1].source in [check.expression for check in item.checks]


def printed(name: str, *body: str) -> PrintedTest:
    head = (f"def {name}(monkeypatch):", '    """Sends."""')
    lines = (*head, *BLOCK, *(f"    {line}" for line in body))
    return PrintedTest(name, lines, (), "client.py", len(head), connecting=BLOCK)


def test_tests_share_a_connection() -> None:
    tests = [printed(f"test_{n}", f"Client().count({n})", "assert sent == []") for n in range(2)]
    (fixture,), found = with_connections(tests)
    assert fixture.startswith("@pytest.fixture\ndef sent(monkeypatch):\n")
    assert fixture.endswith("\n    connection = MagicMock()\n    return sent")
    assert found[0].lines == (
        "def test_0(sent):", '    """Sends."""', "    Client().count(0)", "    assert sent == []"
    )  # fmt: skip
    assert with_connections(tests[:1]) == ([], tests[:1])
    assert with_connections(tests, {"sent"}) == ([], tests)


def test_tests_that_are_added_use_the_connection_of_their_file() -> None:
    tests = [printed(f"test_{n}", "assert sent == []") for n in range(2)]
    (fixture,), _ = with_connections(tests)
    added = printed("test_added", "monkeypatch.setenv('A', '')", "assert sent == []")
    new, (found,) = with_connections([added], {"sent"}, f"import pytest\n\n\n{fixture}\n")
    assert not new
    assert found.lines[0] == "def test_added(monkeypatch, sent):"
