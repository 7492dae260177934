"""What the descriptions of parameters in docstrings tell: kinds of values, and values."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import takewhile

from pytest_lift.agents.offline.natural.kinds import DOCUMENTED, HINTS, KINDS

HEADS = {
    **{name.lower(): kind for name, kind in HINTS.items()},
    **DOCUMENTED,
    "name": "str", "filename": "str", "path": "str", "url": "str", "word": "str", "title": "str",
    "flag": "bool", "bytes": "bytes", "lists": "list", "dicts": "dict", "tuples": "tuple",
    "names": "str", "words": "str", "paths": "str", "texts": "str", "integers": "int",
    "numbers": "int", "number": "float", "double": "float",
}  # fmt: skip
"""Noun with which the description of a parameter begins -> kind of its values, with spaces between
several."""
VAGUE = frozenset({"any", "object", "type", "array", "io"})
"""Words of hints that are no kinds where prose has them."""
FIELD = (
    r"^\s*[:@](?:param|arg|argument|key|keyword|kwarg|parameter)\s+(?:[^:\n]+\s)?\*{{0,2}}{}\s*:"
)
"""Beginning of a description in Sphinx' or Epydoc's style."""
ENTRY = r"^[ \t]*(?:[*-][ \t]+)?\*{{0,2}}`{{0,2}}{}`{{0,2}}(?:\s*\([^)\n]*\))?(?::|\s--)\s"
"""The same in Google's style."""
SECTION = r"^[ \t]*\*{{0,2}}{}\s+:[^\n]*\n(?=\s+\S)"
"""The same in NumPy's style, where the description is on the next line."""
DASHED = r"^[ \t]*(?:[*-][ \t]+)?`{{0,2}}{}`{{0,2}}[ \t]+-[ \t]+(?=\S)"
"""The same of a list without any style: under a heading, or beside other such lines."""
HEADING = re.compile(
    r"\W*(?:(?:keyword|optional)\s+)?(?:args?|arguments?|param(?:eter)?s?|options?|keywords?|kwargs"
    r"|inputs?)\W*",
    re.IGNORECASE,
)
"""Line above a list of parameters."""
SWITCH = re.compile(
    r"(?:an?\s+|optional\s+)*(?:whether\b|flag\b|boolean\b|(?:if|when|set\s+to)\s+[`*]*true\b"
    r"|[`*]*true[`*]*\s+(?:if|when|to)\b)",
    re.IGNORECASE,
)
"""Beginning of the description of what is true or false."""
EITHER = re.compile(
    r"(?:^\W*(?:(?!return|giv|yield)\w+\W+){0,2}|\b(?:either|be|whether|if|to)\s+|\()"
    r"True(?:/| or |, )False\b"
)
"""What it says soon, in brackets, or of what may be given: not of what a function returns."""
COUNT = re.compile(
    r"(?:the\s+|max\w*\s+|min\w*\s+|total\s+)*(?:number\s+of|how\s+many)\b", re.IGNORECASE
)
"""The same of what is a number of things."""
END = re.compile(
    r"\b(?:of|for|in|to|from|with|without|that|which|on|by|at|as|if|when|is|are|will|used|containing"
    r"|representing|describing|telling|indicating|defining|denoting|specifying|giving|holding)\b|[.;:(]"
)
"""Where the noun ends with which a description begins."""
ALTERNATIVE = re.compile(r",|\bor\b|/")
MARKUP = re.compile(r":\w+:(?=`)|[`*~]")
FILLING = frozenset(
    {"object", "objects", "instance", "value", "values", "parameter", "argument", "python"}
)
"""Nouns behind that of a kind: ``a dict object``."""
LONGEST_NOUN = 4
"""Most words of such a noun."""
ACCEPTED = re.compile(r"\baccepts?:?\s+(?:only\s+)?((?:[^.;\n]|\.(?=\w))+)", re.IGNORECASE)
"""What a property may be set to."""
QUOTED = r"""["'][^"'\n\\]{1,20}["']"""
SEVERAL = re.compile(rf"{QUOTED}(?:\s*(?:,|\bor\b|\band\b|/|\|)\s*)+(?=[\"'])")
EXAMPLE = re.compile(rf"(?:\be\.?g\.?,?|\bfor example,?|\bsuch as|\blike)\s+({QUOTED})")
ONE_OF = re.compile(r"(?<![\w.-])(\d) or (\d)(?![\w.])")
"""Two numbers of which one is given."""
HEX, HEX_ALPHA = re.compile(r"\bhex", re.IGNORECASE), re.compile(r"(?<!without )\balpha\b")
HEX_COLORS = ("'ff8800'", "'80ff8800'")
"""Texts of hexadecimal digits, and the same for a color that has an alpha value."""
MOST_VALUES = 4


@dataclass(frozen=True)
class Description:
    """What is told of the values of a parameter."""

    kinds: tuple[str, ...] = ()
    values: tuple[str, ...] = ()
    """Sources of values."""


@lru_cache(maxsize=8192)
def described(doc: str, parameter: str) -> Description:
    """Returns what the description of a parameter in a docstring tells of its values."""
    return _told(MARKUP.sub("", next(descriptions(doc, parameter), "")))


@lru_cache(maxsize=8192)
def accepted_words(doc: str) -> str:
    """Returns what the docstring of a property says that it accepts: ``accepts float.``; "" where
    it does not say that."""
    found = ACCEPTED.search(MARKUP.sub("", doc))
    return found[1] if found is not None else ""


def described_property(doc: str) -> Description:
    """Returns what the docstring of a property tells of what it may be set to: what it accepts,
    else the noun with which it begins."""
    first = MARKUP.sub("", doc).strip().partition("\n")[0]
    return _told(accepted_words(doc) or first)


def _told(text: str) -> Description:
    if not text:
        return Description()
    if SWITCH.match(text) or EITHER.search(text):
        return Description(("bool",))
    if COUNT.match(text):
        return Description(("int",))
    kinds = tuple(dict.fromkeys(_kinds(text)))
    words = list(dict.fromkeys(_quoted(text)))[:MOST_VALUES]
    if set(kinds) <= {"int", "float"} and (numbers := ONE_OF.search(text)):
        return Description(kinds or ("int",), tuple(dict.fromkeys(reversed(numbers.groups()))))
    if kinds == ("str",) and not words and HEX.search(text):
        words = [HEX_COLORS[HEX_ALPHA.search(text) is not None]]
    if kinds and kinds[0] == "list":
        return Description(kinds, tuple(_lists(text, words)))
    return Description(kinds, tuple(words) if set(kinds) <= {"str"} else ())


def descriptions(doc: str, parameter: str) -> Iterator[str]:
    """Yields the descriptions of a parameter, each in one line."""
    name = re.escape(parameter)
    for pattern in (FIELD, ENTRY, SECTION, DASHED):
        for found in re.finditer(pattern.format(name), doc, re.MULTILINE):
            if pattern is DASHED and not _is_listed(doc, found):
                continue
            first, *more = doc[found.end() :].split("\n")
            inside = re.compile(rf"\s{{{_depth(found[0]) + 1}}}\s*\S")
            lines = (line.strip() for line in (first, *takewhile(inside.match, more)))
            if text := " ".join(lines).strip():
                yield text


def _is_listed(doc: str, found: re.Match[str]) -> bool:
    """Whether a line with a dash stands in a list of parameters, and is no prose."""
    depth, entry = _depth(found[0]), re.compile(DASHED.format(r"\w+"))
    above = reversed(doc[: found.start()].split("\n"))
    below = doc[found.end() :].split("\n")[1:]
    for lines in (above, below):
        beside = (line for line in lines if re.search(r"\w", line))
        line = next((one for one in beside if _depth(one) <= depth), "")
        if _depth(line) == depth and entry.match(line):
            return True
        if lines is above and HEADING.fullmatch(line):
            return True
    return False


def _depth(line: str) -> int:
    return len(line) - len(line.lstrip())


def _kinds(text: str) -> Iterator[str]:
    """Yields the kinds that the noun names with which a text begins: ``the original dictionary,
    list or set``."""
    for part in ALTERNATIVE.split(END.split(text, maxsplit=1)[0]):
        found = re.findall(r"\w+", part.lower())
        words = [word for word in found if word not in FILLING and not word.isdigit()]
        if found and all(map(str.isdigit, found)):
            continue  # one of the numbers that may be given
        if not words or len(words) > LONGEST_NOUN or words[-1] in VAGUE:
            return
        kinds = HEADS.get(words[-1], "").split()
        if not kinds:
            return
        yield from (kind for kind in kinds if kind in KINDS)


def _quoted(text: str) -> Iterator[str]:
    """Yields what a text quotes as one of several values, or as an example."""
    for found in SEVERAL.finditer(text):
        yield from (repr(word[1:-1]) for word in re.findall(QUOTED, text[found.start() :]))
    yield from (repr(word[1:-1]) for word in EXAMPLE.findall(text))


def _lists(text: str, words: list[str]) -> Iterator[str]:
    """Yields lists of what a text quotes, else of the kind of items that it names."""
    if words:
        yield f"[{', '.join(words)}]"
        yield f"[{words[0]}]"
        return
    items = re.search(r"\bof\s+(?:\w+\s+)?(\w+)", text)
    kind = HEADS.get(items[1].lower(), "") if items else ""
    if kind == "str":
        yield from ("['a', 'b', 'c']", "['b', 'a']")
