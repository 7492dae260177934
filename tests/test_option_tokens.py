"""Tokens of a command line and the options that they belong to."""

from __future__ import annotations

import pytest

from pytest_lift.project.option_tokens import (
    OWN,
    Arities,
    Arity,
    Tokens,
    arities,
    arity_of,
    expanded,
    typed_tokens,
    values_after,
)

KNOWN: Arities = {"-k": "one", "-v": "none", "-x": "none", "--cov": "optional", "-r": "one"}


@pytest.mark.parametrize(
    ("token", "after"),
    [
        ("-k", "one"),
        ("-kword", "none"),
        ("-v", "none"),
        ("-vk", "one"),
        ("-vkword", "none"),
        ("-xvv", "none"),
        ("-z", "none"),
        ("--cov", "optional"),
        ("--cov=src", "none"),
        ("--other", "none"),
        ("-", "none"),
    ],
)
def test_values_that_follow_a_token(token: str, after: Arity) -> None:
    assert values_after(token, KNOWN) == after


@pytest.mark.parametrize(
    ("arity", "rest", "taken"),
    [
        ("none", "a b", []),
        ("one", "a b", ["a"]),
        ("one", "-a b", ["-a"]),
        ("one", "", []),
        ("optional", "a b", ["a"]),
        ("optional", "-a b", []),
        ("several", "a b -c d", ["a", "b"]),
        ("several", "", []),
    ],
)
def test_values_are_taken_and_the_rest_goes_on(arity: Arity, rest: str, taken: list[str]) -> None:
    tokens = Tokens(rest.split())
    assert tokens.take(arity) == taken
    assert [*tokens] == rest.split()[len(taken) :]


def test_the_first_that_knows_an_option_tells() -> None:
    assert arity_of("-k", {"-k": "none"}, KNOWN) == "none"
    assert arity_of("-r", {"-k": "none"}, KNOWN) == "one"
    assert arity_of("-z", KNOWN) is None


def test_options_of_a_session_have_their_arity(pytester: pytest.Pytester) -> None:
    config = pytester.parseconfig()
    found = arities(config._parser)
    expected = {"-k": "one", "-v": "none", "--maxfail": "one", "--verbosity": "one", "-x": "none"}
    assert {name: found[name] for name in expected} == expected


def test_files_of_arguments_are_read_where_pytest_reads_them(pytester: pytest.Pytester) -> None:
    path = pytester.makefile(".txt", "-v\ntests")
    parser = pytester.parseconfig()._parser
    wanted = ["-v", "tests", "x"] if pytest.version_tuple >= (8, 2) else [f"@{path}", "x"]
    assert expanded(parser, [f"@{path}", "x"]) == wanted


def test_the_environment_comes_before_the_command_line(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTEST_ADDOPTS", "-k 'a b'")
    found = typed_tokens(pytester.parseconfig("-v"))
    assert found[:2] == ["-k", "a b"]
    assert "-v" in found[2:]


def test_our_own_options_are_known() -> None:
    assert OWN["--lift"] == "none"
    assert OWN["--requirements"] == "one"
    assert OWN["--lift-report"] in ("one", "optional")
