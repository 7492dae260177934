"""What a candidate only adds, and single tests of it, are put into files as they were."""

from __future__ import annotations

import pytest

from pytest_lift.gate.regression import additions, with_tests
from pytest_lift.suite.collection import Naming
from pytest_lift.suite.suite import Edit, Suite

PATH = "tests/test_a.py"
HEAD = "import pytest\nfrom pkg import f\n\n\n"


def written(name: str, value: int = 1) -> str:
    return f"def test_{name}():\n    assert f({value}) == helper({value})\n"


def text(*parts: str) -> str:
    return HEAD + "\n\n".join(parts)


HELPER = "def helper(x):\n    return x\n"
OLD = text(HELPER, written("one"), written("two", 2))


def suite(files: dict[str, str], naming: Naming | None = None) -> Suite:
    empty = Suite("tests", naming=naming) if naming else Suite("tests")
    return empty.apply(Edit(dict(files)))


ACCEPTED = suite({PATH: OLD, "tests/test_b.py": OLD})


def added(new: str, path: str = PATH) -> str | None:
    return additions(ACCEPTED.apply(Edit({path: new})), ACCEPTED).files.get(path)


def test_new_files_and_new_tests_are_additions() -> None:
    new = text(HELPER, written("one"), written("two", 2), written("three", 3))
    edit = additions(ACCEPTED.apply(Edit({PATH: new, "tests/test_c.py": OLD})), ACCEPTED)
    assert edit.files == {PATH: new, "tests/test_c.py": OLD}


@pytest.mark.parametrize(
    "new",
    [
        OLD,
        text(HELPER, written("one"), written("two", 5)),
        text(HELPER, written("one")),
        text(HELPER.replace("return x", "return x + 1"), written("one"), written("two", 2)),
        "def test_one(:\n",
    ],
)
def test_changes_and_losses_are_no_additions(new: str) -> None:
    edit = additions(ACCEPTED.apply(Edit({PATH: new})), ACCEPTED)
    assert all(written("two", 2) in (it or "") for it in edit.files.values())
    assert "f(5)" not in "".join(it or "" for it in edit.files.values())


def test_a_file_that_is_gone_is_no_addition() -> None:
    assert additions(ACCEPTED.apply(Edit({PATH: None})), ACCEPTED) == Edit({})
    assert additions(ACCEPTED, ACCEPTED) == Edit({})


def test_what_is_changed_beside_an_addition_stays_as_it_was() -> None:
    new = text(HELPER, written("one", 7), written("two", 2), written("three", 3))
    assert added(new) == text(HELPER, written("one"), written("two", 2), written("three", 3))
    assert added(new, "tests/test_b.py") == added(new)


def test_a_test_is_known_by_the_names_of_its_project() -> None:
    naming = Naming(("check_*.py",), ("check",), ("Check",))
    path, old = "tests/check_a.py", OLD.replace("test_", "check_")
    accepted = suite({path: old}, naming)
    new = old.replace("f(1)", "f(7)") + "\n\n" + written("three").replace("test_", "check_")
    edit = additions(accepted.apply(Edit({path: new})), accepted)
    assert edit.files == {path: old + "\n\n" + written("three").replace("test_", "check_")}


NEW = text(
    HELPER, written("one", 7), written("two", 2), written("three", 3), written("four", 4)
)  # fmt: skip


def alone(*names: str, new: str = NEW, path: str = PATH) -> str | None:
    return with_tests(path, names, ACCEPTED.apply(Edit({path: new})), ACCEPTED)


def test_single_tests_of_a_candidate_are_put_into_the_file_as_it_was() -> None:
    assert alone("test_three") == text(
        HELPER, written("one"), written("two", 2), written("three", 3)
    )
    assert alone("test_one") == text(HELPER, written("one", 7), written("two", 2))
    assert alone("test_one", "test_four") == text(
        HELPER, written("one", 7), written("two", 2), written("four", 4)
    )


def test_what_changes_nothing_is_no_file() -> None:
    assert alone() is None
    assert alone("test_two") is None
    assert alone("test_none") is None


def test_of_a_new_file_only_these_tests_are_taken() -> None:
    path = "tests/test_new.py"
    assert alone("test_three", path=path) == text(HELPER, written("three", 3))
    both = alone("test_one", "test_two", path=path)
    assert both == text(HELPER, written("one", 7), written("two", 2))
    assert alone(path=path) is None


def test_methods_are_known_by_their_classes() -> None:
    cls = "class TestF:\n    def test_one(self):\n        assert f(9)\n"
    more = cls + "\n    def test_two(self):\n        assert f(10)\n"
    old = suite({PATH: OLD + "\n\n" + cls})
    new = old.apply(Edit({PATH: OLD.replace("f(2)", "f(3)") + "\n\n" + more}))
    assert additions(new, old).files == {PATH: OLD + "\n\n" + more}
    assert with_tests(PATH, ["TestF::test_two"], new, old) == OLD + "\n\n" + more
    assert with_tests(PATH, ["test_two"], new, old) == OLD.replace("f(2)", "f(3)") + "\n\n" + cls
