"""A lift of a part of the program: only that is told, asked about and changed."""

from __future__ import annotations

import json

import pytest
from conftest import Project

MINE = """
    from thing import double, label

    def test_double():
        assert double(2) == 4

    def test_label():
        assert label("a") == "a"
    """

FOUND = '''
    import pytest
    from thing import double

    @pytest.mark.req("R-1")
    def test_doubles():
        """Twice."""
        assert double(21) == 42
    '''


def test_only_what_was_named(project: Project) -> None:
    """What is named is searched for, measured and told."""
    project.write({"tests/test_mine.py": MINE}).script(FOUND)
    result = project.lift("--lift-only", "double", "--lift-iterations=1", "--lift-report=json")
    assert result.status == 0, result.text
    assert "lift: scope: double (requirements R-1; 1 of 2 tests concern it)" in result
    assert "1 passed, 1 deselected" in result
    assert "1 of 1 requirement verified" in result
    assert "; scope double in" in result
    assert project.outcome["history"][1]["figures"]["sentences"] == 2
    run = project.outcome
    assert (run["tests"], run["line_percent"], run["requirements"]["total"]) == (2, 75.0, 1)
    assert run["scope"]["apart"] == 1
    assert {row["requirement"] for row in run["findings"]} <= {"R-1", ""}
    assert not any("label" in row["what"] for row in run["findings"])
    assert "label" not in project.read(".briefs/1")
    report = json.loads(project.read(f".lift/history/{run['run']}/report.json"))
    assert report["scope"] == "double"
    assert any("Only double was lifted" in text for text in report["warnings"])
    assert "test_doubles" in project.read("tests/test_thing.py")

    result = project.lift("--lift-resume", "--lift-only=label", "--lift-iterations=1")
    assert result.status == 4
    assert "the run that goes on is about double, not label" in result


@pytest.mark.slow
def test_a_resumed_run_is_about_the_same(project: Project) -> None:
    project.write({"tests/test_mine.py": MINE}).script(FOUND)
    project.lift("--lift-only", "double", "--lift-iterations=1")
    run = project.outcome
    result = project.lift("--lift-resume", "--lift-iterations=1")
    assert "lift: scope: double" in result, result.text
    assert project.outcome["scope"] == run["scope"]
    assert project.outcome["line_percent"] == 75.0


def test_a_source_beside_the_switch_is_what_is_lifted(project: Project) -> None:
    """It is no place of tests: the session runs those that concern it, with workers as well."""
    (project.root / "thing.py").rename(project.root / "other.py")
    project.write({"thing.py": "def double(number):\n    return number * 2\n"}).script({})
    mine = "from thing import double\n\ndef test_double():\n    assert double(2) == 4\n"
    theirs = "from other import label\n\ndef test_label():\n    assert label('a') == 'a'\n"
    project.write({"tests/test_mine.py": mine, "tests/test_theirs.py": theirs})
    result = project.lift("thing.py", "--lift-iterations=0", "-n1", "--cov-fail-under=99")
    assert result.status == 0, result.text
    assert "scope: thing.py (requirements R-1; 1 of 2 tests concern it)" in result
    assert "1 passed" in result, result.text
    assert (project.outcome["tests"], project.outcome["line_percent"]) == (1, 100.0)
    assert "your selection" not in result


def test_a_scope_without_tests_begins_with_none(project: Project) -> None:
    project.write({"tests/test_mine.py": "def test_a():\n    assert 1\n"}).script(FOUND)
    result = project.lift("--lift-only=R-1", "--lift-iterations=1", "--lift-minimise")
    assert result.status == 0, result.text
    assert "0 of 1 tests concern it" in result
    assert "the suite is not made smaller" in result
    first = project.outcome["history"][0]["figures"]
    assert (first["tests"], first["verified"], project.outcome["tests"]) == (0, 0, 1)


def test_what_nothing_is_called_is_a_usage_error(project: Project) -> None:
    result = project.lift("--lift-only=dubble")
    assert result.status == 4
    assert "'dubble' is neither a path, module or symbol of the program nor a requirement" in result
    assert "do you mean thing.double" in result


def in_git(project: Project) -> Project:
    project.write({"tests/test_mine.py": MINE, ".gitignore": ".lift/\n.briefs/\n"})
    project.git("init", "-q", "-b", "main")
    project.git("add", "-A")
    project.git("commit", "-qm", "first")
    return project


@pytest.mark.slow
def test_only_what_changed(project: Project) -> None:
    """One function changed: its test runs, its requirement is asked about, and it alone is told."""
    in_git(project.script(FOUND))
    project.write({"thing.py": project.read("thing.py").replace("2 * number", "number + number")})
    result = project.lift("--lift-changed", "--lift-iterations=1", "-p", "no:cacheprovider")
    assert result.status == 0, result.text
    assert "lift: scope: changed since HEAD (" in result
    assert "): thing.double (requirements R-1; 1 of 2 tests concern it)" in result
    assert "1 passed, 1 deselected" in result
    run = project.outcome
    assert (run["tests"], run["requirements"]["verified"], run["line_percent"]) == (2, 1, 75.0)
    assert run["scope"]["since"].startswith("HEAD (")
    assert "label" not in project.read(".briefs/1")
    resumed = project.lift("--lift-resume", "--lift-changed", "--lift-iterations=1")
    assert "scope: changed since HEAD (" in resumed, resumed.text
    assert project.outcome["scope"] == run["scope"]


HIDDEN = """
    import thing

    def test_hidden():
        assert getattr(thing, "dou" + "ble")(2) == 4

    def test_label():
        assert thing.label("a") == "a"
    """


@pytest.mark.slow
def test_what_names_hide_an_earlier_lift_has_seen(project: Project) -> None:
    """No text says that the test reaches the function; the lift before saw it enter it."""
    project.script()
    project.write({"tests/test_mine.py": HIDDEN, ".gitignore": ".lift/\n.briefs/\n"})
    in_git(project)
    project.write({"tests/test_mine.py": HIDDEN})
    project.git("commit", "-qam", "hidden")
    changed = project.read("thing.py").replace("2 * number", "number + number")
    assert project.lift("--lift-iterations=0").status == 0
    project.write({"thing.py": changed})
    result = project.lift("--lift-changed", "--lift-iterations=0")
    assert result.status == 0, result.text
    assert "thing.double (requirements R-1; 1 of 2 tests concern it)" in result
    assert "1 passed, 1 deselected" in result
    assert (project.outcome["tests"], project.outcome["line_percent"]) == (1, 75.0)
    assert project.outcome["scope"]["since"].startswith("HEAD (")


@pytest.mark.slow
def test_where_nothing_changed_it_ends_at_once(project: Project) -> None:
    in_git(project)
    result = project.lift("--lift-changed")
    assert result.status == 0, result.text
    assert "nothing to lift: changed since HEAD (" in result
    assert (project.outcome["outcome"], project.outcome["tests"], project.outcome["exit_code"]) == (
        "final",
        0,
        0,
    )
    assert not (project.root / ".lift/history").exists()
    project.write({"tests/test_mine.py": MINE.replace("== 4", "== 5")})
    result = project.lift("--lift-changed=main")
    assert result.status == 1, result.text
    assert "1 failed, 1 deselected" in result
    result = project.lift("--lift-changed=nowhere")
    assert result.status == 4
    assert "--lift-changed=nowhere: git knows no 'nowhere'" in result
