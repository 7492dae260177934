"""Assignment of requirements to the modules that they concern, by the names in their texts."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from functools import lru_cache

from pytest_lift.requirements.requirement import Requirement, Requirements
from pytest_lift.source.program import Program, SourceFile
from pytest_lift.trace.grounding import quoted_names

_WORD = re.compile(r"[A-Za-z_]\w*")
QUOTED, PLAIN, MODULE = 3, 1, 2
"""Weights of a name in backticks, of a name in prose, and of a module's name."""


def homes(requirements: Requirements, program: Program) -> dict[str, str]:
    """Returns requirement id -> path of the source file that it concerns most.

    A requirement that names nothing of the program gets the file of most requirements in its scope,
    or else the first public module. Exempt requirements have no file.
    """
    paths = [path for path, file in program.files.items() if not file.error]
    if not paths:
        return {}
    defined = {path: _names(program.files[path]) for path in paths}
    rarity = Counter(name for names in defined.values() for name in names)
    found: dict[str, str] = {}
    for item in requirements.testable:
        scores = _scores(item, defined, rarity, program)
        if scores:
            found[item.id] = max(scores, key=lambda path: (scores[path], -paths.index(path)))
    default = next((p for p in paths if program.files[p].public), paths[0])
    for item in requirements.testable:
        if item.id not in found:
            found[item.id] = _of_its_scope(item, requirements, found) or default
    return found


def named_symbols(item: Requirement, source: SourceFile) -> set[str]:
    """Returns the symbols of `source` (qualified) whose names the requirement's text uses."""
    words = quoted_names(item.text) | set(_WORD.findall(item.text))
    return {s.name for s in source.symbols if s.leaf in words and len(s.leaf) > 2}


def _scores(
    item: Requirement,
    defined: Mapping[str, frozenset[str]],
    rarity: Counter[str],
    program: Program,
) -> dict[str, float]:
    quoted, plain = quoted_names(item.text), set(_WORD.findall(item.text))
    scores: dict[str, float] = {}
    for path, names in defined.items():
        score = sum(QUOTED / rarity[name] for name in names & quoted)
        score += sum(PLAIN / rarity[name] for name in names & plain if _is_telling(name))
        leaf = program.files[path].module.rpartition(".")[2]
        score += MODULE * (leaf in quoted or leaf in item.scope)
        if score:
            scores[path] = score
    return scores


def _is_telling(name: str) -> bool:
    """Whether a name is not an ordinary word of prose: it has an underscore or an inner capital
    letter."""
    return "_" in name.strip("_") or any(c.isupper() for c in name[1:])


@lru_cache(maxsize=1024)
def _names(source: SourceFile) -> frozenset[str]:
    """Returns the names that a module defines, including parameters of its public functions."""
    names = {symbol.leaf for symbol in source.symbols if not symbol.leaf.startswith("__")}
    for symbol in source.symbols:
        if symbol.public:
            names |= {parameter.name for parameter in symbol.parameters}
    return frozenset(names - {"self", "cls"})


def _of_its_scope(
    item: Requirement, requirements: Requirements, found: Mapping[str, str]
) -> str | None:
    near = Counter(
        found[other.id]
        for other in requirements.testable
        if other.scope == item.scope and other.id in found
    )
    return near.most_common(1)[0][0] if near else None
