"""What the user wrote stays: edits, restore, and what changes while a lift runs."""

from __future__ import annotations

import pytest
from conftest import Project
from doubled_thing import DOUBLES, HEAD, MINE, MUCH


def test_what_landed_runs_in_no_session_of_the_users_and_goes_with_restore(
    project: Project,
) -> None:
    project.write({"tests/test_thing.py": MINE, "tests/data.txt": "x"})
    before = project.texts()
    spy = DOUBLES.replace("    assert", "    print('ran in', __file__)\n    assert")
    spy = spy.replace("pytest.mark.req", "__import__('pytest').mark.req")
    project.script(MINE.replace("label", "double, label", 1) + spy)
    assert project.lift("--lift-iterations=1").status == 0
    assert "test_doubles" in project.read("tests/test_thing.py")
    assert "# my own   spacing" in project.read("tests/test_thing.py")
    text = project.lift("--lift-max-minutes=0.001", "-s").text  # the session, and nothing after it
    assert "1 passed" in text
    assert "ran in" not in text
    done = project.command("restore", "--list")
    assert "  iterations   1 iteration  2 of 2 tests passed  " in done, done.text
    assert "  1 file changed" in done
    result = project.command("restore")
    assert result.status == 0, result.text
    assert project.texts() == before


@pytest.mark.slow
def test_restore_keeps_what_was_edited_since(project: Project) -> None:
    project.script(HEAD + DOUBLES)
    assert project.lift("--lift-iterations=1").status == 0
    edited = project.read("tests/test_thing.py") + "\n# mine now\n"
    project.write({"tests/test_thing.py": edited})
    result = project.command("restore")
    assert result.status == 1
    assert "tests/test_thing.py" in result
    assert project.read("tests/test_thing.py") == edited
    assert project.command("restore", "--force").status == 0
    assert not (project.root / "tests/test_thing.py").exists()


@pytest.mark.slow
def test_an_edited_generated_test_belongs_to_the_user(project: Project) -> None:
    project.script(HEAD + DOUBLES, HEAD + DOUBLES)
    assert project.lift("--lift-iterations=1").status == 0
    mine = project.read("tests/test_thing.py").replace("double(21) == 42", "double(4) == 8")
    project.write({"tests/test_thing.py": mine})
    project.write({".script/1/tests/test_thing.py": HEAD + MUCH})
    result = project.lift("--lift-iterations=1")
    assert "double(4) == 8" in project.read("tests/test_thing.py")
    assert "1 passed" in result  # it is the user's now, so it runs in the user's own session


@pytest.mark.slow
def test_a_second_lift_lands_as_often_as_it_gains(project: Project) -> None:
    project.script(HEAD + DOUBLES)
    assert project.lift("--lift-iterations=1").status == 0
    more = "\n\n@pytest.mark.emergent('seen')\ndef test_label():\n    \"\"\"L.\"\"\"\n    assert label('a') == 'a'\n"
    both = HEAD.replace("double", "double, label") + DOUBLES + MUCH
    project.script(both, both + more)
    result = project.lift("--lift-iterations=2")
    assert [i["accepted"] for i in project.outcome["history"]] == [True, True, True]
    assert "your version of" not in result
    assert "def test_label" in project.read("tests/test_thing.py")


@pytest.mark.slow
def test_tests_claimed_while_the_lift_runs_are_the_users(project: Project) -> None:
    """Deleting the ownership file says so, also after this very lift has written it."""
    project.script(HEAD + DOUBLES, HEAD + DOUBLES + MUCH)
    claim = (
        "    if brief.iteration == 2:\n        (HERE / 'tests/.lift.json').unlink()\n"
        "    return Edit(files)"
    )
    agents = project.read("conftest.py").replace("    return Edit(files)", claim)
    result = project.write({"conftest.py": agents}).lift("--lift-iterations=2")
    assert result.status == 0, result.text
    assert "your version of tests/test_thing.py stays" in result
    assert "test_much" not in project.read("tests/test_thing.py")
    assert not (project.root / "tests/.lift.json").exists()


@pytest.mark.slow
def test_the_users_edit_while_the_lift_runs_wins(project: Project) -> None:
    project.write({"tests/test_mine.py": MINE})
    theirs = MINE + "\n\ndef test_second():\n    assert True\n"
    project.script(HEAD + DOUBLES, HEAD + DOUBLES + MUCH)
    edit = (
        "\n_gen = generator\n\ndef generator(brief):\n"
        f"    (HERE / 'tests/test_mine.py').write_text({theirs!r})\n    return _gen(brief)\n"
    )
    project.write({"conftest.py": project.read("conftest.py") + edit})
    result = project.lift("--lift-iterations=2")
    assert result.status == 0, result.text
    assert project.read("tests/test_mine.py") == theirs
    assert project.outcome["tests"] == 4


SWITCHING = """

import subprocess


def _switching(name, agent):
    def switching(brief):
        told = agent(brief)
        if (name, brief.iteration) == {when!r}:
            subprocess.run(["git", "checkout", "-q", "other"], cwd=HERE, check=True)
        return told
    return switching


generator, evaluator = _switching("generator", generator), _switching("evaluator", evaluator)
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    "when",
    [
        ("generator", 1),
        pytest.param(("generator", 2), marks=pytest.mark.slow),
        pytest.param(("evaluator", 1), marks=pytest.mark.slow),
    ],
)
@pytest.mark.parametrize("output", ["land", pytest.param("patch", marks=pytest.mark.slow)])
def test_a_branch_that_is_switched_meanwhile_is_what_counts(
    project: Project, when: tuple[str, int], output: str
) -> None:
    """It changes, adds and deletes sources and tests; nothing of it is written over."""
    project.write({"tests/test_mine.py": MINE, "tests/test_old.py": MINE, "pkg/__init__.py": ""})
    project.write({"pkg/a.py": "def a(x):\n    return x\n", "pkg/gone.py": "X = 1\n"})
    project.write({"setup.cfg": project.read("setup.cfg") + "pythonpath = .\n"})
    project.write(
        {
            ".gitignore": ".lift\n.script\n.briefs\nconftest.py\ntests/test_thing.py\ntests/.lift.json\n__pycache__\n"
        }
    )
    project.git("init", "-q")
    project.git("add", "-A")
    project.git("commit", "-qm", "one")
    project.git("checkout", "-qb", "other")
    theirs = MINE + "\n\ndef test_second():\n    assert True\n"
    project.write({"tests/test_mine.py": theirs, "tests/test_new.py": MINE})
    project.write(
        {"pkg/a.py": "def a(x):\n    return -x\n", "pkg/b.py": "def b(x):\n    return x\n"}
    )
    project.git("rm", "-q", "tests/test_old.py", "pkg/gone.py")
    project.git("add", "-A")
    project.git("commit", "-qm", "two")
    other = {**project.texts("tests"), **project.texts("pkg")}
    project.git("checkout", "-q", "-")
    project.script(HEAD + DOUBLES, HEAD + DOUBLES + MUCH, HEAD + DOUBLES + MUCH)
    project.write({"conftest.py": project.read("conftest.py") + SWITCHING.format(when=when)})
    result = project.lift(
        "--lift-iterations=3",
        f"--lift-output={output}",
        "--lift-source=pkg",
        "--lift-source=thing.py",
    )
    assert result.status == 0, result.text
    found = {**project.texts("tests"), **project.texts("pkg")}
    ours = {"tests/test_thing.py", "tests/.lift.json"}
    assert {path: text for path, text in found.items() if path not in ours} == other
    assert not project.git("status", "--porcelain")
    # Measured anew: four tests of theirs, two of the tool's, and a program with another module.
    assert (project.outcome["tests"], project.outcome["passed"]) == (5, 5)
    assert any("pkg.b" in finding["what"] for finding in project.outcome["findings"])
    assert not any("pkg.gone" in finding["what"] for finding in project.outcome["findings"])
    if output == "patch":
        project.git("apply", ".lift/lift.patch")
    assert "test_much" in project.read("tests/test_thing.py")


@pytest.mark.slow
def test_nothing_lands_that_was_judged_by_sources_that_are_no_more(project: Project) -> None:
    """The program changes while the candidate is measured: what it pins is not so any more."""
    spy = (
        "    import pathlib\n"
        f"    place = pathlib.Path({str(project.root / 'thing.py')!r})\n"
        "    text = place.read_text()\n"
        "    if 'number > 100' in text:\n"
        "        place.write_text(text.replace('number > 100', 'number > 200'))\n"
    )
    project.script(HEAD + DOUBLES + MUCH + spy)
    result = project.lift("--lift-iterations=1", "--lift-sandbox=off")
    assert "number > 200" in project.read("thing.py")
    assert result.status in (0, 1), result.text
    left_out = project.outcome["history"][1]["dropped"]
    assert list(left_out) == ["tests/test_thing.py::test_much"]
    assert "test_doubles" in project.read("tests/test_thing.py")
    assert "test_much" not in project.read("tests/test_thing.py")


@pytest.mark.slow
def test_a_note_written_while_an_edit_is_tried_stays(project: Project) -> None:
    """The edit holds the whole text of the file as it was; other files of it still land."""
    project.write({"tests/test_thing.py": MINE})
    mixed = MINE.replace("import label", "import double, label") + DOUBLES
    mixed = "import pytest\n" + mixed
    project.script({"tests/test_thing.py": mixed, "tests/test_things.py": HEAD + MUCH})
    note = (
        "    with open(HERE / 'tests/test_thing.py', 'a') as file:\n"
        "        file.write('# a note')\n    return Edit(files)"
    )
    agents = project.read("conftest.py").replace("    return Edit(files)", note)
    result = project.write({"conftest.py": agents}).lift("--lift-iterations=1")
    assert result.status == 0, result.text
    assert project.read("tests/test_thing.py") == MINE + "# a note"
    assert "test_much" in project.read("tests/test_things.py")


@pytest.mark.slow
@pytest.mark.parametrize("output", ["land", pytest.param("patch", marks=pytest.mark.slow)])
def test_without_its_history_a_lift_ends_clearly(project: Project, output: str) -> None:
    """Nothing lands that could not be undone."""
    project.script(HEAD + DOUBLES, HEAD + DOUBLES + MUCH)
    remove = (
        "    if brief.iteration == 2:\n        import shutil\n"
        "        shutil.rmtree(HERE / '.lift')\n    return Edit(files)"
    )
    agents = project.read("conftest.py").replace("    return Edit(files)", remove)
    result = project.write({"conftest.py": agents}).lift(f"--lift-output={output}")
    assert result.status == 3
    assert "the history of this run was removed while the lift was running" in result
    assert "leave .lift alone while a lift runs" in result
    assert "Traceback" not in result
    assert project.outcome["outcome"] == "failed"
    assert not (project.root / ".lift/crash.txt").exists()
    assert project.read(".lift/.gitignore") == "*\n"
    landed = project.texts().get("tests/test_thing.py")
    assert landed == (HEAD + DOUBLES if output == "land" else None)


def test_a_baseline_that_pytest_refuses_is_an_outcome_too(project: Project) -> None:
    project.write({"tests/test_mine.py": MINE}).script(HEAD + DOUBLES)
    refuse = (
        "\n\ndef pytest_configure():\n    if HERE.parent.name.startswith('pytest-lift-'):\n"
        "        raise __import__('pytest').UsageError('not in a copy')\n"
    )
    result = project.write({"conftest.py": project.read("conftest.py") + refuse}).lift()
    assert result.status == 3
    assert "pytest refused to run the suite in the private copy" in result
    assert (project.outcome["outcome"], project.outcome["exit_code"]) == ("failed", 3)
    assert "not in a copy" in project.outcome["reason"]
    assert (project.outcome["iterations"], project.outcome["line_percent"]) == (0, 0)
    assert project.outcome["requirements"]["total"] == 2
