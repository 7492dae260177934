"""The agent by itself in milliseconds, then a whole lift with it."""

from __future__ import annotations

from pathlib import Path

import lift_examples
import pytest

from pytest_lift.testing import Example

FILES = {
    "thing.py": "def double(number):\n    return 2 * number\n",
    "conftest.py": "",
    "reqs.yml": """\
        things:
          - id: R-1
            title: doubling
            description: "`double` gives twice a number."
            acceptance: doubles
            examples:
              - |
                >>> from thing import double
                >>> double(21)
                42
          - {id: R-2, title: none, description: "It has no example.", acceptance: it is so}
        """,
}


@pytest.fixture
def example(tmp_path: Path) -> Example:
    return Example(tmp_path).write(FILES)


def test_each_example_becomes_a_linked_test(example: Example) -> None:
    edit = lift_examples.generator(example.brief("reqs.yml"))
    (text,) = edit.files.values()
    assert text is not None
    assert ":req: R-1" in text
    assert "    from thing import double\n    assert double(21) == 42" in text
    assert "R-2" not in text


def test_what_is_linked_is_not_written_again(example: Example) -> None:
    edit = lift_examples.generator(example.brief("reqs.yml"))
    example.write({path: text for path, text in edit.files.items() if text is not None})
    assert not lift_examples.generator(example.brief("reqs.yml"))


def test_a_lift_lands_it(example: Example) -> None:
    example.write({"conftest.py": Path(lift_examples.__file__).read_text("utf-8")})
    result = example.lift("--requirements", "reqs.yml", "--lift-mutation=off")
    assert result.status == 0, result.text
    assert "examples of the requirements become tests" in result
    assert example.outcome["agents"] == "examples"
    assert "assert double(21) == 42" in example.read("tests/test_things.py")
    assert example.outcome["requirements"]["verified"] == 1
