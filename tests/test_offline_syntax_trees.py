"""Programs that work on Python get nodes of its trees, of what their documents show first."""

from __future__ import annotations

import ast
import random
import re
from itertools import islice
from pathlib import Path

import pytest
from begun_search import search_of
from offline_program import write_program

from pytest_lift.agents.offline.arguments.trees.changing import (
    changed_code,
    changed_file,
    changed_node,
)
from pytest_lift.agents.offline.arguments.trees.nodes import (
    class_named,
    is_whole,
    node_of,
    sources_of,
)
from pytest_lift.agents.offline.arguments.trees.shown_python import shown_python
from pytest_lift.agents.offline.arguments.trees.smaller import smaller_code
from pytest_lift.agents.offline.arguments.trees.syntax_trees import python_texts
from pytest_lift.agents.offline.choosing.shrinking.contents import shorter_contents, shorter_input
from pytest_lift.agents.offline.choosing.shrinking.simpler import simpler_expressions
from pytest_lift.agents.offline.search.nodes import with_nodes
from pytest_lift.agents.offline.texts.changing import NUMBERS

LINT = '''
    """Finds what can be written in a shorter way."""

    import ast
    from ast import FunctionDef


    def is_empty(node: ast.If) -> bool:
        return node.body == []


    def names(function: FunctionDef | None):
        return [one.arg for one in function.args.args]


    def first(items: ast.List):
        return items.elts[0]


    def target(node):
        return node.targets[0], node.value


    def size(tree):
        return len(list(ast.walk(tree)))


    class Visitor(ast.NodeVisitor):
        def __init__(self):
            self.found = []

        def visit_Compare(self, node):
            self.found.append(node)


    class Plugin:
        """Says 'Use a.b' instead of `not a.c == b`."""

        def __init__(self, tree):
            self.tree = tree

        def run(self):
            return [one.lineno for one in ast.walk(self.tree) if isinstance(one, ast.Lambda)]
'''
PLAIN = """
    import ast


    def read(node):
        return ast.literal_eval(node)
"""
README = """
Finds lambdas.

```python
# Bad
f = lambda x: g(x)

# Good
f = g
```

```python
import lint
lint.size(None)
```
"""


@pytest.mark.parametrize(
    ("function", "parameter", "kind"),
    [
        ("is_empty", "node", ast.If),
        ("names", "function", ast.FunctionDef),
        ("first", "items", ast.List),
        ("target", "node", ast.Assign),
        ("size", "tree", ast.Module),
        ("Visitor.visit_Compare", "node", ast.Compare),
        ("Plugin", "tree", ast.Module),
    ],
)
def test_a_parameter_gets_nodes_of_its_class(
    function: str, parameter: str, kind: type, tmp_path: Path
) -> None:
    search, targets = search_of(tmp_path, {"lint.py": LINT})
    target = targets[function]
    given = next(one for one in target.parameters if one.name == parameter)
    pool = search.inputs.pool(target, given)
    assert isinstance(node_of(pool[0]), kind)
    assert sum(isinstance(node_of(one), kind) for one in pool) > 2
    search.prober.close()


def test_a_hint_of_a_node_is_met_by_nodes_alone(tmp_path: Path) -> None:
    search, _ = search_of(tmp_path, {"lint.py": LINT})
    fits = search.inputs.annotations.fits
    assert fits("ast.List", "ast.parse('[1]', mode='eval').body")
    assert not fits("ast.List", "[1]")
    assert fits("List[int]", "[1]")
    search.prober.close()


def test_a_program_that_reads_literals_alone_gets_no_nodes(tmp_path: Path) -> None:
    search, targets = search_of(tmp_path, {"lint.py": PLAIN})
    (parameter,) = targets["read"].parameters
    pool = search.inputs.pool(targets["read"], parameter)
    assert not any(one.startswith("ast.") for one in pool)
    assert shown_python(tmp_path, search.prober.program) == ()
    search.prober.close()


def test_code_in_documents_is_data_for_what_reads_python(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"lint.py": LINT, "README.md": README})
    assert shown_python(tmp_path, program) == ["f = lambda x: g(x)\n", "f = g\n", "not a.c == b"]


def test_an_object_is_made_of_each_text_that_is_shown(tmp_path: Path) -> None:
    search, targets = search_of(tmp_path, {"lint.py": LINT})
    search.inputs.note_code(["f = lambda x: g(x)\n"])
    calls = list(with_nodes(search.maker, search.inputs, [targets["Plugin.run"]]))
    receivers = [call.receiver.given["tree"] for call in calls if call.receiver is not None]
    assert receivers[0] == "ast.parse('f = lambda x: g(x)\\n')"
    assert len(receivers) == len(set(receivers)) > 20
    search.prober.close()


@pytest.mark.parametrize(
    ("kind", "text", "source"),
    [
        ("arg", "def f(a): pass\n", "ast.parse('def f(a): pass').body[0].args.args[0]"),
        ("Or", "a or b\n", "ast.Or()"),
        ("Str", "x = 'a'\n", "ast.parse(\"'a'\", mode='eval').body"),
        ("NamedExpr", "(n := 1)\n", "ast.parse('(n := 1)', mode='eval').body"),
        ("If", "for a in b:\n    if a:\n        c()\n", "ast.parse('if a:\\n    c()\\n').body[0]"),
    ],
)
def test_a_node_is_made_of_the_shortest_text(kind: str, text: str, source: str) -> None:
    found = class_named(kind)
    assert found is not None
    assert list(sources_of(found, [text])) == [source]


def test_changed_code_is_python_and_a_changed_node_stays_of_its_class() -> None:
    rng = random.Random(1)
    text = "if a:\n    if b:\n        c()\n"
    new = {changed_code(text, rng, python_texts()) for _ in range(50)}
    assert len(new) > 30
    for one in new:
        ast.parse(one)
    source = f"ast.parse({text!r}).body[0]"
    nodes = {changed_node(source, rng, python_texts()) for _ in range(50)}
    assert len(nodes) > 10
    assert all(isinstance(node_of(one), ast.If) for one in nodes)
    assert changed_code("no Python", rng, python_texts()) == "no Python"


@pytest.mark.parametrize("text", [one for one in python_texts() if one])
def test_what_python_runs_stays_so(text: str) -> None:
    assert is_whole(text)
    rng = random.Random(1)
    assert all(is_whole(changed_code(text, rng, python_texts())) for _ in range(10))
    assert all(map(is_whole, islice(smaller_code(text), 10)))


def test_a_docstring_loses_a_line_or_gets_one_of_another() -> None:
    text = 'def f(x):\n    """Doc.\n\n    Returns:\n        x\n    """\n    return x\n'
    other = 'class A:\n    def g(self):\n        """Doc.\n\n        Raises:\n            KeyError\n        """\n'
    rng = random.Random(1)
    new = {changed_code(text, rng, [other]) for _ in range(400)}
    assert text.replace("        x\n    ", "    ") in new
    assert text.replace("    Returns", "        KeyError\n    Returns") in new


def test_a_definition_that_python_refuses_is_no_node() -> None:
    text = "def f(y):\n    def g():\n        nonlocal y\n    return g\n"
    assert [len(one) > len(text) for one in sources_of(ast.FunctionDef, [text])] == [True]


def test_a_file_of_python_that_is_changed_keeps_its_words() -> None:
    rng = random.Random(1)
    text = "from os.path import exists\n"
    known = {*re.findall(r"\w+", " ".join((*python_texts(), *NUMBERS, text)))}
    new = [changed_file("input.py", text, rng, python_texts()) for _ in range(60)]
    assert all(known.issuperset(re.findall(r"\w+", one)) for one in new)
    assert changed_file("input.txt", text, rng, python_texts()) == text


def test_a_simpler_node_is_one_of_python_as_it_is_written() -> None:
    source = "ast.parse('if a:\\n  if x == 1:\\n     b(c, d=e)\\nelse:\\n  return 2').body[0]"
    found = list(simpler_expressions(source))
    assert "ast.parse('if a:\\n    b(c, d=e)\\nelse:\\n    return 2').body[0]" in found
    assert "ast.parse('if a:\\n    if x == 1:\\n        b(c, d=e)').body[0]" in found
    assert all(isinstance(node_of(one), ast.If) for one in found)


def test_a_smaller_block_does_nothing_and_has_no_name_alone() -> None:
    text = "def f(a: List[int]) -> Dict[str, int]:\n    raise ValueError(a)\n"
    found = [*smaller_code(text)]
    assert "def f(a: List[int]) -> Dict[str, int]:\n    pass" in found
    assert "def f(a) -> Dict[str, int]:\n    raise ValueError(a)" in found
    assert not any(one.endswith(("raise a", "-> a:", "\n    a")) for one in found)
    assert {*smaller_code("x = 'red'\n")} == {"a = 'red'", "x = 'red'"}


@pytest.mark.parametrize("name", ["input.py", "input.pyi"])
def test_a_file_of_python_is_made_shorter_by_statements(name: str) -> None:
    assert [*shorter_contents(name, "import os\nx = 1\n")] == ["x = 1\n", "import os\n"]
    assert [*shorter_contents(name, "def f(:")] == []
    assert "f(:" in shorter_contents("input.txt", "def f(:")


def test_python_to_read_is_made_shorter_by_statements() -> None:
    assert [*shorter_input("import os\nx = 1\n")] == ["x = 1\n", "import os\n"]
    assert [*shorter_input("import os\n")] == []
    assert "x =" in [one.strip() for one in shorter_input("x = 1")]
