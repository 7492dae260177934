"""Arguments for what a program makes of a function that a test hands on: those of the function."""

from __future__ import annotations

import ast
import random
from collections.abc import Iterator, Sequence
from functools import lru_cache

from pytest_lift.agents.offline.arguments.hints.forms import literal_kind
from pytest_lift.agents.offline.arguments.known.by_name import kinds_by_name
from pytest_lift.agents.offline.natural.kinds import KINDS, is_function
from pytest_lift.agents.offline.natural.values.usual import usual
from pytest_lift.calls.call import Call
from pytest_lift.calls.definitions import LocalDefinitions
from pytest_lift.source.symbols import Parameter, parameters_of
from pytest_lift.source.syntax import FunctionNode, shared_expression

OF_FUNCTION = 0.8
"""Share of the calls of what wraps a function that get what this takes."""
OPTIONAL = 0.4
"""Share of the options of such a function that are given, as long as those before them are."""
MOST_REST = 2
"""Most arguments for ``*items``."""
PLAINEST = 3
"""Values of a kind of which one is given."""


def drawn_for_wrapped(
    call: Call, definitions: LocalDefinitions, rng: random.Random, share: float = OF_FUNCTION
) -> tuple[str, ...] | None:
    """Returns arguments for ``*args``, at this share those that the function takes which the call,
    or what makes its object, was handed; None where nothing tells."""
    parameters = handed(call, definitions)
    if parameters is None or rng.random() > share:
        return None
    found: list[str] = []
    for one in parameters:
        if one.kind == "var-positional":
            found += [rng.choice(_values(one)) for _ in range(rng.randint(1, MOST_REST))]
        elif one.kind.startswith("positional"):
            if one.default is not None and rng.random() > OPTIONAL:
                break
            found.append(rng.choice(_values(one)))
    return tuple(found)


def beside_wrapped(call: Call, definitions: LocalDefinitions) -> Call:
    """Returns the call without its arguments for ``*args`` where they are as many as a function
    takes that was handed on."""
    parameters = handed(call, definitions) if call.extra else None
    if parameters is None:
        return call
    plain = [one for one in parameters if one.kind.startswith("positional")]
    most = len(plain) if len(parameters) == len(plain) else len(call.extra)
    fits = sum(one.default is None for one in plain) <= len(call.extra) <= most
    return call.but(extra=()) if fits else call


def handed(call: Call, definitions: LocalDefinitions) -> Sequence[Parameter] | None:
    """Returns the parameters of the first function with known ones that a call, else what makes its
    object, was handed; None for none."""
    parts = (call, *(call.receiver.chain if call.receiver is not None else ()))
    sources = (source for part in parts for _, source in functions_handed(part, definitions))
    return next((found for one in sources if (found := _parameters(one)) is not None), None)


def functions_handed(call: Call, definitions: LocalDefinitions) -> Iterator[tuple[str, str]]:
    """Yields (parameter, source) of the functions that a call itself was handed: those that it has
    to be given before those that it may be, such as what is called after an error."""
    options = call.target.optional_names
    values = sorted(call.values, key=lambda pair: pair[0] in options)
    for name, value in (*values, *(("", one) for one in call.extra)):
        known = definitions.known.get(value)
        if known is not None and not known.is_class:
            yield name, known.source
        elif known is None and (value.startswith("lambda") or is_function(value)):
            yield name, value


@lru_cache(maxsize=1024)
def _parameters(source: str) -> tuple[Parameter, ...] | None:
    """Returns the parameters of a function by its source; None for what is none."""
    if source.startswith("lambda"):
        node = shared_expression(source)
        return tuple(parameters_of(node.args)) if isinstance(node, ast.Lambda) else None
    nodes = ast.parse(source).body
    functions = [node for node in nodes if isinstance(node, FunctionNode)]
    return tuple(parameters_of(functions[0].args)) if functions else None


@lru_cache(maxsize=1024)
def _values(parameter: Parameter) -> Sequence[str]:
    """Returns values that a person types for a parameter, by what tells most of it."""
    if (value := usual(parameter.name)) is not None:
        return [repr(value)]
    default = shared_expression(parameter.default) if parameter.default else None
    kind = literal_kind(default) if default is not None else ""
    kinds = (parameter.annotation or "", kind, *kinds_by_name(parameter.name), "int")
    return next(KINDS[one] for one in kinds if KINDS.get(one))[:PLAINEST]
