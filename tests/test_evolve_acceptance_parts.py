"""Of a refused candidate the largest part that loses nothing is found: by file, then by test."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from pytest_lift.evolve.acceptance import MOST_TRIES, Parts
from pytest_lift.suite.suite import Edit, Suite

HEAD = "import pytest\n"


def written(name: str, body: str = "assert f(1)") -> str:
    return f'\n\ndef test_{name}():\n    """I."""\n    {body}\n'


def suite(**files: str) -> Suite:
    """Each file with tests by their letters; a capital one has another body."""
    return Suite("tests").apply(
        Edit({f"tests/{name}.py": _text(letters) for name, letters in files.items()})
    )


def _text(letters: str) -> str:
    return HEAD + "".join(
        written(one.lower(), "assert f(2)" if one.isupper() else "assert f(1)") for one in letters
    )


def letters(found: Suite) -> dict[str, str]:
    """The inverse of `suite`."""
    return {
        path.removeprefix("tests/").removesuffix(".py"): "".join(
            test.node[-1].upper() if "f(2)" in found.source(test) else test.node[-1]
            for test in file.tests
        )
        for path, file in found.files.items()
    }


@dataclass
class Judge:
    """Whatever holds one of the letters loses something."""

    accepted: Suite
    bad: str
    asked: list[dict[str, str]] = field(default_factory=list)

    def fits(self, edit: Edit) -> bool:
        found = letters(self.accepted.apply(edit))
        self.asked.append(found)
        return not {*self.bad} & {*"".join(found.values())}


ACCEPTED = suite(test_a="abc", test_b="de")


@pytest.mark.parametrize(
    ("candidate", "bad", "left", "most"),
    [
        (suite(test_a="abcx", test_b="dey"), "x", {"test_a": "abc", "test_b": "dey"}, 3),
        (suite(test_a="aBc", test_b="dEz"), "B", {"test_a": "abc", "test_b": "dEz"}, 3),
        (suite(test_a="ABCx", test_b="de"), "B", {"test_a": "AbCx", "test_b": "de"}, 7),
        (suite(test_a="abc", test_b="de", test_c="xyz"), "y",
         {"test_a": "abc", "test_b": "de", "test_c": "xz"}, 5),
        (suite(test_a="Abcx", test_b="DEy"), "AxDEy", {"test_a": "abc", "test_b": "de"}, 12),
        (suite(test_a="abc"), "", {"test_a": "abc", "test_b": "de"}, 0),
        (ACCEPTED, "", {"test_a": "abc", "test_b": "de"}, 0),
    ],
    ids=["a-file", "a-changed-file", "changed-tests", "a-new-file", "all", "a-deletion", "nothing"],
)  # fmt: skip
def test_what_harms_nothing_stays(
    candidate: Suite, bad: str, left: dict[str, str], most: int
) -> None:
    judge = Judge(ACCEPTED, bad)
    parts = Parts(candidate, ACCEPTED, judge.fits)
    assert letters(ACCEPTED.apply(parts.largest())) == left
    assert len(judge.asked) == parts.tries <= most
    assert letters(candidate) not in judge.asked, "it is known to lose something"
    assert letters(ACCEPTED) not in judge.asked, "nothing is no part"
    assert all(judge.asked.count(one) == 1 for one in judge.asked)


def test_what_tests_ask_for_comes_before_them() -> None:
    conftest = "import pytest\n\n\n@pytest.fixture\ndef shop():\n    return 1\n"
    asks = HEAD + written("x", "assert shop").replace("()", "(shop)", 1)
    files = {"tests/a/test_x.py": asks, "tests/conftest.py": conftest, "tests/test_z.py": HEAD}
    candidate = ACCEPTED.apply(Edit({**files, "tests/test_z.py": _text("z")}))

    def fits(edit: Edit) -> bool:
        asked, given = "tests/a/test_x.py" in edit.files, "tests/conftest.py" in edit.files
        return "tests/test_z.py" not in edit.files and asked <= given

    found = Parts(candidate, ACCEPTED, fits).largest()
    assert {*found.files} == {"tests/a/test_x.py", "tests/conftest.py"}


def test_it_ends_when_the_time_is_up_or_it_was_tried_often_enough() -> None:
    candidate = suite(**{f"test_{n}": "abcdefgh" for n in range(8)}, test_a="abc", test_b="de")
    judge = Judge(ACCEPTED, "h")
    Parts(candidate, ACCEPTED, judge.fits).largest()
    assert len(judge.asked) == MOST_TRIES
    hurried = Judge(ACCEPTED, "h")
    parts = Parts(candidate, ACCEPTED, hurried.fits, lambda: len(hurried.asked) < 3)
    assert not parts.largest()
    assert len(hurried.asked) == 3
