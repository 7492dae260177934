"""Public callables of the program: what a test can call, how, and by which name it imports it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Literal

from pytest_lift.calls.blocks import is_stream
from pytest_lift.calls.keywords import PassedKeywords, fields_of, named_keywords
from pytest_lift.calls.mains import ARGV_NAMES, is_main, script_module
from pytest_lift.calls.names import Export, Resolver, members_of
from pytest_lift.calls.survey import (
    UNKNOWN,
    DeclaredCommand,
    Member,
    MemberKind,
    Survey,
    SurveyedClass,
)
from pytest_lift.source.bindings import bindings
from pytest_lift.source.exits import refuses, returns_now_and_then
from pytest_lift.source.factories import derived_by_calls, factories_of, made_functions
from pytest_lift.source.program import Program, SourceFile
from pytest_lift.source.special_methods import NEEDED, OPERATORS, STATEMENTS
from pytest_lift.source.symbols import Parameter, Symbol
from pytest_lift.source.syntax import FunctionNode, first_line

TargetKind = Literal[
    "function",
    "constructor",
    "method",
    "static",
    "property",
    "operator",
    "statement",
    "main",
    "command",
]
"""A main reads a command line: of ``sys.argv``, or as its first argument; a command is one that
click or typer runs."""

ENUMS = frozenset({"Enum", "IntEnum", "StrEnum", "Flag", "IntFlag"})
Manner = Literal["", "sync", "async"]
"""Whether something is a context manager, and of which kind."""
ASYNCHRONOUS = "asynccontextmanager"
SELF_NAMES = frozenset({"self", "cls", "this", "me", "s", "_", "_self", "klass", "mcs"})
"""Names of the first parameter of a method."""
CHECKING = re.compile(r"^(validate|check|assert|ensure|verify|require)(_|$)")
"""Names of methods that look at something and refuse what is wrong."""
CALLED = ".__call__"
"""End of the symbol of the functions that another target makes."""
ARGUMENTS = "arguments"
"""Name of the arguments of such a function where its parameters are not known."""
DEEPEST_FUNCTION = 2
"""Most results that are called in turn: a decorator with arguments, what it decorates."""
SCRIPT = "__main__"
"""Symbol of a module that is run as a script."""


@dataclass(frozen=True)
class Target:
    """Callable of the program that a test may use."""

    path: str
    symbol: str
    kind: TargetKind
    call: str
    """Name by which the function or class is imported: ``dumps``, ``JSONEncoder``."""
    imports: tuple[str, ...]
    parameters: tuple[Parameter, ...]
    """Parameters without self or cls."""
    owner: Target | None = None
    """Constructor of the class, for methods, properties and operators."""
    members: tuple[str, ...] = ()
    """Members of an enumeration, one of which stands in the place of a call of it."""
    asynchronous: bool = False
    streams: bool = False
    """Whether it is an asynchronous generator."""
    optional: bool = False
    """Whether it returns something on one way out of it, and None on another."""
    enters: Manner = ""
    """Whether what it makes is a context manager, and of which kind."""
    given: tuple[tuple[str, str], ...] = ()
    """Arguments that every call of it has."""
    factory: bool = False
    """Whether it is a function that makes the objects of a class without a public name."""
    makes: tuple[tuple[Parameter, ...], ...] = ()
    """Parameters of the function that it defines and returns, then of that which this returns."""
    defined: tuple[str, ...] = ()
    """Statements of a documented program that a test repeats before it gives it a command line."""
    shown: tuple[tuple[str, ...], ...] = ()
    """Command lines that documents show for it."""
    library: bool = False
    """Whether a class of the program has it from one of a library: it is called for the code of
    the program that runs in it alone."""

    @property
    def entry(self) -> bool:
        """Whether it is a way into the program from the command line."""
        return self.kind in ("main", "command")

    @property
    def argv(self) -> str:
        """Parameter by which a main gets its command line; empty where that is ``sys.argv``."""
        first = self.parameters[0].name if self.kind == "main" and self.parameters else ""
        return first if first in ARGV_NAMES else ""

    @cached_property
    def leaf(self) -> str:
        return self.symbol.rpartition(".")[2]

    @cached_property
    def optional_names(self) -> frozenset[str]:
        """Parameters that a call may leave out."""
        return frozenset(p.name for p in self.parameters if p.default is not None)

    @cached_property
    def key(self) -> str:
        sets = self.kind == "statement" and self.leaf not in STATEMENTS
        return f"{self.path}:{self.symbol}{'=' if sets else ''}"


def function_of(maker: Target) -> Target:
    """Returns the target for the functions that a target makes, with their own parameters where
    they are known and say more than that there are some."""
    given: tuple[Parameter, ...] = (Parameter(ARGUMENTS, "var-positional"),)
    if maker.makes and any(not one.kind.startswith("var-") for one in maker.makes[0]):
        given = maker.makes[0]
    symbol = f"{maker.symbol}{CALLED}"
    made = Target(maker.path, symbol, "method", maker.call, maker.imports, given, maker)
    return replace(made, makes=maker.makes[1:])


def find_targets(program: Program, resolver: Resolver, survey: Survey = UNKNOWN) -> list[Target]:
    """Returns every public callable of the program, in the order of the source; by a `survey` also
    inherited ones, and none of what cannot be imported or built."""
    found: list[Target] = []
    passed = PassedKeywords(program)
    for file in program.files.values():
        if file.error is not None or not file.importable:
            continue
        if file.module not in survey.failed and not _runs_when_imported(file):
            targets = _targets_of(file, resolver, passed)
            classes = survey.classes.get(file.module)
            takes = dict(_assigned(file.tree))
            targets = targets if classes is None else list(_after_import(targets, classes, takes))
            commands = survey.commands.get(file.module, {})
            found += [target for target in targets if target.symbol not in commands]
            found += _commands(file, resolver, commands)
        if name := script_module(file, file.module in survey.failed):
            given = (("mod_name", repr(name)), ("run_name", "'__main__'"))
            parameters = (Parameter("mod_name", "positional"), Parameter("run_name", "keyword"))
            imports = ("import runpy",)
            call = "runpy.run_module"
            found.append(Target(file.path, SCRIPT, "main", call, imports, parameters, given=given))
    return found


def _commands(
    file: SourceFile, resolver: Resolver, known: Mapping[str, DeclaredCommand]
) -> list[Target]:
    """Returns the commands of click and typer that a module itself defines."""
    own = {symbol.name for symbol in file.symbols} | bindings(file.tree.body).once.keys()
    found = []
    for name, command in known.items():
        export = resolver.export(file.path, name) or Export(file.module, name)
        if name in own and not command.inner and not name.startswith("_") and file.public:
            runner = f"from {command.library}.testing import CliRunner"
            imports = (export.line, runner)
            found.append(Target(file.path, name, "command", export.name, imports, ()))
    return found


def _after_import(
    targets: Sequence[Target], classes: Mapping[str, SurveyedClass], takes: Mapping[str, Parameter]
) -> Iterator[Target]:
    """Yields the targets of a file as they are after import; `takes` is what may be assigned to
    attributes, by their symbols."""
    built: dict[str, Target] = {}
    for target in targets:
        known = classes.get(target.symbol)
        if target.owner is not None:
            if (owner := target.owner.symbol) in built:
                made = replace(target, owner=built[owner])
                yield _as_surveyed(made, classes[owner].members)
        elif target.kind != "constructor":
            yield target
        elif known is not None and not known.abstract:
            signature = known.parameters or ()
            parameters = _by_name(target.parameters, signature) or signature
            yield (maker := target if target.factory else replace(target, parameters=parameters))
            built[target.symbol] = maker
    own = {target.symbol for target in targets}
    for name, maker in built.items():
        for member in classes[name].members:
            symbol = f"{maker.symbol}.{member.name}"
            yield from _members(maker, member, symbol in own, takes.get(symbol))


def _by_name(
    parameters: Sequence[Parameter], signature: Sequence[Parameter]
) -> tuple[Parameter, ...]:
    """Returns the parameters, those as given by name that a signature has so."""
    named = {one.name for one in signature if one.kind == "keyword"}
    return tuple(replace(p, kind="keyword") if p.name in named else p for p in parameters)


def _as_surveyed(target: Target, members: Sequence[Member]) -> Target:
    """Returns a method as a property where a decorator has made one of it."""
    kind = next((one.kind for one in members if one.name == target.leaf), target.kind)
    if target.kind == "method" and kind == "property":
        return replace(target, kind="property", parameters=())
    return target


def _assigned(tree: ast.Module) -> Iterator[tuple[str, Parameter]]:
    """Yields (``Class.attribute``, what it takes) of the properties that a class defines, as their
    setters say it, or else by what they return."""
    for owner in (node for node in tree.body if isinstance(node, ast.ClassDef)):
        returned: dict[str, str] = {}
        for node in (one for one in owner.body if isinstance(one, ast.FunctionDef)):
            names = [ast.unparse(one) for one in node.decorator_list]
            if node.returns is not None and any(name.endswith("property") for name in names):
                returned[node.name] = ast.unparse(node.returns)
            given = node.args.args[1:2] if f"{node.name}.setter" in names else ()
            for one in given:
                hint = ast.unparse(one.annotation) if one.annotation else returned.get(node.name)
                yield f"{owner.name}.{node.name}", Parameter(one.arg, "positional", None, hint)


def _members(
    owner: Target, member: Member, is_known: bool, assigned: Parameter | None = None
) -> Iterator[Target]:
    """Yields what the static reading does not have: inherited members, and setters, as far as it is
    known with what they take."""
    make = partial(
        Target,
        owner.path,
        f"{owner.symbol}.{member.name}",
        call=owner.call,
        imports=owner.imports,
        owner=owner,
    )
    if owner.factory and member.kind == "static":
        return
    if member.settable:
        yield make("statement", parameters=(assigned or Parameter("value", "positional"),))
    special = member.name in STATEMENTS or member.name in OPERATORS
    if not is_known and (special or not member.name.startswith("__")):
        kind = _kind_of(member.name, member.kind)
        plain = (p for p in member.parameters if not (special and p.kind.startswith("var-")))
        streams = member.streams or member.name == "__aiter__"
        waits = member.waits and not streams
        lines = (*owner.imports, *NEEDED.get(member.name, ()))
        made = make(kind, parameters=tuple(plain), asynchronous=waits, streams=streams)
        yield replace(made, imports=lines, library=member.library)


def _kind_of(name: str, kind: MemberKind) -> TargetKind:
    """Returns the kind of a member's target, by its name and how it is defined."""
    if kind != "method":
        return kind
    return "statement" if name in STATEMENTS else "operator" if name in OPERATORS else "method"


def _runs_when_imported(file: SourceFile) -> bool:
    """Whether a ``__main__`` module calls something on import, not behind ``if __name__``."""
    calls = (n for n in file.tree.body if isinstance(n, ast.Expr) and isinstance(n.value, ast.Call))
    return file.module.endswith("__main__") and next(calls, None) is not None


def _targets_of(file: SourceFile, resolver: Resolver, passed: PassedKeywords) -> list[Target]:
    found: list[Target] = []
    nodes = _definitions(file.tree)
    constructors = _constructors(file, resolver, found, nodes, passed)
    makers = {target.call for target in found if target.factory}
    for symbol in file.symbols:
        node = nodes.get(symbol.line)
        if symbol.kind == "function":
            target = _function(file, symbol, resolver, node)
        elif symbol.kind == "method":
            target = _method(file, symbol, constructors, node, resolver.program)
        else:
            target = None
        if (
            target is not None
            and target not in found
            and not (target.kind == "function" and target.call in makers)
        ):
            more = (*named_keywords(node), *passed.of(file, symbol))
            found.append(replace(target, parameters=(*target.parameters, *more)))
    return found


def _constructors(
    file: SourceFile,
    resolver: Resolver,
    found: list[Target],
    nodes: Mapping[int, ast.AST],
    passed: PassedKeywords,
) -> dict[str, Target]:
    inits = {s.name.rpartition(".")[0]: s for s in file.symbols if s.leaf == "__init__"}
    classes = {s.name: s for s in file.symbols if s.kind == "class" and "." not in s.name}
    targets: dict[str, Target] = {}
    makers = factories_of(file)
    derived = derived_by_calls(file) if file.public else {}
    for name, symbol in classes.items():
        export = resolver.export(file.path, name)
        if name in derived and (export is None or export.module == file.module):
            other = derived[name]
            export = resolver.export(file.path, other) or Export(file.module, other)
        if name in makers and (export := resolver.export(file.path, makers[name].name)):
            line, given = (export.line,), makers[name].parameters
            made = Target(file.path, name, "constructor", export.name, line, given, factory=True)
            targets[name] = made
            found.append(made)
            continue
        if export is None or _is_abstract(symbol) or name.startswith("Test"):
            continue
        members = members_of(file, name) if export.name == name and _bases(symbol) & ENUMS else ()
        if members:
            given = (Parameter("member", "positional"),)
            made = Target(file.path, name, "constructor", name, (export.line,), given, None)
            targets[name] = replace(made, members=members)
            found.append(targets[name])
            continue
        init = _inherited_init(name, classes, inits)
        parameters = init.parameters[1:] if init else fields_of(file, symbol)
        if init is not None:
            parameters += (*named_keywords(nodes.get(init.line)), *passed.of(file, init))
        line = (export.line,)
        made = Target(file.path, name, "constructor", export.name, line, parameters, None)
        targets[name] = replace(made, enters=_entering(name, classes, file))
        found.append(targets[name])
    return targets


def _entering(name: str, classes: Mapping[str, Symbol], file: SourceFile) -> Manner:
    """Returns in which way the objects of a class are context managers, by its own methods and
    those of its bases in the module."""
    lines, waiting = {name}, [name]
    while waiting:
        bases = classes[one].bases if (one := waiting.pop()) in classes else ()
        waiting += [base for base in bases if base not in lines]
        lines.update(bases)
    methods = {s.leaf for s in file.symbols if s.name.rpartition(".")[0] in lines}
    return "sync" if "__enter__" in methods else "async" if "__aenter__" in methods else ""


def _manner(symbol: Symbol) -> Manner:
    """Returns the kind of context manager that a decorator makes of a generator."""
    named = {decorator.rpartition(".")[2] for decorator in symbol.decorators}
    return "sync" if "contextmanager" in named else "async" if ASYNCHRONOUS in named else ""


def _inherited_init(
    name: str, classes: dict[str, Symbol], inits: dict[str, Symbol]
) -> Symbol | None:
    seen: set[str] = set()
    while name not in inits:
        seen.add(name)
        bases = classes[name].bases if name in classes else ()
        name = next((b for b in bases if b in classes and b not in seen), "")
        if not name:
            return None
    return inits[name]


def _is_abstract(symbol: Symbol) -> bool:
    return bool(_bases(symbol) & {"ABC", "Protocol", "TypedDict"})


def _bases(symbol: Symbol) -> set[str]:
    return {base.rpartition(".")[2].partition("[")[0] for base in symbol.bases}


def _function(
    file: SourceFile, symbol: Symbol, resolver: Resolver, node: ast.AST | None
) -> Target | None:
    export = resolver.export(file.path, symbol.name)
    if export is None or _is_fixture(symbol) or symbol.name.startswith("test"):
        return None
    kind: TargetKind = "main" if is_main(symbol, node) else "function"
    line = (export.line,)
    made = Target(file.path, symbol.name, kind, export.name, line, symbol.parameters)
    return _timed(made, symbol, node)


def _timed(target: Target, symbol: Symbol, node: ast.AST | None) -> Target:
    """Returns the target with how its results are had: at once, by waiting, one after another, or
    inside a block."""
    enters = _manner(symbol)
    streams = not enters and (is_stream(node) or symbol.leaf == "__aiter__")
    waits = isinstance(node, ast.AsyncFunctionDef) and not streams and not enters
    optional = returns_now_and_then(node) or _only_refuses(target, node)
    return replace(
        target,
        asynchronous=waits,
        streams=streams,
        enters=enters,
        optional=optional,
        makes=made_functions(node),
    )


def _only_refuses(target: Target, node: ast.AST | None) -> bool:
    """Whether a function is there to refuse its arguments: what it lets pass is told by None."""
    named = target.owner is None or CHECKING.search(target.leaf) is not None
    return named and target.kind in ("function", "method", "static") and refuses(node)


def _is_fixture(symbol: Symbol) -> bool:
    return any("overload" in d or "fixture" in d or "click" in d for d in symbol.decorators)


def _method(
    file: SourceFile,
    symbol: Symbol,
    owners: dict[str, Target],
    node: ast.AST | None,
    program: Program,
) -> Target | None:
    owner = owners.get(symbol.name.rpartition(".")[0])
    special = symbol.leaf in OPERATORS or symbol.leaf in STATEMENTS
    private = symbol.leaf.startswith("_") and not special
    if owner is None or private or any("overload" in d for d in symbol.decorators):
        return None
    if any(".setter" in d or ".deleter" in d or "abstract" in d for d in symbol.decorators):
        return None
    kind: MemberKind = "method"
    parameters = symbol.parameters[1:]
    if _needs_no_object(symbol, file, program):
        kind, parameters = "static", symbol.parameters
    if any(d.endswith("property") for d in symbol.decorators):
        kind = "property"
    elif "staticmethod" in symbol.decorators:
        kind, parameters = "static", symbol.parameters
    elif "classmethod" in symbol.decorators:
        kind = "static"
    if owner.factory and kind == "static":
        return None
    named = _kind_of(symbol.leaf, kind)
    lines = (*owner.imports, *NEEDED.get(symbol.leaf, ()))
    made = Target(file.path, symbol.name, named, owner.call, lines, parameters, owner)
    return _timed(made, symbol, node)


def _needs_no_object(symbol: Symbol, file: SourceFile, program: Program) -> bool:
    """Whether a function of a class is one that a decorator would have to make static: it has no
    parameter for an object, and is called on the class, or none of the class has one."""
    if symbol.decorators or symbol.leaf.startswith("__") or _first(symbol) in SELF_NAMES:
        return False
    owner = symbol.name.rpartition(".")[0]
    others = [s for s in file.symbols if s.kind == "method" and s.name.rpartition(".")[0] == owner]
    if not symbol.parameters or not any(_first(one) in SELF_NAMES for one in others):
        return True
    called = re.compile(rf"\b{re.escape(symbol.name)}\(")
    return any(called.search(file.text) for file in program.files.values())


def _first(symbol: Symbol) -> str:
    """Returns the name of the first parameter; empty where there is none."""
    return symbol.parameters[0].name if symbol.parameters else ""


def _definitions(tree: ast.Module) -> dict[int, ast.AST]:
    return {first_line(node): node for node in ast.walk(tree) if isinstance(node, FunctionNode)}
