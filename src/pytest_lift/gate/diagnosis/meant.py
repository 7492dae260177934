"""Tells faults that count from those that tests mean, and from what no text can tell."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from pytest_lift.gate.diagnosis.closeness import the_close_one
from pytest_lift.gate.diagnosis.diagnostic import CALLS, Diagnostic
from pytest_lift.gate.diagnosis.importables import Importables
from pytest_lift.source.bindings import EXCEPTIONS
from pytest_lift.source.program import SourceFile
from pytest_lift.source.syntax import (
    FunctionNode,
    bare_leaf,
    chain,
    leaf,
    split_lines,
    texts,
    walked,
)
from pytest_lift.suite.collection import Naming

_OWNER = re.compile(r"^(?:Object of type|Class|Type) `(?:type\[|<class ')?([\w.@]+)")
_UNKNOWN = re.compile(
    r"`(?:object|None|\(|def |bound method|<function|Overload|IO\[|[^`]*(?:BaseException|Never))"
)
"""Types that stand for something else, or that others set attributes on."""
_EXPECTING = frozenset({"raises", "suppress", "assertRaises", "assertRaisesRegex"})
"""Calls and blocks in which what is wrong may be what is tested."""
_OF_WORDS = frozenset({"unknown-attribute", "unknown-keyword"})
_OF_OBJECTS = CALLS | _OF_WORDS | {"missing-attribute"}
_CAUTIOUS = frozenset({"skip", "skipif", "xfail", "skipUnless", "skipIf", "expectedFailure"})
_KNOWN_DECORATORS = frozenset(
    {"staticmethod", "classmethod", "property", "dataclass", "contextmanager", "fixture", "wraps"}
    | {"asynccontextmanager", "abstractmethod", "override", "overload", "given", "settings"}
    | {"patch", "parametrize", "asyncio", "cached_property", "unique", "setter"}
)
_OTHER_KINDS = EXCEPTIONS - {
    *("AttributeError", "TypeError", "NameError", "UnboundLocalError", "ImportError"),
    *("ModuleNotFoundError", "Exception", "BaseException", "ExceptionGroup", "BaseExceptionGroup"),
}
"""Exceptions that no wrong name, import or call raises."""
_CATCHING = ("AttributeError", "TypeError", "Exception", "BaseException")
"""Exceptions that a wrong attribute or call raises, and those that catch them."""
_DYNAMIC = re.compile(r"__getattr__|__getattribute__|__dict__|\bsetattr\(")
_MODULES = re.compile(
    r"sys\.modules(?:\[[^\]]+\]\s*=(?!=)|\.(?:update|setdefault))|meta_path\.(?:append|insert)"
)
_NO_MODULE = ("Cannot resolve", "there is no module")
_SILENCED = re.compile(
    r"#.*\b(?:type:\s*ignore|noqa|pyright:\s*ignore|ty:\s*ignore)(?:\[([^\]]*)\]|:\s*([\w, ]+))?"
)
_CODES = {
    "unresolved-reference": {"name-defined", "F821"},
    "missing-attribute": {"attr-defined", "union-attr", "reportAttributeAccessIssue"},
}
"""Rule -> what other checkers call it."""


@dataclass(frozen=True, eq=False)
class Meant:
    """What the text of one test file says of its faults."""

    text: str
    tree: ast.Module
    naming: Naming
    importables: Importables

    def passes(self, one: Diagnostic) -> bool:
        """Whether a diagnostic counts."""
        if self._is_silenced(one):
            return False
        if one.rule == "import-not-found":
            return not self._is_guarded(one) and not self._is_there(one)
        if one.rule == "unresolved-reference":
            return one.subject not in self._tried
        if one.line in self._cautious:
            return False
        if one.rule not in _OF_OBJECTS:
            return True
        if one.line in self._expecting:
            return False
        if one.rule in _OF_WORDS:
            return True
        if one.line in self._of_lambdas or self._is_unsure(one):
            return False
        return one.rule != "missing-attribute" or self._is_missing(one)

    def _is_silenced(self, one: Diagnostic) -> bool:
        """Whether its line says so; a name that is nowhere is not there without its code."""
        codes = self._silenced.get(one.line)
        if codes is None or (not codes and one.rule == "unresolved-reference"):
            return False
        return not codes or bool(codes & _CODES.get(one.rule, codes))

    @cached_property
    def _silenced(self) -> Mapping[int, frozenset[str]]:
        """Lines whose author says that a checker is wrong -> the codes that are meant, if any."""
        lines = enumerate(split_lines(self.text), 1)
        found = {number: said for number, line in lines if (said := _SILENCED.search(line))}
        return {
            number: frozenset(re.findall(r"[\w-]+", one[1] or one[2] or ""))
            for number, one in found.items()
        }

    @cached_property
    def _cautious(self) -> frozenset[int]:
        """Lines of tests that are skipped or expected to fail."""
        found: set[int] = set()
        for node in walked(self.tree):
            if isinstance(node, FunctionNode | ast.ClassDef) and any(
                bare_leaf(one) in _CAUTIOUS for one in node.decorator_list
            ):
                found |= _lines(node)
        return frozenset(found)

    @cached_property
    def _expecting(self) -> frozenset[int]:
        """Lines in which a failure is expected or caught, or depends on what there is."""
        found: set[int] = set()
        for node in walked(self.tree):
            match node:
                case ast.With(items=items, body=body) | ast.AsyncWith(items=items, body=body):
                    found.update(*(map(_lines, body) if self._expects(items) else ()))
                case ast.Call() if bare_leaf(node) in _EXPECTING and node.args[1:]:
                    found |= set() if self._is_of_another_kind(node) else _lines(node)
                case ast.Try(body=body) if _names(node, *_CATCHING):
                    found.update(*map(_lines, body))
                case ast.If(test=test, body=body) if "hasattr" in ast.dump(test):
                    found.update(*map(_lines, body))
        return frozenset(found)

    def _expects(self, items: list[ast.withitem]) -> bool:
        """Whether a block expects a failure that a wrong name or call may be."""
        return any(
            bare_leaf(item.context_expr) in _EXPECTING
            and not self._is_of_another_kind(item.context_expr)
            for item in items
        )

    def _is_of_another_kind(self, call: ast.expr) -> bool:
        """Whether only exceptions are expected that no wrong name and no wrong call raises."""
        if not isinstance(call, ast.Call) or not call.args:
            return False
        first = call.args[0]
        kinds = first.elts if isinstance(first, ast.Tuple) else [first]
        return all(self._is_another(leaf(kind)) for kind in kinds)

    def _is_another(self, name: str) -> bool:
        """Whether an exception is none that a wrong name raises, by its bases in the program."""
        waiting, seen = [name], set[str]()
        while waiting:
            last = waiting.pop()
            bases = self.importables.bases.get(last, frozenset())
            if not bases and last not in _OTHER_KINDS:
                return False
            seen.add(last)
            waiting += sorted(bases - seen - {"Exception", "BaseException"})
        return True

    @cached_property
    def _of_lambdas(self) -> frozenset[int]:
        """Lines of lambdas with parameters, whose types no text tells."""
        found = (n for n in walked(self.tree) if isinstance(n, ast.Lambda) and n.args.args)
        return frozenset(line for node in found for line in _lines(node))

    @cached_property
    def _tried(self) -> frozenset[str]:
        """Names that the file uses in a `try`, to see whether there are any."""
        trials = (n for n in walked(self.tree) if isinstance(n, ast.Try))
        blocks = (n.body for n in trials if _names(n, "NameError"))
        nodes = (n for body in blocks for inner in body for n in ast.walk(inner))
        return frozenset(n.id for n in nodes if isinstance(n, ast.Name))

    @cached_property
    def _guarded(self) -> frozenset[int]:
        """Lines whose imports may fail: in `try` and in conditions."""
        found: set[int] = set()
        for node in walked(self.tree):
            is_expecting = isinstance(node, ast.With) and self._expects(node.items)
            if isinstance(node, ast.stmt) and (isinstance(node, ast.Try | ast.If) or is_expecting):
                found |= _lines(node)
        return frozenset(found)

    @cached_property
    def _optional(self) -> frozenset[str]:
        """Modules that the file skips its tests without."""
        calls = [n for n in walked(self.tree) if isinstance(n, ast.Call)]
        return frozenset(
            name.partition(".")[0]
            for call in calls
            if bare_leaf(call) in ("importorskip", "find_spec")
            for name in texts(call.args)
        )

    def _is_guarded(self, one: Diagnostic) -> bool:
        top = one.subject.lstrip(".").partition(".")[0]
        return one.line in self._guarded or one.line in self._cautious or top in self._optional

    def _is_there(self, one: Diagnostic) -> bool:
        """Whether something that no server reads stands for a module, or there may be more modules
        or names than texts tell."""
        importables = self.importables
        if importables.exists(one.subject):
            return True
        owner, _, name = one.subject.rpartition(".")
        known = importables.modules.get(owner)
        is_member = not one.message.startswith(_NO_MODULE)
        if known is not None and is_member and (name in known.names or known.is_open):
            return True
        parts = one.subject.split(".")
        if any(".".join(parts[start:]) in importables.modules for start in range(1, len(parts))):
            return False  # nested too deeply, rather than made
        if parts[1:2] == parts[:1]:
            return False  # no package has itself inside
        if len(parts) < 2 or not self._makes_modules(one.subject):
            return False
        is_named = all(map(self._is_spoken_of, parts[1:]))
        return is_named or the_close_one(one.subject, importables.modules, 1) is None

    def _is_spoken_of(self, word: str) -> bool:
        """Whether a word stands anywhere in the program."""
        found = re.compile(rf"\b{re.escape(word)}\b")
        return any(found.search(file.text) for file in self.importables.program.files.values())

    def _makes_modules(self, name: str) -> bool:
        """Whether a package of the program puts modules in place that no file is."""
        top = name.partition(".")[0]
        files = self.importables.program.files.values()
        own = [file for file in files if file.module.partition(".")[0] == top]
        return any(_MODULES.search(file.text) for file in own)

    def _is_dynamic(self, owner: str, files: Sequence[SourceFile]) -> bool:
        """Whether a class, or a package, gets names in ways that its text does not show."""
        last = owner.rpartition(".")[2]
        for file in files:
            if file.module == owner and self._makes_modules(owner):
                return True
            for symbol in file.symbols:
                rows = split_lines(file.text)[symbol.line - 1 : symbol.end_line]
                if symbol.leaf == last and _DYNAMIC.search("".join(rows)):
                    return True
        return False

    def _is_unsure(self, one: Diagnostic) -> bool:
        """Whether the text does not tell the type of what is called or read: it is decorated, or
        bound anew."""
        for node in walked(self.tree):
            if not isinstance(node, ast.Call | ast.Attribute) or not _contains(node, one):
                continue
            target = node.func if isinstance(node, ast.Call) else node.value
            names = {*chain(target)} or {leaf(target)}
            if names & self._unsure or (one.rule == "not-callable" and "`None`" in one.message):
                return True
        return False

    @cached_property
    def _unsure(self) -> frozenset[str]:
        """Definitions of the file with decorators of which anything may come, and those that an
        assignment replaces."""
        defined, found = set[str](), set[str]()
        for node in walked(self.tree):
            if isinstance(node, FunctionNode | ast.ClassDef):
                defined.add(node.name)
                marks = [one for one in node.decorator_list if not _is_known(one)]
                found |= {node.name} if marks else set()
        stored = (n for n in walked(self.tree) if isinstance(n, ast.Name | ast.Attribute))
        names = {leaf(n) for n in stored if not isinstance(n.ctx, ast.Load)}
        return frozenset(found | (defined & names))

    def _is_missing(self, one: Diagnostic) -> bool:
        name = one.subject.rpartition(".")[2]
        if not name or (name.startswith("__") and name.endswith("__")) or name in self._stored:
            return False
        if _UNKNOWN.search(one.message):
            return False
        found = _OWNER.match(one.message)
        owner = found[1] if found else one.subject.rpartition(".")[0]
        if "@" in owner:
            return owner.startswith("Self@") and self._is_collected(one.line)
        return not self._may_have(owner, name)

    @cached_property
    def _stored(self) -> frozenset[str]:
        """Attributes that the file sets on something."""
        found = set()
        for node in walked(self.tree):
            if isinstance(node, ast.Attribute) and not isinstance(node.ctx, ast.Load):
                found.add(node.attr)
            elif isinstance(node, ast.Call) and bare_leaf(node) in ("setattr", "object", "Mock"):
                found.update(texts(node.args))
        return frozenset(found)

    def _is_collected(self, line: int) -> bool:
        """Whether pytest collects the class around a line itself, or nobody derives from it: a
        mixin gets what it lacks from others."""
        classes = [n for n in walked(self.tree) if isinstance(n, ast.ClassDef)]
        around = [node for node in classes if line in _lines(node)]
        return bool(around) and all(
            (self.naming.is_test_class(node.name) and not node.bases)
            or any(bare_leaf(base).endswith("TestCase") for base in node.bases)
            or self._is_alone(node)
            for node in around
        )

    def _is_alone(self, node: ast.ClassDef) -> bool:
        """Whether a class of the file has neither bases nor decorators, and nobody derives from
        it."""
        bases = {leaf(b) for n in walked(self.tree) if isinstance(n, ast.ClassDef) for b in n.bases}
        others = self.importables.suite.files.values()
        word = re.compile(rf"\b{re.escape(node.name)}\b")
        return not (node.bases or node.decorator_list or node.name in bases) and not any(
            word.search(file.text) for file in others if file.text != self.text
        )

    def _may_have(self, owner: str, name: str) -> bool:
        """Whether something sets an attribute in ways that servers do not know: its name stands in
        the module of the class, or as a text or a keyword anywhere in the program."""
        last = owner.rpartition(".")[2]
        files = self.importables.program.files.values()
        known = [f for f in files if any(s.leaf == last for s in f.symbols) or f.module == owner]
        word = re.compile(rf"\b{re.escape(name)}\b")
        if any(word.search(file.text) for file in known) or self._is_dynamic(owner, known):
            return True
        quoted = re.compile(rf"['\"]{re.escape(name)}['\"]|\b{re.escape(name)}=")
        return any(quoted.search(file.text) for file in files)


def _names(node: ast.Try, *names: str) -> bool:
    """Whether a handler names one of these exceptions."""
    for handler in node.handlers:
        kind = handler.type
        kinds = kind.elts if isinstance(kind, ast.Tuple) else [kind]
        if {leaf(one) if one is not None else "BaseException" for one in kinds} & {*names}:
            return True
    return False


def _is_known(decorator: ast.expr) -> bool:
    names = chain(decorator.func if isinstance(decorator, ast.Call) else decorator)
    return bool(names) and (names[-1] in _KNOWN_DECORATORS or names[0] in ("pytest", "mark"))


def _contains(node: ast.expr, one: Diagnostic) -> bool:
    start = node.lineno, node.col_offset
    end = node.end_lineno or node.lineno, node.end_col_offset or 0
    return start <= (one.line, one.column) and (one.line, one.end) <= end


def _lines(node: ast.stmt | ast.expr) -> set[int]:
    return {*range(node.lineno, (node.end_lineno or node.lineno) + 1)}
