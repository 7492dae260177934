"""What a clone or an archive may bring along in `.lift/` is not carried out, and leads nowhere."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import product
from pathlib import Path

import pytest
from conftest import Project

from pytest_lift.store.journal import content_hash

TEST = '''
import pytest
from thing import double

@pytest.mark.req("R-1")
def test_double():
    """Doubles."""
    assert double(2) == 4
'''
OWNED = "x = 1\n"


def journal(path: str, root: str = "tests") -> str:
    """Of a landing that was cut short before it wrote `path`."""
    new = content_hash(OWNED.encode())
    step = {"path": path, "old": None, "new": new, "between": None}
    data = {"version": 1, "run": "", "test_root": root, "contents": {new: OWNED}, "steps": [step]}
    return json.dumps(data)


def commit(project: Project) -> None:
    project.git("init", "-q")
    project.git("add", "-A", "-f")
    project.git("commit", "-q", "-m", "all")


ORDERS: dict[str, Callable[[Project], dict[str, str]]] = {
    "a journal": lambda project: {".lift/landing.json": journal("tests/test_planted.py")},
    "a run": lambda project: {
        ".lift/history/20260101-120000/000/suite.json": '{"test_root": "tests"}',
        ".lift/history/20260101-120000/000/tests/test_planted.py.kept": OWNED,
    },
    "anything": lambda project: {".lift/notes.txt": "keep me"},
}


COMMANDS = ("lift", "--lift-resume", "restore", "review")
IN_EACH_RUN = {(command, "a journal") for command in COMMANDS} | {("lift", name) for name in ORDERS}
"""Each command and each kind of file once; the other pairs are slow."""


@pytest.mark.parametrize(
    ("command", "name"),
    [
        pytest.param(*pair, marks=() if pair in IN_EACH_RUN else pytest.mark.slow)
        for pair in product(COMMANDS, ORDERS)
    ],
)
def test_what_a_repository_brings_along_is_not_carried_out(
    project: Project, command: str, name: str
) -> None:
    project.script(TEST).write(ORDERS[name](project))
    commit(project)
    if command in ("restore", "review"):
        result = project.command(command)
    else:
        result = project.lift("--lift-iterations=1", *([command] if command != "lift" else []))
    assert result.status == 4, result.text
    told = "git tracks files in .lift"
    assert told in " ".join(result.text.split())
    assert "git rm -r -q --cached .lift" in result
    assert project.git("status", "--porcelain", "--ignored") == "", "nothing was touched"


@pytest.mark.slow
def test_a_folder_of_its_own_is_no_reason_to_refuse(project: Project) -> None:
    project.script(TEST)
    commit(project)
    for _ in range(2):
        before = project.texts()
        result = project.lift("--lift-iterations=1")
        assert result.status == 0, result.text
        assert "def test_double" in project.read("tests/test_thing.py")
    assert project.command("restore").status == 0
    assert project.texts() == before, "as the first lift left it"


def test_a_landing_into_another_folder_is_not_finished(project: Project) -> None:
    project.script(TEST).write({".lift/landing.json": journal("pkg/test_planted.py", "pkg")})
    result = project.lift("--lift-iterations=1")
    assert "a landing into pkg was cut short, and this lift is about tests" in result
    assert not (project.root / "pkg").exists()
    assert project.command("restore").status == 4, "there is no run"


@pytest.mark.parametrize(
    ("path", "root"),
    [
        (".git/hooks/x.py", ""),
        (".git/hooks/x.py", ".git"),
        ("tests/../.git/x.py", "tests"),
        ("/tmp/x.py", "/tmp"),
        ("tests/x.sh", "tests"),
        ("tests/.hidden/x.py", "tests"),
        ("thing.py", ""),
    ],
)
def test_a_journal_that_names_odd_places_is_broken(project: Project, path: str, root: str) -> None:
    (project.root / ".git").mkdir()
    project.script(TEST).write({".lift/landing.json": journal(path, root)})
    before = sorted(str(found) for found in project.root.rglob("*"))
    result = project.command("restore")
    assert result.status != 0
    assert "the journal of a landing that was cut short is broken" in result
    assert "Traceback" not in result
    after = sorted(str(found) for found in project.root.rglob("*"))
    assert [name for name in after if name not in before and ".lift/" not in name] == []


FILES = ("lift.lock", "run.json", "lift.patch")
FOLDERS = ("session", "report", "history")


EACH = [pytest.param([name], marks=pytest.mark.slow) for name in (*FILES, *FOLDERS)]


@pytest.mark.parametrize("names", [["run.json", "session"], *EACH], ids="+".join)
def test_links_in_it_lead_nowhere(project: Project, tmp_path: Path, names: list[str]) -> None:
    """Those of an archive: a clone's are refused before."""
    victim = tmp_path / "victim"
    victim.mkdir()
    (victim / "file").write_text("mine\n")
    project.script(TEST)
    (project.root / ".lift").mkdir()
    for name in names:
        link = project.root / ".lift" / name
        link.symlink_to(victim if name in FOLDERS else victim / "file")
    result = project.lift("--lift-iterations=1", "--lift-output=patch")
    assert "Traceback" not in result.text, result.text
    project.command("restore")
    assert [path.name for path in victim.rglob("*")] == ["file"]
    assert (victim / "file").read_text() == "mine\n"
