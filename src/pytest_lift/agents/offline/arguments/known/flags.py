"""Parameters of which a program does nothing but ask whether they are true."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import takewhile

from pytest_lift.source.syntax import FunctionNode, chain, parts_of

SWITCH = re.compile(
    r"^(is|are|has|have|do|does|use|uses|with|without|show|hide|allow|force|enable|disable|include"
    r"|exclude|ignore|keep|skip|print|return|as|no|not|should|must|can|want|need)_"
    r"|^(strict|verbose|quiet|raw|recursive|debug|enabled|disabled|inplace|reverse|silent|lazy)$"
    r"|_(only|too|enabled|allowed|required)$"
)
"""Names of what is on or off."""
Use = tuple[FunctionNode, ast.AST, ast.Attribute]
"""(method, node around an attribute of ``self``, the attribute)."""
DEEPEST = 2


class Flags:
    """Follows parameters into attributes, and into the functions that get them."""

    def __init__(
        self,
        functions: Callable[[str], Sequence[FunctionNode]],
        uses: Callable[[str, str], Iterable[Use]],
    ) -> None:
        """`functions` gives those of a name, `uses` those of (class, attribute of ``self``)."""
        self._functions = functions
        self._uses = uses
        self._tested: dict[FunctionNode, frozenset[int]] = {}

    def is_flag(self, node: FunctionNode, owner: str, name: str, depth: int = 0) -> bool:
        """Whether a parameter is required, or None or a truth value by default, and a function, of
        the class `owner` or of none, does nothing but ask if it is true, or hand it on to what does
        nothing else."""
        default = _default_of(node, name)
        if default is not None and not _is_truth(default):
            return False
        asked = self._asked_in(node)
        kept = dict(_kept(node))
        handed = dict(_handed(node)) if depth < DEEPEST else {}
        uses = [one for one in parts_of(node) if isinstance(one, ast.Name) and one.id == name]
        return bool(uses) and all(
            id(one) in asked
            or (id(one) in kept and self._is_asked(owner, kept[id(one)]))
            or (id(one) in handed and self._takes_flag(*handed[id(one)], depth))
            for one in uses
        )

    def _is_asked(self, owner: str, attribute: str) -> bool:
        """Whether an attribute of ``self`` is only asked if it is true."""
        uses = list(self._uses(owner, attribute))
        return bool(uses) and all(id(use) in self._asked_in(method) for method, _, use in uses)

    def _asked_in(self, node: FunctionNode) -> frozenset[int]:
        """Returns the identities of what a function asks to be true; cached."""
        if node not in self._tested:
            asked = (id(one) for inner in parts_of(node) for one in tested(inner))
            self._tested[node] = frozenset(asked)
        return self._tested[node]

    def _takes_flag(self, function: str, place: int | str, depth: int) -> bool:
        """Whether a function of a name, whichever it is, takes a flag at a place or by a name."""
        if function == "bool":
            return True
        named = [(node, _parameter(node, place)) for node in self._functions(function)]
        return bool(named) and all(
            name and self.is_flag(node, "", name, depth + 1) for node, name in named
        )


def _kept(node: FunctionNode) -> Iterator[tuple[int, str]]:
    """Yields (identity of what is assigned, attribute of ``self``)."""
    for inner in parts_of(node):
        match inner:
            case (
                ast.Assign(
                    targets=[ast.Attribute(value=ast.Name(id="self"), attr=attribute)], value=value
                )
                | ast.AnnAssign(
                    target=ast.Attribute(value=ast.Name(id="self"), attr=attribute),
                    value=ast.expr() as value,
                )
            ):
                yield id(value), attribute


def _handed(node: FunctionNode) -> Iterator[tuple[int, tuple[str, int | str]]]:
    """Yields (identity of an argument, name of the function that gets it and in which place): the
    places behind unpacked ones are unknown."""
    for call in parts_of(node):
        if isinstance(call, ast.Call) and (function := (chain(call.func) or [""])[-1]):
            placed = takewhile(lambda one: not isinstance(one, ast.Starred), call.args)
            yield from ((id(one), (function, at)) for at, one in enumerate(placed))
            yield from ((id(k.value), (function, k.arg)) for k in call.keywords if k.arg)


def tested(node: ast.AST) -> Iterator[ast.expr]:
    """Yields what a statement or expression asks to be true, each part of a condition."""
    waiting = [node.test] if isinstance(node, ast.If | ast.IfExp | ast.While | ast.Assert) else []
    waiting += node.ifs if isinstance(node, ast.comprehension) else []
    waiting += [node] if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not) else []
    while waiting:
        part = waiting.pop()
        if isinstance(part, ast.BoolOp):
            waiting += part.values
        elif isinstance(part, ast.UnaryOp) and isinstance(part.op, ast.Not):
            waiting.append(part.operand)
        else:
            yield part


def _parameter(node: FunctionNode, place: int | str) -> str:
    """Returns the parameter of a function that gets what stands at a place; "" for none."""
    names = [one.arg for one in (*node.args.posonlyargs, *node.args.args)]
    if isinstance(place, str):
        return place if place in (*names, *(one.arg for one in node.args.kwonlyargs)) else ""
    names = names[1:] if names[:1] in (["self"], ["cls"]) else names
    return names[place] if place < len(names) else ""


def _default_of(node: FunctionNode, name: str) -> ast.expr | None:
    given = [*node.args.posonlyargs, *node.args.args]
    pairs: list[tuple[ast.arg, ast.expr | None]] = [
        *zip(reversed(given), reversed(node.args.defaults), strict=False),
        *zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True),
    ]
    return next((value for arg, value in pairs if arg.arg == name), None)


def _is_truth(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and (node.value is None or isinstance(node.value, bool))
