"""Requirements that contradict themselves or each other, with the words of both sides."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from pytest_lift.requirements.requirement import Requirement, Requirements, has_words, stands_in
from pytest_lift.text.printable import Identifier


@dataclass(frozen=True)
class DoubtfulRequirement:
    """Two sentences of which one excludes the other: their author settles it."""

    requirement: Identifier
    quote: str
    """Verbatim from the requirement."""
    other: Identifier
    """The requirement that says something else; the same one if it contradicts itself."""
    other_quote: str
    """Verbatim from the other one."""
    why: str = ""

    @property
    def key(self) -> frozenset[tuple[str, str]]:
        """Both sides, in either order; the reason does not count."""
        sides = ((self.requirement, self.quote), (self.other, self.other_quote))
        return frozenset((name, " ".join(quote.split()).casefold()) for name, quote in sides)

    @property
    def told(self) -> str:
        """The two sides in words."""
        other = "also" if self.other == self.requirement else self.other
        return f'{self.requirement} says "{self.quote}", {other} "{self.other_quote}"'


def fault(doubt: DoubtfulRequirement, requirements: Requirements) -> str:
    """Returns why it is no doubt that counts; empty if both sides say what is quoted."""
    for name, quote in (
        (doubt.requirement, doubt.quote),
        (doubt.other, doubt.other_quote),
    ):
        item: Requirement | None = requirements.by_id.get(name)
        if item is None:
            return f"no requirement has the id {name!r}"
        if not stands_in(quote, item):
            return f"{name} does not say {quote!r}: copy its words"
    if doubt.requirement == doubt.other:
        quotes = (doubt.quote, doubt.other_quote)
        if has_words(*quotes) or has_words(*reversed(quotes)):
            return "the two quotes are one: quote what contradicts each other"
    return ""


def still_doubtful(
    doubts: Iterable[DoubtfulRequirement], requirements: Requirements
) -> tuple[DoubtfulRequirement, ...]:
    """Returns those whose quotes both requirements still have."""
    return tuple(one for one in doubts if not fault(one, requirements))
