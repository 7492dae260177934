"""Finds the public callables of a program: functions, classes with their members, ways into it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from pytest_lift.calls.blocks import is_stream
from pytest_lift.calls.names import Export, Resolver
from pytest_lift.calls.survey import (
    UNKNOWN,
    DeclaredCommand,
    MemberKind,
    Survey,
)
from pytest_lift.calls.targets.attribute_hints import with_attribute_hints
from pytest_lift.calls.targets.clashing_hints import with_aliases
from pytest_lift.calls.targets.given import with_givers
from pytest_lift.calls.targets.imported import after_import, assigned_attributes, kind_of
from pytest_lift.calls.targets.keywords import (
    PassedKeywords,
    fields_of,
    named_keywords,
    with_idle,
)
from pytest_lift.calls.targets.mains import (
    is_main,
    is_required,
    is_unread,
    script_module,
    takes_name,
)
from pytest_lift.calls.targets.managers import as_manager
from pytest_lift.calls.targets.related_hints import RelatedHints
from pytest_lift.calls.targets.target import SCRIPT, Manner, Target, TargetKind
from pytest_lift.source.bindings import bindings
from pytest_lift.source.enumerations import ENUMERATIONS, enumerations, members_of
from pytest_lift.source.exits import (
    acts,
    refuses,
    returns_now_and_then,
)
from pytest_lift.source.made.factories import (
    derived_by_calls,
    factories_of,
    functions_beside,
    instances_of,
    made_functions,
)
from pytest_lift.source.program import Program, SourceFile
from pytest_lift.source.special_methods import DESCRIBING, NEEDED, OPERATORS, STATEMENTS
from pytest_lift.source.symbols import Parameter, Symbol
from pytest_lift.source.syntax import functions_by_line
from pytest_lift.suite.collection import case_classes

MEMBER = (Parameter("member", "positional"),)
"""What stands for the parameters of an enumeration: which of its members is meant."""
ASYNCHRONOUS = "asynccontextmanager"
SELF_NAMES = frozenset({"self", "cls", "this", "me", "s", "_", "_self", "klass", "mcs"})
"""Names of the first parameter of a method."""
CHECKING = re.compile(r"^(validate|check|assert|ensure|verify|require)(_|$)")
"""Names of methods that look at something and refuse what is wrong."""

PROPERTY = re.compile(r"property\b(?!\.)")
"""What a decorator is called that makes a property of a function, also with arguments."""


def find_targets(program: Program, resolver: Resolver, survey: Survey = UNKNOWN) -> list[Target]:
    """Returns every public callable of the program, in the order of the source; by a `survey` also
    inherited ones, and none of what cannot be imported or built."""
    found: list[Target] = []
    passed = PassedKeywords(program)
    for file in program.files.values():
        if file.error is not None or not file.importable:
            continue
        own: list[Target] = []
        if file.module not in survey.failed and not _runs_when_imported(file):
            targets = _surveyed(_targets_of(file, resolver, passed), file, program, survey)
            commands = survey.commands.get(file.module, {})
            own = [target for target in targets if target.symbol not in commands]
            own += _commands(file, resolver, commands)
        found += (*own, *_script(file, own, file.module in survey.failed))
    found, givers = with_givers(found, resolver)
    for (path, name), giver in givers.items():
        file = program.files[path]
        if file.module not in survey.failed:
            found += _given_members(file, name, giver, resolver, passed, survey)
    return with_aliases(RelatedHints(program).filled(found), program)


def _script(file: SourceFile, own: Sequence[Target], failed: bool) -> Iterator[Target]:
    """Yields the target by which a module runs as a script; none where a ``__main__`` has a main
    among its `own` targets: `runpy` warns of what other tests have imported."""
    name = script_module(file, failed)
    if name and not (file.module.endswith(".__main__") and any(one.entry for one in own)):
        given = (("mod_name", repr(name)), ("run_name", "'__main__'"))
        parameters = (Parameter("mod_name", "positional"), Parameter("run_name", "keyword"))
        imports, call = ("import runpy",), "runpy.run_module"
        yield Target(file.path, SCRIPT, "main", call, imports, parameters, given=given)


def _surveyed(
    targets: list[Target], file: SourceFile, program: Program, survey: Survey
) -> list[Target]:
    """Returns the targets of a file as they are after import, where it was imported."""
    classes = survey.classes.get(file.module)
    if classes is None:
        return targets
    known = survey.handed.get(file.module, {})
    handed = {symbol: with_idle(taken, program) for symbol, taken in known.items()}
    takes = dict(assigned_attributes(file.tree))
    return list(after_import(targets, classes, takes, handed))


def _given_members(
    file: SourceFile,
    name: str,
    giver: Target,
    resolver: Resolver,
    passed: PassedKeywords,
    survey: Survey,
) -> list[Target]:
    """Returns the members of a class without a public name, called on what the giver gives."""
    maker = Target(file.path, name, "constructor", giver.call, giver.imports, (), factory=True)
    own = _targets_of(file, resolver, passed, {name: maker})
    members = _surveyed([maker, *own], file, resolver.program, survey)
    return [replace(one, owner=giver) for one in members if one.owner is not None]


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


def _runs_when_imported(file: SourceFile) -> bool:
    """Whether a ``__main__`` module calls something on import, not behind ``if __name__``."""
    calls = (n for n in file.tree.body if isinstance(n, ast.Expr) and isinstance(n.value, ast.Call))
    return file.module.endswith("__main__") and next(calls, None) is not None


def _targets_of(
    file: SourceFile,
    resolver: Resolver,
    passed: PassedKeywords,
    given: Mapping[str, Target] | None = None,
) -> list[Target]:
    """Returns the targets of a file; where classes with their constructors are `given`, the members
    of these alone."""
    found: list[Target] = []
    nodes = functions_by_line(file.tree)
    constructors = given or _constructors(file, resolver, found, nodes, passed)
    makers = {target.call for target in found if target.factory}
    for symbol in file.symbols:
        node = nodes.get(symbol.line)
        if symbol.kind == "function" and given is None:
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
    collected = case_classes([file.text]) if "TestCase" in file.text else frozenset()
    classes = {
        symbol.name: symbol
        for symbol in file.symbols
        if symbol.kind == "class" and _is_usable(symbol, file) and symbol.name not in collected
    }
    targets: dict[str, Target] = {}
    makers, instances = factories_of(file), instances_of(file)
    known = enumerations(resolver.program)
    derived = derived_by_calls(file) if file.public else {}
    for name, symbol in classes.items():
        outer, _, inner = name.partition(".")
        export = resolver.export(file.path, outer)
        if name in derived and (export is None or export.module == file.module):
            other = derived[name]
            export = resolver.export(file.path, other) or Export(file.module, other)
        if name in makers and (export := resolver.export(file.path, makers[name].name)):
            line, given = (export.line,), makers[name].parameters
            made = Target(file.path, name, "constructor", export.name, line, given, factory=True)
            targets[name] = made
            found.append(made)
            continue
        if name in instances and (export := resolver.export(file.path, instances[name])):
            made = Target(file.path, name, "constructor", export.name, (export.line,), ())
            targets[name] = replace(made, members=(export.name,), factory=True)
            found.append(targets[name])
            continue
        if export is None or _is_abstract(symbol) or name.startswith("Test"):
            continue
        if export.name == name and (file.path, name) in known and (members := _members(file, name)):
            made = Target(file.path, name, "constructor", name, (export.line,), MEMBER, None)
            targets[name] = replace(made, members=members)
            found.append(targets[name])
            continue
        init = _inherited_init(name, classes, inits)
        parameters = init.parameters[1:] if init else fields_of(file, symbol)
        if init is not None:
            parameters += (*named_keywords(nodes.get(init.line)), *passed.of(file, init))
            parameters = with_attribute_hints(parameters, file, name)
        line, call = (export.line,), f"{export.name}.{inner}".rstrip(".")
        made = Target(file.path, name, "constructor", call, line, parameters, None)
        targets[name] = as_manager(made, name, file, resolver.program)
        found.append(targets[name])
    return targets


def _is_usable(symbol: Symbol, file: SourceFile) -> bool:
    """Whether a class is one of its module, or a public one inside of a class that does something:
    it is derived from another one, or has a public method; others hold settings or constants."""
    _, *inside = symbol.name.split(".")
    if not inside:
        return True
    methods = (s for s in file.symbols if s.kind == "method" and not s.leaf.startswith("_"))
    useful = bool(symbol.bases) or any(s.name == f"{symbol.name}.{s.leaf}" for s in methods)
    public = not any(name.startswith("_") for name in inside)
    return public and useful and not _bases(symbol) & ENUMERATIONS


def _members(file: SourceFile, enumeration: str) -> tuple[str, ...]:
    """Returns the members of an enumeration of a file, as they are written."""
    nodes = (one for one in file.tree.body if isinstance(one, ast.ClassDef))
    found = next((members_of(one) for one in nodes if one.name == enumeration), {})
    return tuple(f"{enumeration}.{member}" for member in found)


def _manner(symbol: Symbol, node: ast.AST | None) -> Manner:
    """Returns the kind of context manager that a decorator makes of a generator; one of this name
    that takes coroutines is another one."""
    named = {decorator.rpartition(".")[2] for decorator in symbol.decorators}
    if "contextmanager" in named:
        return "" if isinstance(node, ast.AsyncFunctionDef) else "sync"
    return "async" if ASYNCHRONOUS in named else ""


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
    taken = symbol.parameters
    if kind == "main" and taken and not is_required(taken[0]) and is_unread(node, taken[0].name):
        taken = ()  # the command line is that of the process
    named = kind == "main" and bool(taken) and takes_name(node, taken[0])
    made = Target(file.path, symbol.name, kind, export.name, line, taken, argv_has_name=named)
    return _timed(made, file, symbol, node)


def _timed(target: Target, file: SourceFile, symbol: Symbol, node: ast.AST | None) -> Target:
    """Returns the target with how its results are had: at once, by waiting, one after another, or
    inside a block."""
    enters = _manner(symbol, node)
    streams = not enters and (is_stream(node) or symbol.leaf == "__aiter__")
    waits = isinstance(node, ast.AsyncFunctionDef) and not streams and not enters
    optional = returns_now_and_then(node) or _only_refuses(target, node)
    return replace(
        target,
        asynchronous=waits,
        streams=streams,
        enters=enters,
        optional=optional,
        makes=made_functions(node, functions_beside(file.tree, symbol.name)),
    )


def _only_refuses(target: Target, node: ast.AST | None) -> bool:
    """Whether a function is there to refuse its arguments: what it lets pass is told by None."""
    named = CHECKING.search(target.leaf) is not None
    named = named or (target.owner is None and not acts(node, CHECKING))
    return named and target.kind in ("function", "method", "static") and refuses(node)


def _is_fixture(symbol: Symbol) -> bool:
    return any("overload" in d or "fixture" in d or "click" in d for d in symbol.decorators)


def _method(
    file: SourceFile,
    symbol: Symbol,
    owners: Mapping[str, Target],
    node: ast.AST | None,
    program: Program,
) -> Target | None:
    owner = owners.get(symbol.name.rpartition(".")[0])
    is_property = any(PROPERTY.search(d) for d in symbol.decorators)
    special = symbol.leaf in OPERATORS or symbol.leaf in STATEMENTS
    special = special or (is_property and symbol.leaf in DESCRIBING)
    private = symbol.leaf.startswith("_") and not special
    if owner is None or private or any("overload" in d for d in symbol.decorators):
        return None
    if any(".setter" in d or ".deleter" in d or "abstract" in d for d in symbol.decorators):
        return None
    kind: MemberKind = "method"
    parameters = symbol.parameters[1:]
    if _needs_no_object(symbol, file, program):
        kind, parameters = "static", symbol.parameters
    if is_property:
        kind = "property"
    elif "staticmethod" in symbol.decorators:
        kind, parameters = "static", symbol.parameters
    elif "classmethod" in symbol.decorators:
        kind = "static"
    if owner.factory and kind == "static":
        return None
    named = kind_of(symbol.leaf, kind)
    lines = (*owner.imports, *NEEDED.get(symbol.leaf, ()))
    made = Target(file.path, symbol.name, named, owner.call, lines, parameters, owner)
    return _timed(made, file, symbol, node)


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
