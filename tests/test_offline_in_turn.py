"""Examples that need what those before them told the program become one case."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest
from jails import best_jail
from offline_program import brief, write_program

from pytest_lift.agents.offline.conforming import ConformingExamples
from pytest_lift.agents.offline.documentation import Documentation
from pytest_lift.agents.offline.examples.examples import NOTHING_WRITTEN
from pytest_lift.agents.offline.generator import generator
from pytest_lift.calls.case import Case
from pytest_lift.calls.matching import Matcher
from pytest_lift.calls.names import Resolver
from pytest_lift.calls.prober import Prober
from pytest_lift.calls.targets.finding import find_targets

GREETINGS = '''
    """Greetings in several languages."""

    WORDS = {"en": "hello", "fr": "bonjour"}
    state = {"language": "en"}


    def speak(language):
        """Greet in a language from now on."""
        if language not in WORDS:
            raise ValueError("no such language")
        state["language"] = language
        return object()


    def greet(name):
        """Greet a person."""
        if state["language"] == "fr":
            return "%s, %s !" % (WORDS["fr"], name)
        return "%s %s" % (WORDS["en"], name)
'''
README = """
# Greetings

Greeting in another language:

    >>> import greetings
    >>> greetings.greet("Ann")
    'hello Ann'
    >>> before = greetings.speak("fr")
    >>> greetings.greet("Ann")
    'bonjour, Ann !'
    >>> before = greetings.speak("en")

Greeting somebody else:

    >>> greetings.greet("Bob")
    'hello Bob'
"""


def documented(root: Path, readme: str) -> list[Case]:
    program = write_program(root, {"greetings.py": GREETINGS, "README.md": readme})
    resolver = Resolver(program)
    matcher = Matcher(find_targets(program, resolver))
    documents = Documentation(program, root)
    with closing(Prober(root, program, best_jail(), may_leave=True)) as prober:
        examples = ConformingExamples(
            brief(root, program), documents, matcher, resolver, prober, NOTHING_WRITTEN
        )
        return [one.case for one in examples.kept()]


def test_what_is_told_to_the_program_stands_before_what_it_then_shows(tmp_path: Path) -> None:
    alone, told = documented(tmp_path, README)
    assert told.source.splitlines() == [
        "greet('Ann')",
        "before = speak('fr')",
        "greet('Ann')",
        "before = speak('en')",
    ]
    assert told.stateful
    assert alone.source == "greet('Bob')"


@pytest.mark.parametrize(
    ("line", "other"),
    [
        ("'bonjour, Ann !'", "'hola, Ann !'"),
        ('before = greetings.speak("fr")', "import os"),
        ("'bonjour, Ann !'", "'hello Ann'"),
    ],
    ids=["is not what comes out", "tells nothing", "shows what is so anyway"],
)
def test_examples_stay_alone_where_nothing_is_gained(tmp_path: Path, line: str, other: str) -> None:
    cases = documented(tmp_path, README.replace(line, other))
    assert [case.source for case in cases] == ["greet('Ann')", "greet('Bob')"]


def test_a_test_takes_back_what_it_told_the_program(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"greetings.py": GREETINGS, "README.md": README})
    edit = generator(brief(tmp_path, program))
    text = str(edit.files["tests/test_greetings.py"])
    assert "after speak('fr'), greet('Ann')" in " ".join(text.split())
    lines = [line.strip() for line in text.splitlines()]
    at = lines.index('speak("fr")')
    assert lines[at - 1 : at + 3] == [
        'assert greet("Ann") == "hello Ann"',
        'speak("fr")',
        'assert greet("Ann") == "bonjour, Ann !"',
        'speak("en")',
    ]
