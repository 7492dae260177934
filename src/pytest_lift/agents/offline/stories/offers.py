"""What results offer as arguments: items of lists for methods of the same object, and tables that
have the keys which a parameter is asked for."""

from __future__ import annotations

import ast
import random
import re
from collections import defaultdict

from pytest_lift.agents.offline.arguments.inputs import Inputs
from pytest_lift.calls.call import Call
from pytest_lift.calls.case import Outcome
from pytest_lift.calls.targets.target import Target
from pytest_lift.source.symbols import Parameter
from pytest_lift.source.syntax import parsed_expression

MOST_OFFERED, MOST_ITEMS = 16, 4
"""Most items of a class that are known, and most of one result."""
LONGEST = 60
MOST_TABLES, MOST_OF_RESULT, LONGEST_TABLE = 80, 6, 300
"""Most tables that are known, most of one result, and characters of one."""
READ_BACK, MOST_TEXTS, SHORTEST_TEXT, LONGEST_TEXT = 0.15, 40, 5, 120
"""Share of the texts and bytes that are what another call gave, most that are known of a kind, and
characters of one."""
READING = re.compile(
    r"^(s|text|string|data|source|src|content|payload|document|raw|encoded|input|code|body|chunk)$"
    r"|_(text|str|string|data|bytes)$"
)
"""Names of parameters for texts that a program may have written itself."""
OFFERED = 0.25
"""Share of the arguments that are taken from what the object offers, where anything fits."""


class Offers:
    """Items of the results of methods, by the class of their objects."""

    def __init__(self, inputs: Inputs, rng: random.Random) -> None:
        self.inputs = inputs
        self.rng = rng
        self._items: dict[str, list[str]] = defaultdict(list)
        self._tables: dict[str, frozenset[str]] = {}
        """Tables that were in results -> their keys."""
        self._texts: dict[str, dict[str, str]] = {"str": {}, "bytes": {}}
        """Kind -> text that a call gave -> target of the call."""

    def note(self, call: Call, outcome: Outcome) -> None:
        """Remembers the tables in a result, its text, and its first items, the latest results
        first."""
        self._note_text(call, outcome)
        for source in (outcome.source, *(text for _, text in outcome.attributes)):
            if source and "{" in source:
                self._note_tables(source)
        owner = call.target.owner
        tree = parsed_expression(outcome.source) if owner and outcome.source else None
        if owner is None or not isinstance(tree, ast.List | ast.Tuple | ast.Set | ast.Dict):
            return
        items = tree.keys if isinstance(tree, ast.Dict) else tree.elts
        known = self._items[owner.key]
        for item in reversed(items[:MOST_ITEMS]):
            text = ast.unparse(item) if item is not None else ""
            if text and len(text) <= LONGEST and _is_literal(item):
                known[:] = [text, *(other for other in known if other != text)][:MOST_OFFERED]

    def _note_text(self, call: Call, outcome: Outcome) -> None:
        known, source = self._texts.get(outcome.type), outcome.source
        plain = source is not None and SHORTEST_TEXT <= len(source) <= LONGEST_TEXT
        if known is None or source is None or not plain or outcome.wrap:
            return
        known.pop(source, None)
        known[source] = call.target.key
        for text in [*known][:-MOST_TEXTS]:
            del known[text]

    def _text(self, target: Target, parameter: Parameter) -> str | None:
        """Returns now and then a text, or bytes, that another function gave."""
        if READING.search(parameter.name) is None or self.rng.random() >= READ_BACK:
            return None
        kinds = self.inputs.known_kinds(target, parameter)
        pools = [self._texts[kind] for kind in ("bytes", "str") if kind in kinds]
        fitting = [text for pool in pools for text, key in pool.items() if key != target.key]
        return self.rng.choice(fitting) if fitting else None

    def _note_tables(self, source: str) -> None:
        tree = parsed_expression(source)
        found = [] if tree is None else [n for n in ast.walk(tree) if isinstance(n, ast.Dict)]
        for node in found[:MOST_OF_RESULT]:
            keys = {n.value for n in node.keys if isinstance(n, ast.Constant)}
            text = ast.unparse(node)
            if keys and len(text) <= LONGEST_TABLE and _is_literal(node):
                self._tables[text] = frozenset(key for key in keys if isinstance(key, str))
        for text in [*self._tables][:-MOST_TABLES]:
            del self._tables[text]

    def draw(self, target: Target, parameter: Parameter) -> str | None:
        """Returns now and then a table that has the keys which a parameter is asked for, or an item
        that the object of a call may offer."""
        if (text := self._text(target, parameter)) is not None:
            return text
        wanted = self.inputs.usage(target, parameter).keys if self._tables else ()
        if wanted and self.rng.random() < OFFERED:
            tables = [text for text, keys in self._tables.items() if keys.issuperset(wanted)]
            if tables:
                return self.rng.choice(tables)
        known = self._items.get(target.owner.key) if target.owner else None
        if not known or target.kind == "constructor" or self.rng.random() >= OFFERED:
            return None
        fitting = [text for text in known if self.inputs.suits(target, parameter, text)]
        return self.rng.choice(fitting) if fitting else None


def _is_literal(node: ast.expr | None) -> bool:
    try:
        return node is not None and ast.literal_eval(node) is not None
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return False
