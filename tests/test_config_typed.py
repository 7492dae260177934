"""Places of the program on the command line are told from places of tests."""

from __future__ import annotations

import pytest
from scoped_project import made

from pytest_lift.session.config import typed_places


def test_places_of_the_program_are_told_from_places_of_tests(pytester: pytest.Pytester) -> None:
    root = pytester.path
    program, _, suite = made(root, "def test_a():\n    pass\n")
    tokens = [
        *("--lift", "-k", "src/shop", "src/shop/words.py", "tests", "--lift-source", "src/shop"),
        *("-vk", "src", "--lift-source=src", "src/shop/prices.py::net", ".", "src"),
        *("--", "-k", "src/shop"),
    ]
    config = pytester.parseconfig("tests")
    found = typed_places(config, config._parser, tokens, program, suite, root)
    assert found.sources == ("src/shop/words.py", "src/shop/prices.py::net", "src", "src/shop")
    assert found.places == ("tests", ".", "-k")
    assert found.rest == (
        *("--lift", "-k", "src/shop", "tests", "--lift-source", "src/shop"),
        *("-vk", "src", "--lift-source=src", ".", "--", "-k"),
    )
