"""Blocks of code without prompts, in documents and docstrings, are read for their calls."""

from __future__ import annotations

from pathlib import Path

from offline_program import brief, write_program

from pytest_lift.agents.offline.examples.snippets import (
    documented_snippets,
    guide_snippets,
    script_snippets,
    snippets_of,
)
from pytest_lift.agents.offline.generator import generator

README = '''\
# Reader

```bash
pip install reader
```

```python
text = """
[a]
"""
reader.load(text)
```

~~~
also(1)
~~~

```toml
a = call(1)
```

```pycon
>>> with_a_prompt(1)
```
'''
INDENTED = """\
Some prose, which (says) nothing.

Example::

    value = load("x")

    More of it:

    load(value)

.. code:: python

   with opened() as one:
       one.read()

    no_python at all(
"""


def test_fenced_blocks_are_read_but_for_other_languages_and_sessions() -> None:
    assert list(snippets_of(README)) == [
        ("text = '\\n[a]\\n'", "reader.load(text)"),
        ("also(1)",),
    ]


def test_indented_blocks_are_read_as_far_as_they_are_python() -> None:
    found = [statement for snippet in snippets_of(INDENTED) for statement in snippet]
    assert found[:2] == ["value = load('x')", "load(value)"]


def test_docstrings_come_before_documents(tmp_path: Path) -> None:
    text = '''
        def load(text):
            """Reads a text.

            Example::

                load("a = 1")
            """
            return text.strip()
        '''
    program = write_program(tmp_path, {"reader.py": text})
    (tmp_path / "README.md").write_text(README, "utf-8")
    found = list(documented_snippets(tmp_path, program))
    assert found[:2] == [("load('a = 1')",), ("text = '\\n[a]\\n'", "reader.load(text)")]


def test_the_search_begins_with_calls_of_a_readme(tmp_path: Path) -> None:
    text = """
        def load(text):
            if len(text) * sum(map(ord, text)) == 23681:
                return 17
            return 0
        """
    program = write_program(tmp_path, {"reader.py": text})
    readme = "```python\nassert load('[a] is 17 or more') == 17\n```\n"
    (tmp_path / "README.md").write_text(readme, "utf-8")
    tests = generator(brief(tmp_path, program)).files
    assert any("'[a] is 17 or more'" in one for one in tests.values())


def test_scripts_in_a_folder_of_examples_come_last(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"reader.py": "def load(text):\n    return text\n"})
    (tmp_path / "README.md").write_text(README, "utf-8")
    (tmp_path / "examples").mkdir()
    (tmp_path / "examples" / "first.py").write_text('"""Doc."""\nload(__doc__)\n', "utf-8")
    (tmp_path / "examples" / "none.py").write_text("x = 1\n", "utf-8")
    scripts = script_snippets(tmp_path)
    assert scripts == [("'Doc.'", "load(__doc__)")]
    assert list(documented_snippets(tmp_path, program, scripts))[-1:] == scripts


def test_documents_in_folders_of_the_documentation_are_read(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"app.py": "def load(text):\n    return text\n"})
    (tmp_path / "docs/source").mkdir(parents=True)
    (tmp_path / "docs/source/usage.rst").write_text("Usage::\n\n    load('a')\n")
    assert guide_snippets(tmp_path) == [("load('a')",)]
    assert documented_snippets(tmp_path, program) == []


def test_a_package_may_hold_its_guides(tmp_path: Path) -> None:
    (tmp_path / "kit/doc").mkdir(parents=True)
    (tmp_path / "kit/doc/usage.rst").write_text("Use it::\n\n    load('b')\n", "utf-8")
    assert guide_snippets(tmp_path) == [("load('b')",)]
