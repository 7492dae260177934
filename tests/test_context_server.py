"""A session with a language server, and one that dies, hangs or talks nonsense."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from pytest_lift.context.launch import Launch
from pytest_lift.context.server import Canary, LanguageServer, Query, hover_type

SCRIPT = str(Path(__file__).with_name("scripted_server.py"))
HERE = Query("definition", "prices.py", 2, 4)
CANARY = Canary(
    "canary.py",
    "import prices\n",
    (Query("definition", "canary.py", 1, 7),),
    frozenset({"prices.py"}),
)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "prices.py").write_text("def price(): ...\nx = price()\n")
    return tmp_path


def scripted(root: Path, how: str, seconds: float = 20.0) -> LanguageServer:
    return LanguageServer(
        Launch((sys.executable, SCRIPT, how)), root, canary=CANARY, seconds=seconds
    )


def runs(root: Path) -> list[str]:
    return (root / "runs").read_text().splitlines()


def test_answers_come_in_the_order_of_the_questions(root: Path) -> None:
    server = scripted(root, "well")
    definition, hover, references = server.ask(
        [HERE, Query("hover", "prices.py", 2, 4), Query("references", "prices.py", 1, 4)]
    )
    (place,) = server.locations(definition)
    assert (place.path, place.line, place.column) == ("prices.py", 1, 4)
    assert server.locations(references) == [place]
    assert hover_type(hover) == "int"
    assert (server.trouble, server.name) == ("", f"{Path(sys.executable).name} 1")
    server.close()


def test_no_key_is_in_its_environment(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "secret")
    monkeypatch.setenv("SOME_TOKEN", "secret")
    server = scripted(root, "well")
    server.ask([HERE])
    assert runs(root) == ["well []"]
    server.close()


def test_one_that_dies_is_started_again_once_and_asked_again(root: Path) -> None:
    server = scripted(root, "dies-once")
    (answer,) = server.ask([HERE])
    assert server.locations(answer)
    assert (len(runs(root)), server.started, server.trouble) == (2, 2, "")
    server.close()


@pytest.mark.parametrize(
    ("how", "told"),
    [
        ("dies", "out of luck"),
        ("garbage", "does not speak the protocol"),
        ("huge", "a message of 99999999999 bytes"),
        ("no-json", "does not speak the protocol"),
        ("lost", "does not find the program"),
        ("refuses", "does not find the program"),
        ("odd", "does not find the program"),
    ],
)
def test_one_that_fails_twice_is_left_alone_and_says_why(root: Path, how: str, told: str) -> None:
    server = scripted(root, how)
    assert server.ask([HERE, HERE]) == [None, None]
    assert told in server.trouble
    assert server.ask([HERE]) == [None]
    assert len(runs(root)) == 2
    assert server.pid is None


def test_one_that_hangs_costs_two_time_outs_and_is_gone(root: Path) -> None:
    server = scripted(root, "hangs", seconds=1.0)
    started = time.monotonic()
    assert server.ask([HERE, HERE, HERE]) == [None, None, None]
    assert time.monotonic() - started < 15
    assert "did not answer within 1 seconds" in server.trouble


def test_one_that_does_not_read_is_gone_after_the_time_out(root: Path) -> None:
    server = scripted(root, "deaf", seconds=1.0)
    (root / "prices.py").write_text("x" * 10)
    started = time.monotonic()
    server.show("prices.py", "x" * 1_000_000)
    assert server.ask([HERE]) == [None]
    assert time.monotonic() - started < 15
    assert "does not read" in server.trouble or "did not answer" in server.trouble


def test_an_interruption_while_sending_costs_a_restart(root: Path) -> None:
    server = scripted(root, "well")
    assert server.ask([HERE])[0] is not None

    def interrupt(number: int, frame: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    pid = server.pid
    assert pid is not None
    os.kill(pid, signal.SIGSTOP)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.3)
        with pytest.raises(KeyboardInterrupt):
            server.show("prices.py", "x" * 1_000_000)
    finally:
        signal.signal(signal.SIGALRM, before)
        os.kill(pid, signal.SIGCONT)
    server.hide("prices.py")
    assert server.ask([HERE])[0] is not None
    assert (server.trouble, server.started) == ("", 2)
    server.close()


def test_a_question_that_takes_too_long_is_taken_back_and_the_server_kept(root: Path) -> None:
    server = scripted(root, "no-uses")
    assert server.ask_briefly(Query("references", "prices.py", 1, 4), 0.3) is None
    assert server.locations(server.ask_briefly(HERE, 20))
    assert (server.trouble, server.started) == ("", 1)
    server.close()
    assert json.loads((root / "told").read_text())["method"] == "$/cancelRequest"


@pytest.mark.parametrize("how", ["dies", "refuses"])
def test_a_short_question_to_a_server_that_fails_has_no_answer(root: Path, how: str) -> None:
    server = scripted(root, how)
    assert [server.ask_briefly(HERE, 20) for _ in range(3)] == [None, None, None]
    assert server.trouble


def test_one_that_cannot_be_started_is_trouble(root: Path) -> None:
    server = LanguageServer(Launch((str(root / "nowhere"),)), root)
    assert server.ask([HERE]) == [None]
    assert "cannot be started" in server.trouble


def test_what_the_server_asks_is_answered(root: Path) -> None:
    server = scripted(root, "asks")
    server.ask([HERE])
    server.close()
    settings, refusal = map(json.loads, (root / "told").read_text().splitlines())
    assert settings["result"][0]["pythonPath"] == sys.executable
    assert settings["result"][1] is None
    assert refusal["error"]["code"] == -32601


def test_many_questions_to_a_server_that_talks_much_do_not_block(root: Path) -> None:
    server = scripted(root, "floods")
    asked = [Query("hover", "prices.py" + "x" * 2000, 2, 4)] * 400
    started = time.monotonic()
    assert [hover_type(answer) for answer in server.ask(asked)] == ["int"] * 400
    assert time.monotonic() - started < 15
    assert (server.trouble, server.started) == ("", 1)
    server.close()


def test_the_process_ends_with_the_session(root: Path) -> None:
    server = scripted(root, "well")
    server.ask([HERE])
    pid = server.pid
    assert pid is not None
    server.close()
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
    assert server.ask([HERE])[0] is not None, "it is started again when it is needed"
    server.close()


def test_it_ends_when_the_process_that_started_it_is_killed(root: Path) -> None:
    program = (
        "import os, signal, sys\nfrom pathlib import Path\n"
        "from pytest_lift.context.launch import Launch\n"
        "from pytest_lift.context.server import LanguageServer, Query\n"
        f"server = LanguageServer(Launch((sys.executable, {SCRIPT!r}, 'well')), Path('.'))\n"
        "server.ask([Query('hover', 'prices.py', 1, 4)])\n"
        "print(server.pid, flush=True)\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=root, capture_output=True, text=True)
    pid, until = int(done.stdout), time.monotonic() + 10
    while Path(f"/proc/{pid}/exe").exists() and time.monotonic() < until:
        time.sleep(0.05)
    assert not Path(f"/proc/{pid}/exe").exists()


def test_columns_are_counted_as_the_server_counts_them(root: Path) -> None:
    server = scripted(root, "well")
    server.ask([HERE])
    line = "é = '😀'; name"
    assert server.column(line, line.encode("utf-16-le").index("n".encode("utf-16-le")) // 2) == (
        line.encode().index(b"name")
    )
    server.close()


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (None, ""),
        (
            {"contents": {"value": "def f(\n    a: int\n) -> str\n-----\nText.\n"}},
            "def f( a: int ) -> str",
        ),
        ({"contents": {"value": "```python\n(variable) a: int\n```\nText"}}, "(variable) a: int"),
        ({"contents": ["int", "text"]}, "int"),
        ({"contents": 7}, ""),
    ],
)
def test_the_type_is_the_head_of_a_hover(answer: object, told: str) -> None:
    assert hover_type(answer) == told
