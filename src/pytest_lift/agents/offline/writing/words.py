"""Shortens text for names and sentences without leaving an incomplete phrase."""

from __future__ import annotations

import re

LONGEST_REPORT = 5
"""Most words of an error's message in a name."""
DANGLING = frozenset(
    "a an and are as at be but by can do does for from has have if in into is it its must no not "
    "of on or that the their then this to was were when which will with without".split()
)
"""Words with which no name ends."""
LEADS_ON = DANGLING | {"only", "so", "like", "either", "e.g", "i.e", "e.g.", "i.e."}
"""Words with which no sentence ends."""
ENDS = re.compile(r"[^.;:,](?=[.;:,]\s|\s[(\[]|\s[-\u2013\u2014]\s)|\.(?=\s)|.$", re.DOTALL)
"""Last characters of clauses."""
QUOTES = "'\"`"
LITERAL = r"'(?:[^'\\]|\\.)*'(?!\w)|\"(?:[^\"\\]|\\.)*\""
"""A text or bytes as Python writes them."""
LEADING = re.compile(r"[,;:]\s+(?:but\s+)?(?:not|got|found|was|is|received|given|got a|got an)$")
"""Words that lead to a value that a message ends with."""
MIXED_CASE = re.compile(
    r"[A-Z]{2,}s(?![a-z])|IPv(?=[\dA-Z])|SQLite|(?:My|Postgre)SQL|Git(?:Hub|Lab)|PyPI|OAuth|GraphQL"
    r"|(?:Java|Type)Script|LaTeX|NumPy|YouTube|macOS"
)
"""Words with capitals inside, which are no camel case: ``URLs``, ``IPv6``, ``SQLite``."""


def slug(text: str) -> str:
    """Returns lower-case words joined by underscores, camel case split."""
    even = MIXED_CASE.sub(lambda found: found[0].capitalize(), text.replace("'", ""))
    apart = re.sub(r"([a-z\d])([A-Z][A-Za-z])", r"\1_\2", even)
    apart = re.sub(r"([A-Z]+)([A-Z][a-z])", r"\1_\2", apart)
    return "_".join(re.findall(r"[a-z\d]+", apart.lower()))


def says_more(title: str, text: str) -> bool:
    """Whether a title has a word that is in none of the names of a text: ``Locale`` says nothing of
    ``date(1397, 4, 23, locale=FA_LOCALE)``."""
    said = {*slug(text).split("_")}
    return any(word not in said | DANGLING for word in slug(title).split("_") if word)


def phrase(message: str) -> str:
    """Returns the words of a message up to a possible end: ``keys_must_be_str``."""
    words = slug(re.split(r"[,;:.]\s", message)[0]).split("_")
    while words and words[0] in DANGLING - {"no", "not", "must"}:
        words = words[1:]
    if len(words) > LONGEST_REPORT:
        stops = [at for at in range(2, LONGEST_REPORT + 1) if words[at] in DANGLING]
        words = words[: stops[-1] if stops else LONGEST_REPORT]
    while len(words) > 1 and (words[-1] in DANGLING or _is_participle(words)):
        words = words[:-1]
    return "_".join(words)


def dangles(text: str) -> bool:
    """Whether a text ends in the middle of a phrase: ``must be one of``, ``at position``."""
    last = text.rpartition(" ")[2].lower()
    return " " in text and last in DANGLING | {"position", "type", "value", "expected"}


def _is_participle(words: list[str]) -> bool:
    return len(words) > 2 and words[-1].endswith(("ing", "ed"))


def clause(text: str) -> str:
    """Returns the first sentence, shortened at the end of a clause if it is too long."""
    paragraph = re.sub(r"\s+", " ", text.strip().split("\n\n")[0])
    sentence = re.split(r"(?<=[a-z)\]'\"])\.(?:\s|$)|:\s*$", paragraph)[0]
    while len(sentence) > 56:
        shorter = re.split(r"[,;:(] |\s(?:and|which|that|as|using|for|with|by|so) ", sentence)
        cut = sentence[: len(sentence) - len(shorter[-1])].rstrip()
        cut = re.sub(r"[,;:(]$|\s(and|but|which|that|as|using|for|with|by|so)$", "", cut)
        cut = re.sub(r",?\s+but$|,$", "", cut.rstrip()).rstrip()
        if len(shorter) == 1 or cut == sentence:
            return ""
        sentence = cut
    return sentence


def cut(text: str, longest: int) -> str:
    """Returns the longest whole phrase at the beginning of `text`, of up to `longest` characters.

    It ends with a sentence or a clause, else with a word, and leaves no bracket open.
    """
    text = trimmed(text)
    ends = [match.start() + 1 for match in ENDS.finditer(text)]
    clauses = [trimmed(text[:end]) for end in ends]
    whole = [one for one in clauses if len(one) <= longest and " " in one and is_balanced(one)]
    if whole:
        best = max(whole, key=len)
        first = ended(best.partition(", ")[0])
        if text[len(best) :].startswith(",") and " " in first and is_balanced(first):
            return ended(first.rpartition(" ")[0]) if first[-1] in QUOTES else first
        return ended(best)
    words = text[: longest + 1].split(" ")
    words = words if len(text) <= longest else words[:-1]
    while len(words) > 1 and not is_balanced(trimmed(" ".join(words))):
        words = words[:-1]
    kept = " ".join(words)
    return (trimmed(kept) if kept == text else ended(kept)) or text[:longest]


def ended(text: str) -> str:
    """Returns a text without the words at its end that lead on to a missing part."""
    words = trimmed(text).split(" ")
    while len(words) > 2 and words[-1].lower() in LEADS_ON:
        words = trimmed(" ".join(words[:-1])).split(" ")
    return trimmed(" ".join(words))


def trimmed(text: str) -> str:
    """Returns `text` without what belongs to a missing part beside it: ``(``, ``, got``."""
    before = ""
    while text != before:
        before = text
        text = text.strip().rstrip(",;:([{=<-/").lstrip(",;:)]}>.")
        text = LEADING.sub("", text)
        for mark in QUOTES:
            if _is_open(mark, text) and text.endswith(mark):
                text = text[:-1]
            elif _is_open(mark, text) and text.startswith(mark):
                text = text[1:]
    return text


def _is_open(mark: str, text: str) -> bool:
    """Whether a quotation has one end alone in a text; the mark in ``can't`` is none."""
    return len(re.findall(rf"(?<!\w){mark}|{mark}(?!\w)", text)) % 2 == 1


def is_balanced(text: str) -> bool:
    """Whether brackets, backticks and what an object shows of itself are closed: no ``<Box.``."""
    pairs = all(text.count(one) == text.count(other) for one, other in ("()", "[]", "{}"))
    return pairs and text.count("`") % 2 == 0 and not re.search(r"(?<!\S)<[A-Za-z][^>]*$", text)
