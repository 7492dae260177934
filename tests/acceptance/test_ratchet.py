"""Good tests of a candidate are kept, bad ones are named and left out, and nothing is lost."""

from __future__ import annotations

import pytest
from conftest import Project

HEAD = '"""Tests."""\n\nimport pytest\n\nfrom thing import double, label\n'
DOUBLES = (
    '\n\n@pytest.mark.req("R-1")\ndef test_doubles():\n    """D."""\n    assert double(21) == 42\n'
)
WRONG = (
    '\n\n@pytest.mark.req("R-2")\ndef test_wrong():\n    """W."""\n    assert label("a") == "b"\n'
)
RIGHT = WRONG.replace('== "b"', '== "a"')
HANGS = '\n\n@pytest.mark.req("R-2")\ndef test_hangs():\n    """H."""\n    while label("a"):\n        assert double(1)\n'
DIES = '\n\n@pytest.mark.req("R-2")\ndef test_dies():\n    """D."""\n    import signal\n    assert label("a")\n    signal.raise_signal(11)\n'
FLAKY = (
    '\n\n@pytest.mark.req("R-2")\ndef test_flaky():\n    """F."""\n'
    '    import os\n    assert label("a") and os.environ["PYTHONHASHSEED"] == "0"\n'
)


def names(project: Project) -> set[str]:
    text = project.read("tests/test_thing.py")
    return {part.partition("(")[0] for part in text.split("def ")[1:]}


@pytest.mark.slow
def test_failing_tests_are_left_out_told_and_may_be_repaired(project: Project) -> None:
    project.script(HEAD + DOUBLES + WRONG, HEAD + DOUBLES + RIGHT)
    result = project.lift("--lift-iterations=2")
    assert result.status == 0, result.text
    first, second = project.outcome["history"][1:]
    assert (first["accepted"], second["accepted"]) == (True, True)
    assert first["dropped"] == {"tests/test_thing.py::test_wrong": "AssertionError"}
    assert "left out tests/test_thing.py::test_wrong: AssertionError" in result
    fixes = (project.history / "001/feedback/fixes.md").read_text("utf-8")
    assert "test_wrong" in fixes
    assert 'assert label("a") == "b"' in fixes
    assert project.read(".briefs/2").startswith("correct fixes.md")
    assert names(project) == {"test_doubles", "test_wrong"}


@pytest.mark.slow
def test_what_is_never_repaired_is_forgotten(project: Project) -> None:
    bad = HEAD + DOUBLES + WRONG
    project.script(bad, bad, bad, bad)
    result = project.lift("--lift-iterations=4")
    assert result.status == 0, result.text
    assert names(project) == {"test_doubles"}
    assert [project.read(f".briefs/{n}").split()[0] for n in (1, 2, 3, 4)] == [
        "initial", "correct", "correct", "refine",
    ]  # fmt: skip


@pytest.mark.slow
def test_hanging_crashing_and_flaky_tests_are_left_out(project: Project) -> None:
    project.script(HEAD + DOUBLES + HANGS, HEAD + DOUBLES + DIES, HEAD + DOUBLES + FLAKY)
    result = project.lift("--lift-iterations=3", "--lift-timeout=15")
    assert result.status == 0, result.text
    hung, died, flaky = ([*i["dropped"].items()] for i in project.outcome["history"][1:])
    assert hung[0][0].endswith("test_hangs")
    assert "timed-out" in hung[0][1]
    assert died[0][0].endswith("test_dies")
    assert "crashed" in died[0][1]
    assert flaky[0][0].endswith("test_flaky")
    assert "flaky" in flaky[0][1]
    assert names(project) == {"test_doubles"}


@pytest.mark.slow
def test_a_test_that_an_edit_leaves_out_stays_as_it_was(project: Project) -> None:
    project.script(HEAD + DOUBLES, HEAD + RIGHT)
    result = project.lift("--lift-iterations=2")
    assert project.outcome["history"][-1]["accepted"], result.text
    assert names(project) == {"test_doubles", "test_wrong"}
    assert project.outcome["requirements"]["verified"] == 1
    told = (project.history / "002/feedback/evaluation.md").read_text("utf-8")
    assert "test_doubles is gone; it stays as it was: add, do not replace" in told


@pytest.mark.slow
def test_a_candidate_whose_accepted_tests_pass_no_more_does_not_land(project: Project) -> None:
    """What a test checks may be whole while something else in the edit makes it fail."""
    spoils = "\n\ndouble.__code__ = (lambda number: 0).__code__\n"
    project.script(HEAD + DOUBLES, HEAD + DOUBLES + RIGHT + spoils)
    result = project.lift("--lift-iterations=2")
    last = project.outcome["history"][-1]
    assert not last["accepted"]
    assert "lost the verification of R-1" in last["why"]
    assert "1 accepted test: tests/test_thing.py::test_doubles" in result, result.text
    assert names(project) == {"test_doubles"}
    assert (project.history / "002/tests").is_dir()


@pytest.mark.slow
def test_a_file_that_cannot_be_imported_does_not_take_the_others_along(project: Project) -> None:
    other = '"""T."""\nimport pytest\nfrom thing import label, nothing\n' + RIGHT
    other = other.replace('label("a")', 'nothing(label("a"))')  # what is not used, a repair takes
    project.script({"tests/test_thing.py": HEAD + DOUBLES, "tests/test_things.py": other})
    result = project.lift("--lift-iterations=1")
    assert result.status == 0, result.text
    assert names(project) == {"test_doubles"}
    assert not (project.root / "tests/test_things.py").exists()
    assert "ImportError" in (project.history / "001/feedback/fixes.md").read_text("utf-8")


@pytest.mark.slow
def test_a_suite_does_not_become_smaller(project: Project) -> None:
    copy = DOUBLES.replace("test_doubles", "test_again")
    project.script(HEAD + DOUBLES + copy, HEAD + DOUBLES)
    project.lift("--lift-iterations=2")
    assert project.outcome["history"][-1]["why"] == "every change was refused"
    assert names(project) == {"test_doubles", "test_again"}


@pytest.mark.slow
def test_an_accepted_test_that_turns_out_flaky_is_no_loss(project: Project) -> None:
    """Each iteration repeats the suite with a hash seed of its own: the first with 1."""
    once = (
        '\n\n@pytest.mark.req("R-1")\ndef test_at_first():\n    """F."""\n'
        '    import os\n    assert double(2) == 4 and os.environ["PYTHONHASHSEED"] in "01"\n'
    )
    project.script(HEAD + DOUBLES + once, HEAD + DOUBLES + once + RIGHT)
    result = project.lift("--lift-iterations=2", "--lift-seed=0")
    first, second = project.outcome["history"][1:]
    assert (first["accepted"], second["accepted"]) == (True, True), result.text
    assert second["dropped"]["tests/test_thing.py::test_at_first"].startswith("flaky")
    assert names(project) == {"test_doubles", "test_wrong"}


@pytest.mark.slow
def test_unknown_ids_never_land(project: Project) -> None:
    project.script(HEAD + DOUBLES + RIGHT.replace("R-2", "R-99"))
    result = project.lift("--lift-iterations=1")
    assert project.outcome["requirements"]["unknown"] == 0
    assert "R-99" not in project.read("tests/test_thing.py")
    assert "unknown requirement 'R-99'" in result


@pytest.mark.slow
def test_users_tests_that_need_their_order_do_not_stop_the_lift(project: Project) -> None:
    """Each of them fails in most orders, with and without the tool's tests."""
    mine = "from thing import label\nSEEN = []\n" + "".join(
        f"\ndef test_{n}():\n    SEEN.append({n})\n    assert SEEN == [*range({n + 1})] and label('a')\n"
        for n in range(6)
    )
    project.write({"tests/test_mine.py": mine}).script(HEAD + DOUBLES)
    result = project.lift("--lift-iterations=1")
    assert result.status == 0, result.text
    assert project.outcome["history"][1]["accepted"], result.text
    assert names(project) == {"test_doubles"}


@pytest.mark.slow
def test_a_test_that_breaks_the_users_in_another_order_is_named(project: Project) -> None:
    mine = "import thing\n\ndef test_mine():\n    assert not hasattr(thing, 'seen')\n"
    spoils = DOUBLES.replace("    assert", "    import thing\n    thing.seen = 1\n    assert")
    project.write({"tests/test_a.py": mine}).script(HEAD + spoils)
    for seed in range(4):
        project.lift("--lift-iterations=1", f"--lift-seed={seed}")
        last = project.outcome["history"][1]
        if not last["accepted"]:
            break
        assert project.command("restore").status == 0
    told = last["dropped"]["tests/test_thing.py::test_doubles"]
    assert told == "flaky: it makes the later test tests/test_a.py::test_mine fail"
    assert last["why"] == "nothing gained"


@pytest.mark.slow
def test_ids_and_tests_that_only_show_in_a_run_never_land(project: Project) -> None:
    """Computed marks, inherited tests and assigned ones: the gate cannot see them in the source.

    Ids in a list it can.
    """
    computed = RIGHT.replace('"R-2"', '"R-2", "R-" + "98"').replace("test_wrong", "test_sums")
    listed = RIGHT.replace('"R-2"', '["R-99"], "R-2"').replace("test_wrong", "test_listed")
    inherited = (
        'import pytest\n\n\nclass Base:\n    @pytest.mark.req("R-2", "R-77")\n'
        "    def test_x(self):\n        pass\n\n\nclass TestIt(Base):\n    pass\n"
    )
    assigned = 'import pytest\n\n\n@pytest.mark.req("R-2")\ndef _x():\n    pass\n\n\ntest_x = _x\n'
    project.script(
        {
            "tests/test_thing.py": HEAD + DOUBLES + computed + listed,
            "tests/test_things.py": inherited,
            "tests/test_shop.py": assigned,
        }
    )
    shop = project.read("reqs.yml").replace("things:", "shop:").replace("id: R-", "id: S-")
    project.write({"tests/test_mine.py": assigned.replace("R-2", "R-1")})
    project.write({"reqs.yml": project.read("reqs.yml") + shop})
    result = project.lift("--lift-iterations=1")
    assert result.status == 0, result.text
    assert project.outcome["requirements"]["unknown"] == 0, result.text
    assert project.outcome["requirements"]["verified"] == 1
    assert "test_sums: names the unknown requirement 'R-98'" in result
    assert "test_shop.py::test_x: is not written out as a function of its own" in result
    assert names(project) == {"test_doubles"}
    files = {path for path in project.texts() if path.endswith(".py")}
    assert files == {"tests/test_thing.py", "tests/test_mine.py"}


@pytest.mark.slow
def test_what_stands_in_a_file_and_is_not_run_does_not_land(project: Project) -> None:
    """What is expected to run is read from the source, not asked of the session."""
    hidden = RIGHT.replace("test_wrong", "test_hidden") + "\n\ntest_hidden = None\n"
    project.script(HEAD + DOUBLES + hidden)
    result = project.lift("--lift-iterations=1")
    assert result.status == 0, result.text
    assert "test_hidden: is in its file but was not run" in result
    assert names(project) == {"test_doubles"}


@pytest.mark.slow
def test_a_run_that_changes_the_program_is_worth_nothing(project: Project) -> None:
    """Without a jail it can: then it is noticed, undone, and not believed."""
    spoils = DOUBLES.replace(
        "    assert", '    import thing\n    open(thing.__file__, "a").write("#")\n    assert'
    )
    source = project.read("thing.py")
    project.script(HEAD + spoils)
    result = project.lift("--lift-iterations=1", "--lift-sandbox=off")
    assert "changed files of the project while they ran: thing.py" in result, result.text
    assert not (project.root / "tests/test_thing.py").exists()
    assert project.read("thing.py") == source
