"""Inside mutmut's process: the texts of a function's mutants, made of the text of the function.

mutmut copies and renders the whole tree of a function for each mutant in it. That is most of the
time that making mutants takes, and grows with the square of a function's length. A mutant differs
in its name and in one node: here the function is rendered once, and those two pieces of the text
are exchanged. The text is the same, character by character. Needs libcst, which mutmut is built on.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from itertools import accumulate
from types import ModuleType
from typing import Any

import libcst
from libcst import CSTNode, FunctionDef
from libcst._nodes.internal import CodegenState

Replace = Callable[[CSTNode, CSTNode, CSTNode], Any]
"""A tree, a node in it, and what stands in its place in the tree that is returned."""
EXCHANGEABLE = (
    libcst.BaseExpression,
    libcst.ComparisonTarget,
    libcst.BaseUnaryOp,
    libcst.BaseBinaryOp,
    libcst.BaseBooleanOp,
    libcst.BaseCompOp,
    libcst.BaseAugOp,
)
"""Nodes whose text does not depend on where they stand, but for the indentation."""


def install(mutmuts: ModuleType) -> None:
    """Makes mutmut's `file_mutation` render mutants this way. Does nothing if that module is not
    the expected one."""
    replace = getattr(mutmuts, "deep_replace", None)
    if replace is not None and not isinstance(replace, QuickReplace):
        mutmuts.deep_replace = QuickReplace(replace)  # type: ignore[attr-defined]


class QuickReplace:
    """mutmut's `deep_replace`, for functions without a copy of their tree."""

    def __init__(self, replace: Replace) -> None:
        self._replace = replace
        self._last: _Original | None = None

    def __call__(self, tree: CSTNode, old: CSTNode, new: CSTNode) -> Any:
        if not isinstance(tree, FunctionDef):
            return self._replace(tree, old, new)
        if self._last is None or not self._last.is_of(tree):
            self._last = _Original(tree)
        if not self._last.can_exchange(old, new):
            return self._replace(tree, old, new)
        return _Mutant(tree, self._last, old, new)


class _Mutant(FunctionDef):
    """A function of which one node is another: it is there to be rendered, not to be visited."""

    _change: tuple[_Original, CSTNode, CSTNode]

    def __init__(self, tree: FunctionDef, original: _Original, old: CSTNode, new: CSTNode) -> None:
        super().__init__(**{field.name: getattr(tree, field.name) for field in fields(tree)})
        object.__setattr__(self, "_change", (original, old, new))  # nodes are frozen

    def _codegen_impl(self, state: CodegenState) -> None:
        original, old, new = self._change
        state.add_token(original.text_with(self.name, old, new, state))


class _Original:
    """A function, and its text at each indentation that is asked for."""

    def __init__(self, tree: FunctionDef) -> None:
        self._tree = tree
        self._texts: dict[tuple[str, ...], _Rendered] = {}
        self._first = self._rendered(CodegenState("    ", "\n"))

    def is_of(self, tree: FunctionDef) -> bool:
        """Whether the tree differs from this one in its name at most."""
        return all(
            getattr(tree, field.name) is getattr(self._tree, field.name)
            for field in fields(tree)
            if field.name != "name"
        )

    def can_exchange(self, old: CSTNode, new: CSTNode) -> bool:
        if id(old) not in self._first.places:
            return False
        if isinstance(old, libcst.BaseSmallStatement):
            return isinstance(new, libcst.BaseSmallStatement) and id(old) in self._first.last
        return isinstance(old, EXCHANGEABLE) and isinstance(new, EXCHANGEABLE)

    def text_with(self, name: CSTNode, old: CSTNode, new: CSTNode, state: CodegenState) -> str:
        """Returns the function's text under this name, with `new` in the place of `old`."""
        rendered = self._rendered(state)
        exchanged = [(rendered.places[id(self._tree.name)], name), (rendered.places[id(old)], new)]
        text, parts, at = rendered.text, [], 0
        for (start, end, indentation), node in sorted(exchanged, key=lambda one: one[0][0]):
            parts += [text[at:start], _text_of(node, state, indentation)]
            at = end
        return "".join([*parts, text[at:]])

    def _rendered(self, state: CodegenState) -> _Rendered:
        key = (state.default_indent, state.default_newline, *state.indent_tokens)
        if key not in self._texts:
            self._texts[key] = _Rendered(self._tree, state)
        return self._texts[key]


class _Rendered(CodegenState):
    """Renders a tree, and notes where in its text each node stands."""

    def __init__(self, tree: CSTNode, like: CodegenState) -> None:
        super().__init__(like.default_indent, like.default_newline, None, [*like.indent_tokens])
        self._begun: list[tuple[int, tuple[str, ...]]] = []
        self._spans: dict[int, tuple[int, int, tuple[str, ...]]] = {}
        """Node -> its first token, the one behind its last, the indentation there."""
        self.last: set[int] = set()
        """Small statements that no semicolon has to follow."""
        tree._codegen(self)
        self.text = "".join(self.tokens)
        ends = [0, *accumulate(map(len, self.tokens))]
        self.places = {
            node: (ends[start], ends[end], indentation)
            for node, (start, end, indentation) in self._spans.items()
        }
        """Node -> its beginning and end in the text, and the indentation there."""

    def before_codegen(self, node: CSTNode) -> None:
        self._begun.append((len(self.tokens), tuple(self.indent_tokens)))
        if isinstance(node, libcst.SimpleStatementLine | libcst.SimpleStatementSuite):
            self.last.update(id(statement) for statement in node.body[-1:])

    def after_codegen(self, node: CSTNode) -> None:
        start, indentation = self._begun.pop()
        self._spans.setdefault(id(node), (start, len(self.tokens), indentation))


def _text_of(node: CSTNode, state: CodegenState, indentation: tuple[str, ...]) -> str:
    inner = CodegenState(state.default_indent, state.default_newline, None, [*indentation])
    node._codegen(inner)
    return "".join(inner.tokens)
