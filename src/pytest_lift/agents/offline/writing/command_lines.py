"""Checks, names and sentences of tests that give a program a command line."""

from __future__ import annotations

import ast
import re
import shlex
from collections.abc import Iterator, Sequence

from pytest_lift.agents.offline.writing.oracles.checks import StepCheck
from pytest_lift.agents.offline.writing.values import text_words
from pytest_lift.agents.offline.writing.words import slug
from pytest_lift.calls.case import Case
from pytest_lift.calls.child.isolation.surroundings import GONE

LONGEST_LINE, LONGEST_SAID = 44, 30
MOST_WORDS = 2
ENDINGS = ("exits", "ends with")


def name_words(case: Case) -> list[str]:
    """Returns the words of a name: subcommands, then options: ``count_with_unit``."""
    words = (case.command or case.argv or ())[1:]
    first = next((n for n, word in enumerate(words) if word.startswith("-")), len(words))
    plain = [w for w in words[:first] if re.fullmatch(r"[A-Za-z][\w-]{0,15}", w)]
    flags = _flags(words)
    found = [slug(word) for word in plain[:MOST_WORDS] if word not in case.files]
    if flags:
        found.append("with_" + "_and_".join(flags[:MOST_WORDS]))
    if not found and len(words) > 1 - bool(case.files):
        found += ["reading_a_file"] if case.files else []
    return found or [] if words else ["without_arguments"]


def later_option(case: Case) -> str:
    """Returns the first option of a command line that is not in its name, "" for none."""
    return next(iter(_flags((case.command or case.argv or ())[1:])[MOST_WORDS:]), "")


def _flags(words: Sequence[str]) -> list[str]:
    """Returns the options among some words as words of a name."""
    given = [one.lstrip("-").partition("=")[0] for one in words if re.match(r"--?[A-Za-z]", one)]
    return [slug(one) for one in given]


def sentences(subject: str, case: Case, checks: Sequence[StepCheck]) -> Iterator[str]:
    """Yields sentences like ``wordcount count input.txt prints 2 lines``, the longest first."""
    given = [shlex.quote(word) for word in case.command[1:]]
    line = " ".join([*case.command[:1], *given]).strip() or subject.strip("_")
    line = re.sub(r"^__main__\b", subject.strip("_"), line)
    short = line if len(line) <= LONGEST_LINE else f"{case.command[0]} {subject.strip('_')}".strip()
    told = list(_told(checks))
    both = sorted(told[:2], key=lambda one: one.startswith(ENDINGS))  # a message ends a sentence
    for said in (both, told[:1]):
        if said:
            yield f"{line} {' and '.join(said)}"
            yield f"{short} {' and '.join(said)}"
    succeeds = any(one.form == "equals" and one.expected == "0" for one in checks)
    yield f"{line} {'gives 0' if succeeds and not told else 'does its work'}"
    yield f"{subject.strip('_')} takes a command line"


def _told(checks: Sequence[StepCheck]) -> Iterator[str]:
    """Yields what a command does: exits, prints, writes or returns."""
    for check in checks:
        if check.form == "exits":
            said = next((piece for _, piece in check.said), "")
            code = "" if check.expected == "None" else f" with {check.expected}"
            yield f"exits{code}" + (f": {said}" if said else "")
        elif check.form in ("raises", "says") and check.raised is not None:
            yield f"ends with {check.raised.type}" + (f": {check.match}" if check.match else "")
        if check.printed:
            yield f"prints {_short(check.printed)}"
        elif check.form == "printed" and check.said:
            yield f"prints a text with {check.said[0][1]!r}"
        gone = [name for name, text in check.files if text == GONE]
        if len(gone) < len(check.files):
            yield f"writes {' and '.join(name for name, text in check.files if text != GONE)}"
        if gone:
            yield f"removes {' and '.join(gone)}"
        if check.expression.endswith(".output") and check.form == "equals":
            yield f"prints {_short(_value(check.expected))}"
        elif check.form == "true" and check.expression.endswith(".output"):
            yield f"prints a text with {check.expression.partition(' in ')[0]}"
        elif check.form == "equals" and check.expected != "0" and not _is_exit(check):
            yield f"gives {check.expected}"
    yield from (f"exits with {c.expected}" for c in checks if _is_exit(c))


def _is_exit(check: StepCheck) -> bool:
    return check.expression.endswith(".exit_code")


def _value(source: str) -> str:
    value = ast.literal_eval(source)
    return value if isinstance(value, str) else source


def _short(text: str) -> str:
    lines = text.splitlines()
    if lines == [""]:
        return "an empty line"
    if len(lines) == 1 and len(lines[0]) <= LONGEST_SAID and lines[0].isprintable():
        return repr(lines[0])
    return text_words(text)
