"""How long each step of a generation may take: shares of the time that the brief leaves."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import replace

from pytest_lift.agents.contract import Brief
from pytest_lift.agents.offline.scoping import seconds
from pytest_lift.agents.offline.search.search import PATIENCE
from pytest_lift.calls.running.children import Site

SURVEY_SECONDS = 30.0
SURVEYED = 0.4
"""Share of the available time that importing the program may take."""
SEARCH_SECONDS = {"initial": 18.0, "refine": 7.0}
"""Seconds of a search; more where a limit of the time leaves more."""
AGAIN = 7
"""Rounds without a find that end a search after the first one, where nothing but branches counts:
the first one ended with more of them."""
AGAIN_IN_TIME = 15
"""The same where somebody has said how long a lift may take: some ten seconds of a small program,
of which nothing is left to be found then."""
FIRST_IN_TIME = 7
"""The same of the first search there: what it would find later, in rounds of thousands of calls,
those after it find, and its tests land sooner."""
SHRINK_SECONDS = 16.0
SHRUNK = 0.85
"""Most of the time between the search and tests that making calls simpler may take."""
DOCUMENTED, SEARCHED, SIMPLER = 0.2, 0.4, 0.55
"""Shares of the available time after which examples have been tried, the search ends, and calls are
as simple as they get.

The rest is for running the cases again, and for mutants.
"""
SEARCHED_ALONE, SIMPLER_ALONE = 0.5, 0.84
"""The same without mutants. What a longer search would find is left to the next one; what is not
made simpler now stays as it is."""
RECOGNISED = 0.1
"""Share of the time that is left, in which it is found out what formats functions read."""
LEAST_DOCUMENTED = 0.15
"""Share of what is left when the first example is tried that examples have at least: however late
it is, they reach more than as many seconds of a search."""
SIMPLIFYING, LEAST_LOOKED = 0.8, 1.0
"""Part of the time between the search and the checks in which calls are made simpler, and the
seconds for what calls change, without which a test would assert what they do not."""
OPTIONS, LEAST_OPTIONS, MOST_OPTIONS = 0.4, 0.7, 4.0
"""Part of the time until nothing but the checks is left, and least and most seconds, in which
options without an effect go, and inputs are found on which they make a difference."""
SEARCHED_AGAIN = 0.76
"""Share after which a search after the first one ends: what it finds is little, and soon tested."""
LEAST_CHECKED, MOST_CHECKED = 6.0, 0.35
"""Seconds left for the checks of what was found, without which no test is written; of a short time
at most this share."""
PROCESSES_ALONE = 0.5
"""Part of these seconds that those processes take which check the cases that were chosen."""
LOOKED = 0.8
"""Share of the time after which, at the latest, nothing but the checks is left."""
CHECKING_PROCESSES, STARTING_SHARE = 3, 1.0
"""Processes that check what was found, and how much longer each takes until it runs a case than to
import the program, which is handed to it with its probes."""
FIRST, LEAST_FIRST = 0.4, 6.0
"""Share of the time for a first suite without mutants, and the seconds that it takes at least: it
lands early, and the searches after it go on from what it found."""
STARTING, PROBES_A_SECOND, MOST_FIRST = 3.0, 40.0, 0.85
"""Seconds of a first suite of an empty program, the probes for which it has one second more, and
the share of the time that they give it at most: many tests take their time before they land."""
FIRST_IMPORTS, MOST_IMPORTING = 10, 0.25
"""Imports of the program for which a first suite keeps time, since each run of it, measured or not,
takes two or three times as long as one, and the most of the time that is kept for them."""
LEAST_SEARCHED = 0.2
"""Share of the time that a search has, however short that is."""
VERIFIED, LEAST_VERIFIED = 0.97, 3.0
"""Share of the time after which no case runs any more, since the rest is for printing the tests,
and seconds for which the chosen cases run in any case: without them no test is written at all."""


class Pacing:
    """Shares of the time of one generation, which begins when this is made."""

    def __init__(self, brief: Brief) -> None:
        self.brief = brief
        self.began = time.monotonic()
        self.searched = self.looked = self.simpler = 1.0
        """Shares of the time after which the search ends, nothing but the checks is left, and calls
        are as simple as they get; known when it is `settled`."""

    @property
    def surveyed(self) -> float:
        """Seconds that importing the program may take."""
        return min(SURVEY_SECONDS, self.after(SURVEYED) - self.began)

    def settled(self, imported: float, probes: int) -> Brief:
        """Returns the brief with the time for what it asks, as soon as the seconds are known in
        which the program is `imported`, and how many probes it has."""
        brief = with_imports(self.brief, imported)
        self.brief = brief = early(brief, imported, probes)
        alone = not _is_for_mutants(brief)
        checking = CHECKING_PROCESSES * STARTING_SHARE * imported
        again = brief.mode != "initial"
        share = SEARCHED if not alone else SEARCHED_AGAIN if again else SEARCHED_ALONE
        self.searched = self._before(self._checked + checking, share)
        self.looked = self._before(self._checked * PROCESSES_ALONE + checking, LOOKED)
        checked = min(SIMPLER_ALONE if alone else SIMPLER, self.looked)
        self.simpler = self.searched + SIMPLIFYING * (checked - self.searched)
        return brief

    def examples_end(self) -> float:
        """Returns the moment until which examples are tried that begin now."""
        now, end = time.monotonic(), self.after(1.0)
        return max(self.after(DOCUMENTED), now + LEAST_DOCUMENTED * (end - now))

    def recognised_until(self) -> float:
        """Returns the moment until which formats are looked for that functions read."""
        now, end = time.monotonic(), self.after(1.0)
        return now + RECOGNISED * max(end - now, 0.0)

    @property
    def untangled(self) -> float:
        """Share of the time after which calls have lost what plays no part."""
        return (self.simpler + self.looked) / 2

    def options_end(self) -> float:
        """Returns the moment until which inputs for options are looked for that begins now."""
        now = time.monotonic()
        part = OPTIONS * (self.after(self.looked) - now)
        return now + min(MOST_OPTIONS, max(LEAST_OPTIONS, part))

    def looking_ends(self) -> float:
        """Returns the moment at which what calls change is known."""
        return max(self.after(self.looked), time.monotonic() + LEAST_LOOKED)

    @property
    def patience(self) -> int:
        """Returns after how many rounds without a find the search ends. A first one leaves what is
        found late to those after it, which are more patient in a limited time, where it is not for
        mutants."""
        first = self.brief.mode == "initial"
        if _is_for_mutants(self.brief):
            return PATIENCE
        if self.brief.deadline is None:
            return PATIENCE if first else AGAIN
        return FIRST_IN_TIME if first else AGAIN_IN_TIME

    def search_ends(self, sites: Sequence[Site]) -> float:
        """Returns the moment at which the search ends in a program with these probes."""
        usual = SEARCH_SECONDS[self.brief.mode]
        if self.brief.deadline is not None:
            usual = max(usual, self.after(self.searched) - time.monotonic())
        wanted = seconds(self.brief.scope, sites, usual)
        now = time.monotonic()
        most = max(self.after(self.searched) - now, LEAST_SEARCHED * (self.after(1.0) - now))
        return now + min(wanted, most)

    def verifying_ends(self) -> float:
        """Returns the moment until which the cases that were chosen run once more."""
        return max(self.after(VERIFIED), time.monotonic() + LEAST_VERIFIED)

    def _before(self, seconds: float, share: float) -> float:
        """Returns the share of the time after which no more than so many seconds are left, at most
        `share`."""
        if self.brief.deadline is None:
            return share
        left = self.brief.deadline - self.began
        return max(LEAST_SEARCHED, min(share, 1 - seconds / max(left, 1.0)))

    @property
    def _checked(self) -> float:
        """Seconds for the checks of what was found, beside what imports take."""
        return min(LEAST_CHECKED, MOST_CHECKED * (self.after(1.0) - self.began))

    def shrinking_ends(self, begun: float, until: float) -> float:
        """Returns the moment at which shrinking ends that begins when the search does, with time
        left to look at changes `until` then."""
        now = time.monotonic()
        return min(begun + SHRINK_SECONDS, now + SHRUNK * (until - now))

    def after(self, part: float) -> float:
        """Returns the moment at which this share of the time is over; infinite without a limit."""
        if self.brief.deadline is None:
            return math.inf
        return self.began + part * max(self.brief.deadline - self.began, 0.0)


def _is_for_mutants(brief: Brief) -> bool:
    """Whether tests are also wanted for the mutants that they detect: not where nothing was there
    yet to measure these with."""
    return brief.mutated is not None and not (brief.mode == "initial" and brief.mutation is None)


def with_imports(brief: Brief, imported: float) -> Brief:
    """Returns the brief of a first suite with time left for imports of the program in its runs."""
    if brief.deadline is None or (brief.run is not None and brief.run.results):
        return brief
    left = max(brief.deadline - time.monotonic(), 0.0)
    kept = min(FIRST_IMPORTS * imported, MOST_IMPORTING * left)
    return replace(brief, deadline=brief.deadline - kept)


def early(brief: Brief, imported: float, probes: int) -> Brief:
    """Returns the brief of a first suite with the time that this may take: more of it where each
    process needs time to import the program, and for a program of many probes."""
    if brief.deadline is None or brief.mode != "initial" or _is_for_mutants(brief):
        return brief
    now = time.monotonic()
    left = brief.deadline - now
    imports = 2 * CHECKING_PROCESSES * STARTING_SHARE * imported
    for_size = min(STARTING + imports + probes / PROBES_A_SECOND, MOST_FIRST * left)
    most = max(LEAST_FIRST, for_size, FIRST * left)
    return replace(brief, deadline=min(brief.deadline, now + most))
