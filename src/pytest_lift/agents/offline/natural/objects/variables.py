"""Names variables of objects by what these are."""

from __future__ import annotations

from collections.abc import Collection
from keyword import iskeyword

from pytest_lift.agents.offline.writing.words import DANGLING, slug
from pytest_lift.calls.call import Call


def variable_for(name: str, taken: Collection[str]) -> str:
    """Returns a variable for an object of a class: ``TTLCache`` -> ``cache``, but ``OneOf`` ->
    ``one_of``."""
    words = [word for word in slug(name).split("_") if word.isidentifier()]
    last = words[-1] if words and words[-1] not in DANGLING else ""
    whole = "_".join(words)
    candidates = [last, whole, f"{whole}_", "subject"]
    fitting = (c for c in candidates if c.isidentifier() and not iskeyword(c) and c not in taken)
    return next(fitting, "subject_")


def plainly_named(call: Call, taken: Collection[str]) -> Call:
    """Returns a documented call on an object whose variable is named by its class, where the name
    tells what this one is, ``easter`` for a day: the search makes others in its place."""
    made = call.receiver
    if not call.name or made is None or made.target.kind != "constructor":
        return call
    usual = variable_for(made.target.call, taken)
    used = {*call.names, *(line.bound for line in call.before)}
    says = not {*slug(made.target.call).split("_")}.isdisjoint(slug(call.name).split("_"))
    if says or not used.isdisjoint((usual, call.name)):
        return call
    lines = (line.but(subject=usual) if line.subject == call.name else line for line in call.before)
    return call.but(name=usual, before=tuple(lines))
