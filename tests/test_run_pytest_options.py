"""Options of the user, as the inner runs need to know them: kept, dropped or seen from elsewhere."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from option_words import DROPPED, SAFE, WORDS

from pytest_lift.project.option_tokens import Arities
from pytest_lift.run.plain_pytest import typed
from pytest_lift.run.pytest_options import (
    USUAL,
    asked_options,
    inner_addopts,
    partial_selection,
    seen_from,
    usual_marks,
)


@pytest.mark.parametrize(
    ("addopts", "usual"),
    [
        ("", ""),
        ("-m 'not slow'", "not slow"),
        ("-v -m 'not (slow or gpu)' --strict-markers", "not (slow or gpu)"),
        ("-m unit", ""),  # tests without marks would not run: new ones are of these
        ("-m 'not slow and unit'", ""),
        ("-m 'not ('", ""),
    ],
)
def test_what_a_project_sets_apart_by_marks_is_not_run(
    pytester: pytest.Pytester, addopts: str, usual: str
) -> None:
    pytester.makeini(f"[pytest]\naddopts = {addopts}\n")
    config = pytester.parseconfig()
    assert usual_marks(config) == usual
    for told in (
        asked_options(config, pytester.path),
        typed(config, pytester.path, "tests").addopts,
    ):
        assert usual in told if usual else "-m" not in told, told
    assert partial_selection(config) == (["-m"] if addopts.startswith("-m") and not usual else [])


def test_what_is_typed_selects_the_users_session_only(pytester: pytest.Pytester) -> None:
    pytester.makeini("[pytest]\naddopts = -m 'not slow'\n")
    config = pytester.parseconfig("-m", "slow", "-k", "a")
    assert partial_selection(config) == ["-k", "-m"]
    told = asked_options(config, pytester.path)
    assert told[told.index("-m") + 1] == "not slow"
    assert "slow" not in told


def test_only_what_stands_alone_is_a_place_to_collect() -> None:
    tokens = "tests -k tests -W error --lf tests --ds x.y a.py -- b.py -x".split()
    known: Arities = {**USUAL, "--ds": "one"}
    assert inner_addopts(tokens, known, words=False) == "-W error --ds x.y".split()
    assert inner_addopts(tokens) == "tests -W error tests --ds x.y a.py b.py".split()


def test_paths_are_seen_from_the_root() -> None:
    tokens = "--ignore=../tests/bad --ignore a --confcutdir /p/x --ignore=/q -x --ds=..".split()
    there = "--ignore=tests/bad --ignore docs/a --confcutdir x --ignore=/q -x --ds=..".split()
    assert seen_from(Path("/p"), Path("/p/docs"), tokens) == there


@pytest.mark.parametrize(
    ("given_", "kept"),
    [
        ("-n 4 -n4 -nauto --numprocesses=2 --numprocesses 2 --dist loadscope --tx 3*popen", ""),
        ("-x --exitfirst --maxfail=2 --maxfail 2", ""),
        ("--lf --ff --nf --sw --last-failed --lfnf all --stepwise-skip --cache-clear", ""),
        ("-k 'a or b' -kfast -m 'not slow' -mslow", "-m 'not slow' -mslow"),
        ("--cov --cov=src --cov src --cov-report=term-missing --cov-report html --no-cov", ""),
        ("--cov-config .coveragerc --cov-fail-under 90 --cov-branch -v", "-v"),
        ("--junitxml=a.xml --junit-xml b.xml --html=r.html --self-contained-html", ""),
        ("--json-report --json-report-file out.json --report-log=x", ""),
        ("--lift --lift-model gpt --requirements reqs.yml --lift-no-contexts tests", "tests"),
        ("--lift-report html --lift-report=json:a --lift-strict tests --lift-x", "tests"),
        ("--pdb --trace --pdbcls=a:b -xvs -vx -xn2 -vn 2", "-vs -v -v"),
        ("-p xdist -p no:cacheprovider -pno:terminal -p lift -p no:lift", "-p xdist"),
        ("-rxX -ra -W error::Warning -c setup.cfg -o xfail_strict=true", None),
        ("--strict-markers --import-mode=importlib --doctest-modules --durations=5", None),
        ("--ds config.settings --timeout 30 -p my_plugin --ignore=x tests", None),
        ("--random-order --randomly-seed=1 --randomly-seed 1 -p randomly", ""),
        ("--basetemp=/tmp/x --rootdir . --coverage-like", "--coverage-like"),
    ],
)
def test_named_options_are_dropped_with_their_values(given_: str, kept: str | None) -> None:
    expected = given_ if kept is None else kept
    assert inner_addopts(shlex.split(given_)) == shlex.split(expected)


def test_marks_select_only_where_the_project_says_so() -> None:
    tokens = "-m slow -vm slow -x -W error -mslow tests".split()
    assert inner_addopts(tokens) == "-m slow -vm slow -W error -mslow tests".split()
    assert inner_addopts(tokens, marks=False) == "-v -W error tests".split()


@given(st.lists(st.sampled_from([*([s] for s in SAFE), *DROPPED])))
def test_an_option_that_is_not_on_the_list_is_never_lost(groups: list[list[str]]) -> None:
    tokens = [token for group in groups for token in group]
    assert inner_addopts(tokens) == [group[0] for group in groups if group[0] in SAFE]


@given(st.lists(st.sampled_from(WORDS) | st.text("-=xnkpv", max_size=6)))
@example(["-x-"])
def test_what_is_kept_would_be_kept_again(tokens: list[str]) -> None:
    once = inner_addopts(tokens)
    assert inner_addopts(once) == once


@given(st.lists(st.text(max_size=8).filter(lambda text: not text.startswith("-"))))
def test_what_is_not_an_option_stays(tokens: list[str]) -> None:
    assert inner_addopts(tokens) == tokens
