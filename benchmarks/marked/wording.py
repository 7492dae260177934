"""Marks in all the ways in which people write them: the expression, and what it says."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random

FOREIGN, RECORDED = "covers", "verifies"
"""A marker that `--lift-marker` reads, and a property that `--lift-property` reads."""

SPELLINGS = (
    ("pytest.mark", "import pytest"),
    ("pt.mark", "import pytest as pt"),
    ("mark", "from pytest import mark"),
    ("lift_mark", "from pytest import mark as lift_mark"),
)
"""What stands before the dot, and what binds it."""
KINDS = (
    *("one", "one", "one", "several", "list", "tuple", "mixed", "lines", "joined", "with_args"),
    *("alias", "alias", "group", "constant", "starred", "foreign", "foreign"),
)


@dataclass
class Claim:
    """What one place says: of a module, a class, a function or a row."""

    marked: set[str] = field(default_factory=set)
    recorded: set[str] = field(default_factory=set)
    emergent: bool = False
    rows: dict[tuple[tuple[str, ...], int], Claim] = field(default_factory=dict)
    """(names of the parameters, index) -> of that row only."""


@dataclass
class Wording:
    """Draws marks for one file; `ids` and the numbers of unknown ids are shared by all files."""

    random: Random
    ids: Sequence[str]
    unknown: list[str]
    kinds: Counter[str]
    spelling: int = field(init=False)
    _groups: list[tuple[str, str, set[str]]] = field(default_factory=list)
    """(name, what it is bound to, ids) of marks that the header gives a name."""
    _constants: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.spelling = self.random.randrange(len(SPELLINGS))
        one, two, three = self.random.sample(list(self.ids), 3)
        new = self._unknown()
        known, mixed = f"{self.mark}.req({one!r}, [{two!r}])", f"{self.mark}.req({new!r}, {one!r})"
        self._groups = [("lift_group", known, {one, two}), ("lift_mixed", mixed, {new, one})]
        self._constants = [one, two, three]

    @property
    def mark(self) -> str:
        return SPELLINGS[self.spelling][0]

    @property
    def header(self) -> list[str]:
        """Lines that have to stand before the first mark."""
        one, two, three = self._constants
        return [
            "import pytest",
            SPELLINGS[self.spelling][1],
            f"lift_verifies = {self.mark}.req",
            f"LIFT_ONE: str = {one!r}",
            f"LIFT_TWO = ({two!r}, {three!r})",
            *(f"{name} = {value}" for name, value, _ in self._groups),
        ]

    def marks(self) -> tuple[list[str], Claim]:
        """One mark or several, and what they say together."""
        claim, found = Claim(), []
        for _ in range(2 if self.random.random() < 0.2 else 1):
            text, ids = self._one()
            found.append(text)
            claim.marked |= ids
        if len(found) > 1:
            self.kinds["stacked"] += 1
        return found, claim

    def emergent(self) -> str:
        self.kinds["emergent"] += 1
        forms = ("emergent('as it is')", "emergent", "emergent(reason='as it is')")
        return f"{self.mark}.{self.random.choice(forms)}"

    def id(self) -> str:
        return self._unknown() if self.random.random() < 0.06 else self.random.choice(self.ids)

    def _unknown(self) -> str:
        self.unknown.append(f"UNK-{len(self.unknown) + 1}.")
        return self.unknown[-1]

    def _one(self) -> tuple[str, set[str]]:
        kind = self.random.choice(KINDS)
        self.kinds[kind] += 1
        a, b, c = self.id(), self.id(), self.id()
        one, two, three = self._constants
        if kind == "group":
            name, _, ids = self.random.choice(self._groups)
            return name, ids
        # An unknown id is looked for by its text, so it has to stand in one literal.
        joined = repr(a) if a.startswith("UNK-") else f"{a[:1]!r} {a[1:]!r}"
        forms: dict[str, tuple[str, set[str]]] = {
            "one": (f"{self.mark}.req({a!r})", {a}),
            "several": (f'{self.mark}.req("{a}", {b!r}, {c!r})', {a, b, c}),
            "list": (f"{self.mark}.req([{a!r}, {b!r}])", {a, b}),
            "tuple": (f"{self.mark}.req(({a!r},))", {a}),
            "mixed": (f"{self.mark}.req({a!r}, [{b!r}])", {a, b}),
            "lines": (f'{self.mark}.req(\n "{a}",  # why not\n {b!r},\n)', {a, b}),
            "joined": (f"{self.mark}.req({joined})", {a}),
            "alias": (f"lift_verifies({a!r})", {a}),
            "constant": (f"{self.mark}.req(LIFT_ONE)", {one}),
            "starred": (f"{self.mark}.req(*LIFT_TWO, {a!r})", {two, three, a}),
            "foreign": (f"{self.mark}.{FOREIGN}({a!r})", {a}),
            "with_args": (f"{self.mark}.req.with_args({a!r})", {a}),
        }
        text, ids = forms[kind]
        spent = [i for i in (a, b, c) if i not in ids and i.startswith("UNK-")]
        for name in spent:  # drawn, but written nowhere
            self.unknown[self.unknown.index(name)] = ""
        return text, ids
