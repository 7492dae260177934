"""mutmut's own command line, with quicker parts of ours in it: ``python -m`` of this is a run.

Calls: every function with mutants is called through a trampoline, which asks the environment which
mutant is under test and takes the name apart, at each call. Here the answer is kept for as long as
the variable has the same value; what counts calls, and what makes every function raise, stays
mutmut's.

Texts: mutmut copies and renders the whole tree of a function for each mutant in it. That is most of
the time that making mutants takes, and grows with the square of a function's length. A mutant
differs in its name and in one node: here the function is rendered once, and those two pieces of the
text are exchanged. The text is the same, character by character.

Standard library only, beside mutmut and libcst, which it is built on.
"""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import fields
from functools import wraps
from itertools import accumulate
from types import ModuleType, SimpleNamespace
from typing import Any, TypeVar

import libcst
from libcst import CSTNode, FunctionDef
from libcst._nodes.internal import CodegenState


def main() -> None:
    import mutmut.__main__ as theirs
    from mutmut.mutation import file_mutation
    from mutmut.mutation import trampoline as trampolines

    render_quicker(file_mutation)
    call_quicker(trampolines)
    check_by_compiling(theirs)
    theirs.cli(prog_name="mutmut")


def check_by_compiling(theirs: ModuleType) -> None:
    """Makes mutmut check the syntax of its output without a tree of Python objects, which
    takes several seconds for the mutants of one file. Does nothing if that module is not the
    expected one."""
    if hasattr(theirs, "ast"):
        theirs.ast = SimpleNamespace(parse=_compiled)  # type: ignore[attr-defined]


def _compiled(text: str) -> None:
    compile(text, "<mutants>", "exec", dont_inherit=True)


NAME = b"MUTANT_UNDER_TEST"
ORIGINAL = "_mutmut_orig"
MODES = ("stats", "fail")
"""Values of the variable that the trampoline itself acts upon."""
Function = Callable[..., Any]
Value = TypeVar("Value")
Wrap = Callable[..., Callable[[Function], Function]]
_MISSING = (AttributeError, KeyError, TypeError)
"""A test has cleared the environment, or put something else in its place."""


def call_quicker(mutmuts: ModuleType) -> None:
    """Replaces the trampoline in mutmut's module, once. Does nothing if that module is not the
    expected one."""
    names = ("wrap_in_trampoline", "get_mutant_under_test")
    if all(hasattr(mutmuts, name) for name in names) and not hasattr(mutmuts, "_is_quicker"):
        wrap, ask = (getattr(mutmuts, name) for name in names)
        known = remembering(ask)
        vars(mutmuts).update(
            wrap_in_trampoline=quicker(wrap, known), get_mutant_under_test=known, _is_quicker=True
        )


def remembering(ask: Callable[[], str]) -> Callable[[], str]:
    """Returns `ask` with a cache for each value of the variable."""
    known: dict[bytes, str] = {}

    def mutant_under_test() -> str:
        try:
            return known[os.environ._data[NAME]]  # type: ignore[attr-defined]
        except _MISSING:
            return _kept(known, ask())

    return mutant_under_test


def quicker(wrap: Wrap, ask: Callable[[], str]) -> Wrap:
    """Returns a wrapper that calls the original or the mutant under test, like `wrap`. The
    dictionary of both is complete before the first call."""

    def wrap_in_trampoline(
        mutants: Mapping[str, Function], is_classmethod: bool = False
    ) -> Callable[[Function], Function]:
        def decorate(function: Function) -> Function:
            theirs = wrap(mutants, is_classmethod)(function)
            if is_classmethod or not _is_plain(function):
                return theirs
            chosen: dict[bytes, Function] = {}

            @wraps(function)
            def trampoline(*args: Any, **kwargs: Any) -> Any:
                try:
                    call = chosen[os.environ._data[NAME]]  # type: ignore[attr-defined]
                except _MISSING:
                    call = _kept(chosen, choose(ask()))
                return call(*args, **kwargs)

            def choose(mutant: str) -> Function:
                if mutant in MODES:
                    return theirs
                module, _, name = mutant.rpartition(".")
                here = mutants.get(name) if module == function.__module__ else None
                return mutants[ORIGINAL] if here is None else here

            return trampoline

        return decorate

    return wrap_in_trampoline


def _kept(known: dict[bytes, Value], value: Value) -> Value:
    with suppress(*_MISSING):
        known[os.environ._data[NAME]] = value  # type: ignore[attr-defined]
    return value


def _is_plain(function: Function) -> bool:
    return not (
        inspect.isgeneratorfunction(function)
        or inspect.iscoroutinefunction(function)
        or inspect.isasyncgenfunction(function)
    )


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


def render_quicker(mutmuts: ModuleType) -> None:
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


if __name__ == "__main__":
    main()
