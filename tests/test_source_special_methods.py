"""Special methods as a person writes them."""

from __future__ import annotations

import ast
import re
from pathlib import Path

from offline_program import brief, write_program

from pytest_lift.agents.offline.generator import generator
from pytest_lift.source.special_methods import ATTRIBUTES, NEEDED, OPERATORS, STATEMENTS, WORDS

MONEY = """
    class Money:
        def __init__(self, amount):
            self.amount = amount

        def __reduce__(self):
            return (Money, (self.amount,))

        def __copy__(self):
            return Money(self.amount)

        def __radd__(self, other):
            return Money(other + self.amount)

        def __ifloordiv__(self, other):
            self.amount //= other
            return self
"""


def test_every_form_is_code_with_a_name_and_its_imports() -> None:
    for name, form in {**OPERATORS, **STATEMENTS}.items():
        code = ATTRIBUTES.get(name, form).format("x", "y", "z")
        body = ast.parse(code or "x").body[0]
        assert isinstance(body, ast.Expr) is (name in OPERATORS)
        assert WORDS[name].isidentifier()
        loaded = {node.id for node in ast.walk(body) if isinstance(node, ast.Name)}
        modules = loaded & {"os", "copy", "pickle"}
        assert NEEDED.get(name, ()) == tuple(f"import {module}" for module in modules)
    assert not OPERATORS.keys() & STATEMENTS.keys()


def test_tests_write_copies_reflected_operands_and_changes_in_place(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"money.py": MONEY})
    (text,) = [text for text in generator(brief(tmp_path, program)).files.values() if text]
    assert "copy.copy(money)" in text
    assert "pickle.loads(pickle.dumps(money))" in text
    assert "import copy\nimport pickle\n" in text
    assert " + money" in text
    assert "money //= " in text


PIPELINE = """
    def _cached_property(of):
        return lambda get: property(get)


    class Pipeline:
        def __init__(self, *names):
            self.names = names

        @property
        def __name__(self):
            if len(self.names) > 2:
                return "long_pipeline"
            return "_of_".join(self.names)

        @_cached_property(of="pipelines")
        def __doc__(self):
            if not self.names:
                return "An empty pipeline."
            return f"A pipeline of {len(self.names)} steps."
"""


def test_what_an_object_says_of_itself_as_a_function_does_is_read(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"pipes.py": PIPELINE})
    (text,) = [text for text in generator(brief(tmp_path, program)).files.values() if text]
    assert re.search(r"\.__name__(,| ==)\s+\"[\w ]+\"", text)
    assert re.search(r"\.__doc__(,| ==)\s+\"[\w ]+\.\"", text)
