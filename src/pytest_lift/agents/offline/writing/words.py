"""Shortens text for names and sentences without leaving an incomplete phrase."""

from __future__ import annotations

import re

LONGEST_REPORT = 5
"""Most words of an error's message in a name."""
DANGLING = frozenset(
    "a an and are as at be by can do does for from has have if in into is it its must no not of on "
    "or that the their then this to was were when which will with without".split()
)
"""Words with which no name ends."""


def slug(text: str) -> str:
    """Returns lower-case words joined by underscores, camel case split."""
    apart = re.sub(r"([a-z\d])([A-Z][A-Za-z])", r"\1_\2", text.replace("'", ""))
    apart = re.sub(r"([A-Z]+)([A-Z][a-z])", r"\1_\2", apart)
    return "_".join(re.findall(r"[a-z\d]+", apart.lower()))


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


def _is_participle(words: list[str]) -> bool:
    return len(words) > 2 and words[-1].endswith(("ing", "ed"))


def clause(text: str) -> str:
    """Returns the first sentence, shortened at the end of a clause if it is too long."""
    paragraph = re.sub(r"\s+", " ", text.strip().split("\n\n")[0])
    sentence = re.split(r"(?<=[a-z)\]'\"])\.(?:\s|$)|:\s*$", paragraph)[0]
    while len(sentence) > 56:
        shorter = re.split(r"[,;:(] |\s(?:and|which|that|as|using|for|with|by|so) ", sentence)
        cut = sentence[: len(sentence) - len(shorter[-1])].rstrip()
        cut = re.sub(r"[,;:(]$|\s(and|which|that|as|using|for|with|by|so)$", "", cut).rstrip()
        if len(shorter) == 1 or cut == sentence:
            return ""
        sentence = cut
    return sentence


def cut(text: str, longest: int) -> str:
    """Returns `text` up to `longest` characters, not ending in a word that needs another one."""
    if len(text) <= longest:
        return text
    words = text[: longest + 1].split(" ")[:-1]
    while len(words) > 2 and words[-1].lower() in DANGLING:
        words = words[:-1]
    return " ".join(words) or text[:longest]
