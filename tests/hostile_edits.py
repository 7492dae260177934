"""Edits that lose, hide, fake and misplace tests: a seed each -> the edit, its operations, its harm."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

from pytest_lift.gate.gating import Gated, gate
from pytest_lift.gate.regression import lost
from pytest_lift.requirements.requirement import Requirement, Requirements
from pytest_lift.source.program import Program, SourceFile
from pytest_lift.suite.placement import misplaced
from pytest_lift.suite.suite import Edit, Suite, suite_of

ASKED = Requirements(
    tuple(Requirement(f"R-{n}", "t", "d", ("a",), ("shop", "desk"), "r.yml", n) for n in (1, 2, 3))
)
SOURCE = "LIMIT = 3\n\n\ndef f(x=0):\n    return x + 1\n\n\ndef _inner(x):\n    return x\n"
PROGRAM = Program(
    ("pkg",),
    ("pkg",),
    ("",),
    {f"pkg/{m}.py": SourceFile(f"pkg/{m}.py", f"pkg.{m}", SOURCE) for m in ("a", "b", "c")},
)
MINE = "import pytest\n\n\ndef test_mine():\n    # mine\n    assert 1 + 1 == 2\n"
MIXED = f"from pkg.b import f\n{MINE}"
HEAD = '"""Tests."""\n\nimport pytest\n\nfrom pkg.a import f\n\nBEST = 3\n'
TESTS = (
    '@pytest.mark.req("R-1")\ndef test_one():\n    """One."""\n    result = f(1)\n    assert result == 2\n    assert f(2) == BEST\n',
    '@pytest.mark.req("R-2")\n@pytest.mark.parametrize("x", [1, 2, 3])\ndef test_rows(x):\n    """Rows."""\n    assert f(x) == x + 1\n',
    '@pytest.mark.emergent("seen")\ndef test_raises():\n    """Raises."""\n    with pytest.raises(TypeError):\n        f("a")\n',
    '@pytest.mark.req("R-3")\nclass TestF:\n    """F."""\n\n    def test_method(self):\n        """Method."""\n        assert f(3) == 4\n\n    def test_other(self):\n        """Other."""\n        assert f(4) == 5\n',
)
WHOLE = "\n\n".join([HEAD, *TESTS])
NEW = '\n\n@pytest.mark.req("R-1")\ndef test_new():\n    """New."""\n    assert f(7) == 8\n'


def accepted() -> Suite:
    """The tool's tests in a file of their own and in one of the user's, and the user's."""
    texts = {"tests/test_mine.py": MINE, "tests/test_b.py": MIXED}
    edit = Edit({"tests/test_a.py": WHOLE, "tests/test_b.py": MIXED + NEW})
    gated = gate(edit, suite_of("tests", texts), ASKED, PROGRAM)
    assert gated.refused == ()
    return gated.suite


ACCEPTED = accepted()
Files = dict[str, str | None]
Operation = Callable[[Files, random.Random], None]
PLACES = (
    *("tests/test_a_2.py", "tests/deep/test_a.py", "tests/x.py", "test_a.py", "../x.py"),
    *("tests/conftest.py", "tests/deep/conftest.py", "tests/__init__.py", "tests/test_c.py"),
    *("tests/test_shop.py", "tests/test_shop_desk.py", "tests/.lift.json", "tests/tést.py"),
)


def _text(files: Files, random: random.Random) -> tuple[str, str]:
    path = random.choice(sorted(ACCEPTED.files))
    return path, files.get(path) or ACCEPTED.files[path].text


def changed(pairs: tuple[tuple[str, str], ...]) -> Operation:
    """Puts the second text of a pair in the place of one occurrence of its first."""

    def operation(files: Files, random: random.Random) -> None:
        path, text = _text(files, random)
        old, new = random.choice(pairs)
        at = [i for i in range(len(text)) if text.startswith(old, i)]
        if at:
            i = random.choice(at)
            files[path] = text[:i] + new + text[i + len(old) :]

    return operation


def added(*pieces: str) -> Operation:
    """Adds code at the end."""

    def operation(files: Files, random: random.Random) -> None:
        path, text = _text(files, random)
        files[path] = text + "\n\n" + random.choice(pieces)

    return operation


def _tests_deleted(files: Files, random: random.Random) -> None:
    parts = [part for part in TESTS if random.random() < 0.5]
    files["tests/test_a.py"] = "\n\n".join([HEAD, *parts])


def _moved(files: Files, random: random.Random) -> None:
    files["tests/test_c.py"] = "\n\n".join([HEAD, random.choice(TESTS)])
    files["tests/test_a.py"] = "\n\n".join([HEAD, *random.sample(TESTS, 2)])


def _file_renamed(files: Files, random: random.Random) -> None:
    path, text = _text(files, random)
    files[path], files[random.choice(PLACES)] = None, text


def _placed_oddly(files: Files, random: random.Random) -> None:
    files[random.choice(PLACES)] = HEAD + NEW


def _emptied(files: Files, random: random.Random) -> None:
    files[_text(files, random)[0]] = random.choice((None, "", "\n", "pass\n", "import pytest\n"))


def _rewritten(files: Files, random: random.Random) -> None:
    files[_text(files, random)[0]] = HEAD + NEW


def _cut(files: Files, random: random.Random) -> None:
    path, text = _text(files, random)
    begin, end = sorted(random.sample(range(len(text) + 1), 2))
    files[path] = text[:begin] + text[end:]


def _duplicated(files: Files, random: random.Random) -> None:
    path, text = _text(files, random)
    part = random.choice(TESTS).replace("assert f", "f").replace("    assert result == 2\n", "")
    files[path] = f"{text}\n\n{part}"


OPERATIONS: dict[str, Operation] = {
    "delete tests": _tests_deleted,
    "move tests": _moved,
    "rename a file": _file_renamed,
    "new file at a place": _placed_oddly,
    "empty or delete a file": _emptied,
    "rewrite a file": _rewritten,
    "cut at random": _cut,
    "define a test again": _duplicated,
    "drop an assertion": changed((("    assert ", "    "), ("assert f(2) == BEST", "f(2)"), ("[1, 2, 3]", "[1]"))),
    "weaken an assertion": changed((("==", ">="), ("(TypeError)", "(Exception)"), ("BEST = 3", "BEST = f(2)"), ("f(1)\n", "2\n"))),
    "end a test early": changed((('."""\n', '."""\n    return\n'), ("    assert", "    if f(0) > 9:\n        assert"))),
    "rename a test": changed((("def test_", "def check_"), ("def test_", "def test_x"), ("TestF", "Fs"))),
    "set a test aside": changed(
        (
            ("@pytest.mark.req", "@pytest.mark.xfail\n@pytest.mark.req"),
            ("@pytest.mark.req", '@pytest.mark.skip(reason="slow")\n@pytest.mark.req'),
            ('."""\n', '."""\n    pytest.skip("no")\n'),
            ("import pytest\n", 'import pytest\npytestmark = pytest.mark.skip(reason="x")\n'),
        )
    ),
    "invent an id": changed((("R-1", "R-99"), ("R-2", ""), ("R-3", "R-98"), ('req("R-1")', 'req("R-1", "X")'))),
    "change a mark": changed((('req("R-1")', 'emergent("seen")'), ('@pytest.mark.req("R-1")\n', ""), ('emergent("seen")', 'req("R-2")'))),
    "break the syntax": changed((("def ", "def def "), ("(", "(("), ('"""', '"'), ("    ", "\t"))),
    "import * or others": changed((("from pkg.a import f", "from pkg.a import *"), ("from pkg.a import f", "from pkg.b import _inner as f"), ("import pytest", "import gc as pytest"))),
    "name in unicode": changed((("test_one", "test_ﬁne"), ("result", "résult"), ("def test_", "def test_µ"), ("\n", "\u2028"), ("\n", "\r\n"), ("f(", "\uff46("))),
    "fake the platform": added('@pytest.mark.req("R-1")\ndef test_fake(monkeypatch):\n    """F."""\n    monkeypatch.setattr("sys.platform", "x")\n    assert f(1) == 2\n', "import sys\nsys.modules['pkg'] = None\n"),
    "pin the inside": added('@pytest.mark.req("R-1")\ndef test_pin():\n    """P."""\n    from pkg.a import _inner\n    assert _inner(1) == 1\n'),
    "assert nothing": added('@pytest.mark.req("R-1")\ndef test_nothing():\n    """N."""\n    x = f(1)\n    assert x == x\n', '@pytest.mark.req("R-1")\ndef test_away():\n    """A."""\n    assert sum([1]) == 1\n'),
    "spoil the names": added("test_one = None\n", "del test_rows\n", "f = len\n", "class TestF:\n    pass\n", "def test_one():\n    pass\n"),
    "add a sound test": added(NEW.replace("test_new", "test_sound"), NEW.replace("test_new", "test_fine")),
}  # fmt: skip


@dataclass(frozen=True)
class Tried:
    """One hostile edit, and what the gate made of it."""

    operations: tuple[str, ...]
    edit: Edit
    gated: Gated

    @property
    def verdict(self) -> str:
        """``refused``, ``repaired`` (in part) or ``let through``."""
        if not self.gated.refused:
            return "let through"
        return "refused" if self.gated.suite.files == ACCEPTED.files else "repaired"


def tried(seed: int) -> Tried:
    """One to four operations on the accepted suite, through the gate."""
    choice = random.Random(seed)
    names = tuple(choice.choices(list(OPERATIONS), k=choice.randint(1, 4)))
    files: Files = {}
    for name in names:
        OPERATIONS[name](files, choice)
    edit = Edit(files)
    return Tried(names, edit, gate(edit, ACCEPTED, ASKED, PROGRAM))


def violations(tried: Tried) -> list[str]:
    """What must never be, after the gate."""
    after = tried.gated.suite
    found = [f"unknown id in {t.node}" for t in after.owned_tests() if not _known(t.requirements)]
    for test in ACCEPTED.owned_tests():
        path, _, name = test.node.partition("::")
        if what := lost(name, after.files.get(path), ACCEPTED.files[path], after.naming):
            found.append(f"{test.node} {what}")
        elif (now := after.function(test.node)) is None or not after.is_owned(now):
            found.append(f"{test.node} is the tool's no more")
    for test in ACCEPTED.user_tests():
        now = after.function(test.node)
        if now is None or after.source(now) != ACCEPTED.source(test) or after.is_owned(now):
            found.append(f"{test.node} of the user changed")
    for path, file in after.files.items():
        if file.error is not None:
            found.append(f"{path} does not parse")
        new = path not in ACCEPTED.files
        if new and (not path.startswith("tests/") or misplaced(path, file.text, ACCEPTED, ASKED, PROGRAM)):  # fmt: skip
            found.append(f"{path} is outside the layout")
    again = gate(ACCEPTED.edit_to(after), ACCEPTED, ASKED, PROGRAM)
    if again.suite.files != after.files or again.suite.owned != after.owned:
        found.append("a second gate changes something")
    if again.refused:
        found.append(f"a second gate refuses {again.refused[0].what}")
    return found


def _known(ids: tuple[str, ...]) -> bool:
    return all(name in ASKED for name in ids)


def table(seeds: range) -> tuple[dict[str, Counter[str]], list[tuple[int, str]]]:
    """operation -> how many edits with it were refused, repaired, let through; and violations."""
    rows: dict[str, Counter[str]] = {name: Counter() for name in OPERATIONS}
    wrong = []
    for seed in seeds:
        one = tried(seed)
        for name in set(one.operations):
            rows[name][one.verdict] += 1
        wrong += [(seed, what) for what in violations(one)]
    return rows, wrong
