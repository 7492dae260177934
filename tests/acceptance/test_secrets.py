"""What a lift writes and prints holds no secret of the user's, and no file of theirs goes along."""

from __future__ import annotations

import pytest
from conftest import Project

KEY = "sk-live-0123456789abcdefghij"
TOKEN = "t0ken/with+odd<signs>"
USERS = """
    import os

    import pytest


    def test_prints(capsys):
        print("using", os.environ.get("SERVICE_TOKEN", "none"))


    def test_fails():
        assert os.environ.get("OPENAI_API_KEY", "none") == "\\x1b[2Jother"


    @pytest.mark.parametrize("name", [os.environ.get("SERVICE_TOKEN", "none")])
    def test_named(name):
        raise ValueError(name)
"""
FOUND = '''\
"""Tests of thing."""

import pytest

from thing import double


@pytest.mark.req("R-1")
def test_doubles():
    """Doubles a number."""
    assert double(21) == 42


@pytest.mark.req("R-1")
def test_holds_a_key():
    """Doubles a key."""
    assert double("sk-live-0123456789abcdefghij") is not None
'''
LEAKY = """\
    import os
    from pathlib import Path

    from pytest_lift.agents.contract import Agents


    def pytest_lift_agents(settings):
        def generator(brief):
            raise RuntimeError(f"cannot reach the model with {os.environ['OPENAI_API_KEY']}")

        def get_ready():
            Path("ready").touch()
            generator(None)

        return Agents("leaky", generator, generator, generator, get_ready=get_ready)
"""


def everything_written(project: Project) -> str:
    places = [path for path in project.root.rglob("*") if path.is_file()]
    kept = (p for p in places if ".lift" in p.parts or p.suffix in (".json", ".xml"))
    return "\n".join(path.read_bytes().decode("utf-8", "replace") for path in kept)


def test_no_key_of_the_environment_is_written_by_a_lift(project: Project) -> None:
    """Nor does a generated test land that holds one."""
    project.write({"tests/test_mine.py": USERS, ".env": f"OPENAI_API_KEY={KEY}\n"})
    result = project.script(FOUND).lift(
        "--lift-iterations=1",
        "--lift-json=out.json",
        "--lift-pass-env=SERVICE_TOKEN",
        "-q",
        OPENAI_API_KEY=KEY,
        SERVICE_TOKEN=TOKEN,
    )
    written = everything_written(project)
    assert "[redacted SERVICE_TOKEN]" in written
    assert "[redacted OPENAI_API_KEY]" in project.read(".lift/session/junit.xml")
    assert KEY not in "".join(project.texts().values())
    assert "the text holds" in written
    ours = result.text.partition("= lift =")[2]
    for secret in (KEY, TOKEN, "t0ken", "sk-live"):
        assert secret not in written
        assert secret not in ours
    assert "\x1b" not in ours


@pytest.mark.slow
def test_a_file_of_secrets_is_left_out_and_said(project: Project) -> None:
    project.write({".env": f"KEY={KEY}\n"}).script(
        FOUND.partition('\n\n\n@pytest.mark.req("R-1")\ndef test_holds')[0] + "\n"
    )
    said = "looks like a secret, left out of the private copy; --lift-allow-read=.env lets it in"
    assert f".env {said}" in project.lift("--lift-iterations=1")
    assert said not in project.lift("--lift-iterations=1", "--lift-allow-read=.env")


@pytest.mark.slow
def test_a_crash_report_holds_no_key(project: Project) -> None:
    """What fails while agents get ready is told where it fails once more."""
    result = project.write({"conftest.py": LEAKY}).lift(OPENAI_API_KEY=KEY)
    assert result.status == 3
    assert "[redacted OPENAI_API_KEY]" in project.read(".lift/crash.txt")
    assert KEY not in everything_written(project) + result.text
    assert (project.root / "ready").is_file()
    assert "Traceback" not in result
