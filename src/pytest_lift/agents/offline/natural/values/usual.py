"""Values that a person types for parameters of usual names: a port is 8080, a URL is one."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable
from functools import lru_cache

from pytest_lift.calls.targets.mains import ARGV_NAMES, PARSING

USUAL: tuple[tuple[str, str | int | float], ...] = (
    (r"ur[li]$|^ur[li]_|^href$|^link$|homepage|website", "https://example.com/"),
    (r"host(_?name)?$|^domain(_name)?$|^netloc$", "example.com"),
    (r"(^|_)port$", 8080),
    (r"^scheme$", "https"),
    (r"(^|_)method$|^verb$", "GET"),
    (r"(^|_)status(_code)?$", 200),
    (r"(^|_)log_?level$", "INFO"),
    (r"e_?mail", "ada@example.com"),
    (r"^(user|login|user_?name|author|owner)$", "ada"),
    (r"^(first_?name|given_?name)$", "Ada"),
    (r"^(last_?name|surname|family_?name)$", "Lovelace"),
    (r"^(password|passwd|secret)$", "secret"),
    (r"^(locale|lang|language)$", "en"),
    (r"currency", "EUR"),
    (r"^country", "DE"),
    (r"^city$", "Berlin"),
    (r"colou?r$", "red"),
    (r"^(file_?name|basename)$", "notes.txt"),
    (r"^version$", "1.2.3"),
    (r"(annotation|\wanno)(_?text)?$|type_?hint$", "int"),
    (r"^years$", 2),
    (r"(^|_|the)year$", 2024),
    (r"^months$|(^|_|the)month$", 2),
    (r"^days$|(^|_|the)day$", 15),
    (r"^hours?$", 12),
    (r"^minutes?$", 30),
    (r"(^|_)timestamp$|^timeval$|(^|_)epoch$|^[acm]time$", 1700000000),
    (r"^(pro)?ordinal$|(^|_)ordinal_day$", 738000),
    (r"^lat(itude)?$", 52.5),
    (r"^(lon|lng|long|longitude)$", 13.4),
    (r"^(north|south)$", 52.5),
    (r"^(east|west)$", 13.4),
    (r"^(altitude|elevation)$", 100),
    (r"^(azi(muth)?|angle|heading|bearing|degrees?)$", 45),
    (r"^age$", 36),
    (r"price|amount|balance|salary", 100),
    (r"^(eol|nl|new_?line|line_?(sep|separator|end|ending|terminator|break))$", "\r\n"),
    (r"^((field|item|column|list)_?)?(sep|separator|delim|delimiter)$", ","),
    (r"^quote_?(char)?$", "'"),
    (r"(^|_)char(acter)?$", "*"),
    (r"^(file_?)?(ext|extension)$", ".txt"),
    (r"^(time_?zone|tz_?name|zone_?name)$", "UTC"),
    (r"^(date|time|datetime)_?(fmt|format)$", "%Y-%m-%d"),
    (r"^(encoding|charset)$", "utf-8"),
    (r"^ip(_?addr(ess)?)?$", "127.0.0.1"),
    (r"^(mime|content|media)_?type$", "text/plain"),
    (r"^(max_?|min_?|line_?|text_?)?width$", 20),
    (r"^indent(ation)?$", 2),
    (r"^(n_?digits|digits|precision|decimals|decimal_places)$", 2),
    (r"^(max_?)?(retries|attempts|tries)$", 3),
    (r"^percent(age)?$", 50),
    (r"^(prob|probability)$", 0.5),
)
"""Pattern of a name -> value of the first pattern that is found in it."""
ONLY_KNOWN = frozenset({"GET"})
"""Texts that only a program that names them itself understands."""

YEAR = re.compile(r"(^|_|the)year$")
COUNTED = re.compile(r"(^|_)timestamp$|^timeval$|(^|_)epoch$|ordinal(_day)?$")
"""Names of parameters that are years, and of those that count days or seconds since the first."""
YEARS, LEAST_COUNTED = range(1000, 3000), 1000
"""Years that a person types, and the least day or second: those before are the first of all."""
COMMON_YEARS = ("2023", "1900")
"""Years without a leap day, the last one of a century."""

WORD_LIST = "['a']"
"""Words of a command line, as source."""


def usual_words(name: str, handed: Iterable[str]) -> tuple[str, ...]:
    """Returns the words of a command line, as source, for a parameter of this name that is `handed`
    to what takes such apart; nothing for others."""
    parsed = any(one.rpartition(".")[2] in PARSING for one in handed)
    return (WORD_LIST,) if parsed and name.strip("_") in ARGV_NAMES else ()


@lru_cache(maxsize=4096)
def usual(name: str) -> str | int | float | None:
    """Returns what a person types for a parameter of this name; None where no name tells."""
    lower = name.lower().rstrip("_0123456789")
    return next((value for pattern, value in USUAL if re.search(pattern, lower)), None)


def usual_sources(name: str, known: Container[str]) -> tuple[str, ...]:
    """Returns the usual value as source, of a text that as bytes, too; `known` are words of the
    program."""
    value = usual(name)
    if value is None or (value in ONLY_KNOWN and str(value) not in known):
        return ()
    if isinstance(value, str):
        return repr(value), repr(value.encode())
    return (repr(value),)


def is_of_other_times(name: str, value: str) -> bool:
    """Whether a number is a year in which nobody lives, or one of the first days of a calendar or
    the first seconds of a clock: what is made of it looks like no date."""
    digits, lower = value.removeprefix("-"), name.lower()
    if not digits.isdigit():
        return False
    if YEAR.search(lower):
        return int(digits) not in YEARS
    return int(digits) < LEAST_COUNTED and COUNTED.search(lower) is not None


def in_these_times(name: str, value: str) -> tuple[str, ...]:
    """Returns numbers that a person types in the place of a year in which nobody lives, and of a
    first day or second."""
    typed = usual(name)
    if typed is None or not is_of_other_times(name, value):
        return ()
    return (str(typed), *(COMMON_YEARS if YEAR.search(name.lower()) else ()))
