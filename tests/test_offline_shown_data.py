"""Blocks of data in docstrings and documents are what a program is given to read."""

from __future__ import annotations

import random
from pathlib import Path

from offline_program import write_program

from pytest_lift.agents.offline.examples.shown_data import blocks_of, shown_data
from pytest_lift.agents.offline.texts.contents import Contents

RULE = '''
    """Whether braces are allowed.

    This passes: ::

        object: {a: 1}

    .. code-block:: yaml
       :caption: settings

       rules:
         braces: true

    And this is how it is called: ::

        check("a")
    """


    def check(text):
        """Says whether a text is fine."""
        return "{" not in text
'''
README = """# Rules

```toml
[tool.rules]
braces = true
```

```python
check("a")
```

```
$ rules file.yaml
```
"""


def test_blocks_have_their_languages() -> None:
    text = "Say::\n\n    a: 1\n\nMore.\n\n.. code:: JSON\n\n   {}\n\n```yaml\nb: 2\n```\n"
    assert sorted(blocks_of(text)) == [("", "a: 1\n"), ("json", "{}\n"), ("yaml", "b: 2\n")]


def test_code_and_what_is_typed_are_no_data(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"rules.py": RULE})
    (tmp_path / "README.md").write_text(README, "utf-8")
    assert shown_data(tmp_path, program) == {
        "": ["object: {a: 1}\n"],
        "yaml": ["rules:\n  braces: true\n"],
        "toml": ["[tool.rules]\nbraces = true\n"],
    }


def test_a_specification_shows_what_is_read(tmp_path: Path) -> None:
    """Not what comes of it, which stands behind a line with a dot."""
    program = write_program(tmp_path, {"rules.py": "def check(text):\n    return text\n"})
    text = "Rules\n\n````` example\n# rule\n\nfirst\n.\n<h1>rule</h1>\n`````\n"
    (tmp_path / "spec.txt").write_text(f"{text}\n``` yaml\na: 1\n```\n", "utf-8")
    assert shown_data(tmp_path, program) == {"": ["# rule\n\nfirst\n"], "yaml": ["a: 1\n"]}


def test_files_have_the_data_of_their_format(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"rules.py": RULE})
    shown = {"yml": ["rules:\n  braces: true\n"], "toml": ["braces = true\n"]}
    contents = Contents(program, random.Random(1), shown)
    texts = {contents.text("yaml", "rules.py") for _ in range(40)}
    assert "rules:\n  braces: true\n" in texts
    assert "braces = true\n" not in texts
