"""What was noted of the arguments of a program, by documents, its code and what it does."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TypeVar

from pytest_lift.agents.offline.arguments.call_sites import PRIVATE
from pytest_lift.agents.offline.arguments.known.made import MadeObjects
from pytest_lift.agents.offline.arguments.known.pools import Pools
from pytest_lift.agents.offline.natural.kinds import ENDLESS, PASSED, is_function, maker_of
from pytest_lift.calls.case import OF_A_RUN
from pytest_lift.calls.reading import is_stand_in
from pytest_lift.calls.targets.target import Target
from pytest_lift.source.symbols import Parameter

MOST_USED = 8
"""Most arguments of one parameter that are taken from code or a constant."""
FEWEST_SHOWN = 3
"""Documented texts of a parameter from which it is known what people write for it."""
ADDRESS = re.compile(r"(?<![\w.])\d{13,}(?!\.)")
"""Number as `id` gives it: another one in each run."""
SEEN = 3
"""Different arguments that the program is seen to pass, from which others are of a wrong kind."""
LONGEST_DICT, MOST_DICTS = 60, 4
"""Characters of a documented dict that stands for any, and most such dicts."""
TEXT_KEY = re.compile(r"""\{['"]\w""")
_Pool = TypeVar("_Pool")


def is_lasting(source: str) -> bool:
    """Whether an argument that was seen is public, and the same in each run."""
    return not any(pattern.search(source) for pattern in (PRIVATE, ADDRESS, OF_A_RUN))


class NotedArguments:
    """Arguments and their kinds, by target and parameter; what is made of them is made anew when
    something is noted."""

    def __init__(self) -> None:
        self.documented: dict[tuple[str, str], list[str]] = {}
        self.used: dict[tuple[str, str], list[str]] = {}
        """(target, parameter) -> arguments in the program's own code."""
        self.given: dict[tuple[str, str], list[str]] = {}
        """(target, parameter) -> kinds of the arguments in the program's own code."""
        self.passed: dict[tuple[str, str], list[str]] = {}
        """(target, parameter) -> arguments that the program was seen to pass to it."""
        self.passed_kinds: dict[tuple[str, str], set[str]] = {}
        """(target, parameter) -> kinds of the arguments that the program was seen to pass to it."""
        self.read: dict[tuple[str, str], list[str]] = {}
        """(target, parameter) -> texts of the formats that it reads."""
        self.met: dict[tuple[str, str], list[str]] = {}
        """(target, parameter) -> values that have what a stand-in was asked for."""
        self.by_name: dict[str, list[str]] = {}
        self.objects = MadeObjects()
        self.wanted: dict[str, set[str]] = {}
        """Target -> attributes that its arguments lacked."""
        self._pools = Pools(self.objects)
        self._passed_rows: dict[tuple[str, str], list[tuple[str, str]]] = {}
        self._known_kinds: dict[tuple[str, str], list[str]] = {}
        self._documented_texts: list[str] | None = None
        self._shown_dicts: list[str] | None = None

    def note(self, target: Target, parameter: str, expression: str) -> None:
        """Adds an argument that the documentation uses; one without an end is for its target
        alone, for others may read it to the end. What stands in for a function is none."""
        if is_stand_in(expression):
            return
        pools = [self.documented.setdefault((target.key, parameter), [])]
        if maker_of(expression) not in ENDLESS:
            pools.append(self.by_name.setdefault(parameter, []))
        for pool in pools:
            if expression not in pool:
                pool.append(expression)
        self._pools.forget_all()
        self._documented_texts = self._shown_dicts = None

    @property
    def shown_dicts(self) -> list[str]:
        """The short dicts with texts as keys that documents give to anything, the first first."""
        if self._shown_dicts is None:
            pools = [value for pool in self.documented.values() for value in pool]
            short = (one for one in pools if one[:1] == "{" and 4 < len(one) <= LONGEST_DICT)
            found = (one for one in short if TEXT_KEY.match(one))
            self._shown_dicts = list(dict.fromkeys(found))[:MOST_DICTS]
        return self._shown_dicts

    def note_rest(self, target: Target, parameter: str, expression: str) -> None:
        """Adds an argument for ``*args`` that the documentation uses."""
        pool = self.documented.setdefault((target.key, parameter), [])
        if not is_stand_in(expression) and expression not in pool:
            pool.append(expression)
        self._pools.forget((target.key, parameter))

    def note_used(self, target: Target, parameter: str, expression: str) -> None:
        """Adds an argument that the program's own code uses."""
        pool = self.used.setdefault((target.key, parameter), [])
        if expression not in pool and len(pool) < MOST_USED:
            pool.append(expression)

    def note_read(self, target: Target, parameter: str, expressions: list[str]) -> None:
        """Adds texts of the formats that a parameter is known to read."""
        self.read[target.key, parameter] = expressions
        self._pools.forget((target.key, parameter))

    def typed_texts(self, target: Target, parameter: str) -> Sequence[str]:
        """Returns what people write for a parameter that reads texts, as source: texts of its
        formats, else those of the documentation where there are several."""
        key = (target.key, parameter)
        shown = [one for one in self.documented.get(key, ()) if one[:1] in "'\"" and len(one) > 4]
        return self.read.get(key) or (shown if len(shown) >= FEWEST_SHOWN else [])

    def note_kind(self, target: Target, parameter: str, kind: str) -> None:
        """Adds the kind of an argument in the program's own code."""
        kinds = self.given.setdefault((target.key, parameter), [])
        kinds += [kind] if kind not in kinds else []

    def note_passed(self, target: Target, parameter: Parameter, kind: str, source: str) -> None:
        """Adds an argument that the program was seen to pass: its type, and an equal expression
        where there is one."""
        key = (target.key, parameter.name)
        if source == parameter.default or kind == "NoneType":
            return
        source = source if is_lasting(source) else ""
        self.note_kind(target, parameter.name, PASSED.get(kind, kind))
        rows = self._passed_rows.setdefault(key, [])
        rows += [(kind, source)] if not source or (kind, source) not in rows else []
        seen = kind if kind == "type" else PASSED.get(kind, kind)
        self.passed_kinds.setdefault(key, set()).add(seen)
        pool = self.passed.setdefault(key, [])
        new = source and source not in pool and len(pool) < MOST_USED
        if new and not is_function(source):  # it may come from a call that was made up
            pool.append(source)
        self._known_kinds.clear()
        self._pools.forget_all()

    def _beside(
        self, pools: Mapping[tuple[str, str], _Pool], target: Target, parameter: Parameter
    ) -> Iterator[_Pool]:
        """Yields what is known of parameters of this name of other functions: of methods that are
        called alike, or else of those of the file."""
        file, end = f"{target.path}:", f".{target.leaf}"
        named = [
            (key, pool)
            for (key, name), pool in pools.items()
            if name == parameter.name and key != target.key
        ]
        alike = [pool for key, pool in named if key.endswith(end) and target.owner is not None]
        yield from alike or (pool for key, pool in named if key.startswith(file))

    def shown_beside(self, target: Target, parameter: Parameter) -> list[str]:
        """Returns the documented arguments of parameters of this name of methods that are called
        alike, or else of the other functions of the file."""
        return [
            value for pool in self._beside(self.documented, target, parameter) for value in pool
        ]

    def is_seen(self, target: Target, parameter: Parameter) -> bool:
        """Whether the program was seen to pass enough arguments to tell which kinds it passes."""
        return len(self._passed_rows.get((target.key, parameter.name), ())) >= SEEN

    def note_met(self, target: Target, parameter: Parameter, values: list[str]) -> None:
        """Adds values that have what a stand-in for a parameter was asked for."""
        self.met[target.key, parameter.name] = values
        self._pools.forget((target.key, parameter.name))

    def note_object(self, type_name: str, expression: str, odd: float = 0.0) -> None:
        """Adds an expression that was observed to make an object of a class of the program; those
        come first that cost least, with what is `odd` about how they make it."""
        self._pools.forget_made_of(self.objects.note(type_name, expression, odd))

    def forget_objects(self, type_name: str) -> None:
        """Leaves out what makes objects of a class: better ones are known."""
        self._pools.forget_made_of(self.objects.forget(type_name))

    def want(self, target: Target, attribute: str) -> None:
        """Notes that an argument of the target needs an attribute, as an error said."""
        known = self.wanted.setdefault(target.key, set())
        if attribute not in known:
            known.add(attribute)
            self._pools.forget_target(target.key)
