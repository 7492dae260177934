"""Examples of a document are tried with what the code without prompts before them defines."""

from __future__ import annotations

from pathlib import Path

import pytest
from offline_program import PRICES, write_program

from pytest_lift.agents.offline.examples.examples import ExampleReader
from pytest_lift.agents.offline.examples.prompting import with_definitions
from pytest_lift.agents.offline.examples.sessions import documented_sessions
from pytest_lift.calls.matching import Matcher
from pytest_lift.calls.names import Resolver
from pytest_lift.calls.targets.finding import find_targets

APART = """
```python
from prices import Basket

class Shelf(Basket):
    unused = 1

    def kept(self):
        return not self.items
```

Another thing:

```python
other = 3
```

Then:

```python
>>> shelf = Shelf()
>>> shelf.kept()
True
```
"""
TOGETHER = """
.. code-block:: python

    from prices import Basket

    class Shelf(Basket):
        def kept(self):
            return not self.items
    >>> shelf = Shelf()
    >>> shelf.kept()
    True

    @str
    def label():
        pass
    >>> label[:9]
    '<function'

Prose.
"""


def steps(folder: Path, readme: str) -> list[list[str]]:
    program = write_program(folder, {"prices.py": PRICES, "README.md": readme})
    resolver = Resolver(program)
    reader = ExampleReader(program, resolver, Matcher(find_targets(program, resolver)))
    cases = [c for s in documented_sessions(folder, program) for c in reader.cases(s)]
    own = [[step.source for step in case.steps] for case in cases]
    return [sources for sources in own if not any("parse_price" in one for one in sources)]


@pytest.mark.parametrize("readme", [APART, TOGETHER])
def test_an_example_has_the_class_that_stands_before_it_without_prompts(
    tmp_path: Path, readme: str
) -> None:
    (found,) = steps(tmp_path, readme)
    assert found[0].startswith("class Shelf(")
    assert found[1:] == ["shelf = Shelf()", "shelf.kept()"]


def test_code_between_results_has_prompts_and_keeps_its_lines() -> None:
    lines = [line.strip() for line in with_definitions(TOGETHER).splitlines()]
    assert ">>> @str" in lines
    assert "... def label():" in lines
    assert "'<function'" in lines


@pytest.mark.parametrize(
    "text", ["```python\nx = 1\n```\n", "    value = 1\n    >>> 2\n    2\n", ">>> f(1)\n1\n"]
)
def test_code_that_no_example_needs_stays_as_it_is(text: str) -> None:
    assert with_definitions(text) == text


AGAIN = """
```python
from prices import Basket

class Shelf(Basket):
    kept = 1
```

```python
>>> Shelf().kept
1
>>> from shelves import Shelf
```
"""


def test_what_is_read_before_it_is_imported_is_defined() -> None:
    assert ">>> class Shelf(Basket):" in with_definitions(AGAIN)
    assert with_definitions(AGAIN.replace(">>> Shelf", ">>> Shelf = 1; Shelf")).count(">>>") == 2


def test_an_assignment_may_show_what_is_printed_meanwhile(tmp_path: Path) -> None:
    shown = "Prices::\n\n    >>> from prices import Basket\n    >>> one = Basket()\n    made\n"
    (found,) = steps(tmp_path, f"{shown}    >>> one.total()\n    0\n")
    assert found == ["one = Basket()", "one.total()"]
