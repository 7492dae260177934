"""`config.py`: the options of the model, from a real configuration of pytest."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pytest_lift.errors import UsageError
from pytest_lift.run.pytest_options import collected_by_default
from pytest_lift.session.config import read_settings
from pytest_lift.settings import Prices, Settings
from pytest_lift.suite.suite import Edit, read_suite

CALL = {"request": {"messages": [], "tools": []}, "answer": {"text": "a"}}


def read(pytester: pytest.Pytester, *options: str, ini: str = "", **environ: str) -> Settings:
    pytester.makeini(f"[pytest]\n{ini}")
    config = pytester.parseconfig(*options)
    return read_settings(config, config.option, environ)


def test_defaults(pytester: pytest.Pytester) -> None:
    found = read(pytester)
    assert (found.model, found.max_tokens, found.max_cost, found.context) == (
        None,
        None,
        None,
        None,
    )
    assert (found.prices, found.concurrency, found.dry_run) == ({}, 4, False)
    assert (found.replay, found.prompts) == (None, None)


@pytest.mark.parametrize(
    ("options", "environ", "output"),
    [
        ([], {}, "land"),
        ([], {"CI": "true"}, "patch"),
        (["--lift-output=land"], {"CI": "true"}, "land"),
        (["--lift-output=patch"], {}, "patch"),
    ],
)
def test_in_ci_it_is_a_patch_unless_asked_for(
    pytester: pytest.Pytester, options: list[str], environ: dict[str, str], output: str
) -> None:
    assert read(pytester, *options, **environ).output == output


def test_the_command_line(pytester: pytest.Pytester) -> None:
    (pytester.path / "mine").mkdir()
    found = read(
        pytester,
        *(
            "--lift-model=m:1",
            "--lift-max-tokens=200000",
            "--lift-max-cost=1.5",
            "--lift-concurrency=2",
        ),
        *(
            "--lift-prices=m:1 1 2",
            "--lift-prices=n 1 2 3",
            "--lift-context=8000",
            "--lift-dry-run",
        ),
        "--lift-prompts=mine",
    )
    assert (found.max_tokens, found.max_cost, found.concurrency) == (200_000, 1.5, 2)
    assert found.prices == {"m:1": Prices(1, 1, 2), "n": Prices(1, 2, 3)}
    assert (found.context, found.dry_run, found.prompts) == (8000, True, pytester.path / "mine")


def test_environment_and_ini(pytester: pytest.Pytester) -> None:
    ini = "lift_prices =\n    a:1 1 2\n    b 1 2 3\nlift_max_tokens = 7\nlift_dry_run = yes\n"
    found = read(pytester, ini=ini, LIFT_MAX_TOKENS="8")
    assert found.prices == {"a:1": Prices(1, 1, 2), "b": Prices(1, 2, 3)}
    assert (found.max_tokens, found.dry_run) == (8, True)
    assert set(read(pytester, ini=ini, LIFT_PRICES="c:1 1 2; d 3 4").prices) == {"c:1", "d"}
    assert read(pytester, "--lift-max-tokens=9", ini=ini, LIFT_MAX_TOKENS="8").max_tokens == 9
    overridden = "lift_iterations = 1\nlift_seed = x\n"
    found = read(pytester, ini=overridden, LIFT_ITERATIONS="0", LIFT_SEED="4")
    assert (found.iterations, found.seed) == (0, 4), "the ini file's own value is not even read"


@pytest.mark.parametrize("place", [".lift/history/20260101-000000", "somewhere"])
def test_a_recording_is_a_run_or_a_folder(pytester: pytest.Pytester, place: str) -> None:
    calls: Path = pytester.path / place / "calls"
    calls.mkdir(parents=True)
    (calls / "0001-generator.json").write_text(json.dumps(CALL))
    name = place if place == "somewhere" else "20260101-000000"
    assert read(pytester, f"--lift-replay={name}").replay == calls
    assert read(pytester, ini=f"lift_replay = {name}").replay == calls


@pytest.mark.parametrize(
    ("option", "told"),
    [
        ("--lift-max-tokens=0", "--lift-max-tokens: 0 leaves nothing to ask a model"),
        ("--lift-max-tokens=2e5", "--lift-max-tokens: '2e5' is not a whole number"),
        ("--lift-max-cost=-1", "--lift-max-cost: '-1' is not a number from 0"),
        ("--lift-concurrency=0", "--lift-concurrency: 0 leaves nothing"),
        ("--lift-context=100", "--lift-context: 100 tokens are too few"),
        ("--lift-prices=cheap", "--lift-prices: 'cheap' is not a price"),
        ("--lift-replay=nosuch", "--lift-replay: there is no recording 'nosuch'"),
        ("--lift-prompts=nosuch", "nosuch does not exist"),
        ("--lift-prompts=tox.ini", "tox.ini is not a folder"),
    ],
)
def test_what_cannot_be(pytester: pytest.Pytester, option: str, told: str) -> None:
    with pytest.raises(UsageError) as caught:
        read(pytester, option)
    assert told in str(caught.value)


@pytest.mark.parametrize(
    ("files", "tests"),
    [
        (["src/pkg/mod.py", "spec/test_mod.py"], "spec"),
        (["src/pkg/mod.py", "src/pkg/test_mod.py", "spec/test_mod.py"], "src"),
        (["src/pkg/mod.py"], "unittests"),
    ],
)
def test_of_testpaths_it_is_the_first_with_tests(
    pytester: pytest.Pytester, files: list[str], tests: str
) -> None:
    """Docstrings that are tests bring folders of the program into `testpaths`."""
    pytester.makeini("[pytest]\ntestpaths = src spec unittests\n")
    for name in files:
        path = pytester.path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("", "utf-8")
    config = pytester.parseconfig(f"--rootdir={pytester.path}")
    assert read_settings(config, config.option, {}).tests == tests


@pytest.mark.parametrize(
    ("patterns", "tests"),
    [
        ("src/tests/test_*.py", "src/tests"),
        ("*/checks/test_*.py src/checks/*.py", "src/checks"),
        ("src/tests/test_*.py test_*.py", "tests"),
        ("test*/test_*.py", "tests"),
        ("*/tests/test_*.py", "tests"),
    ],
)
def test_where_test_files_are_those_of_certain_folders_the_tests_are_there(
    pytester: pytest.Pytester, patterns: str, tests: str
) -> None:
    pytester.makeini(f"[pytest]\npython_files = {patterns}\n")
    config = pytester.parseconfig(f"--rootdir={pytester.path}")
    assert read_settings(config, config.option, {}).tests == tests


def test_in_a_monorepo_the_tests_are_those_of_the_project_one_stands_in(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    ini = "testpaths = packages/a/tests packages/b/checks\n"
    for name in "abc":
        (pytester.path / f"packages/{name}/tests").mkdir(parents=True)
        text = f"[project]\nname = '{name}'\n"
        (pytester.path / f"packages/{name}/pyproject.toml").write_text(text, "utf-8")
    (pytester.path / "packages/b/checks").mkdir()
    pytester.makeini(f"[pytest]\n{ini}")
    found = {}
    for name, wanted in (("a", "tests"), ("b", "checks"), ("c", "tests")):
        monkeypatch.chdir(pytester.path / "packages" / name)
        config = pytester.parseconfig(
            f"--rootdir={pytester.path}", "-c", str(pytester.path / "tox.ini")
        )
        tests = read_settings(config, config.option, {}).tests
        found[name] = (tests, collected_by_default(config, pytester.path, tests))
        assert tests == f"packages/{name}/{wanted}"
    assert found["b"][1] == ["packages/b/checks"]
    assert found["c"][1] == ["packages/c"]


def test_links_under_the_names_of_the_project_are_links_of_its_suite(
    pytester: pytest.Pytester,
) -> None:
    found = read(pytester, ini="lift_marker = story\nlift_property = covers\n")
    path = "tests/test_thing.py"
    (pytester.path / "tests").mkdir()
    (pytester.path / path).write_text(
        'import pytest\n\n@pytest.mark.story("A-1")\ndef test_marked():\n    pass\n\n'
        'def test_recorded(record_property):\n    record_property("covers", "A-2, A-3")\n'
    )
    suite = read_suite(found.root, found.tests, found.naming)
    links = [test.requirements for test in suite.tests()]
    assert links == [("A-1",), ("A-2", "A-3")]
    again = suite.apply(Edit({path: suite.text(path).replace("A-1", "A-4")}))
    assert [test.requirements for test in again.tests()] == [("A-4",), ("A-2", "A-3")]
