"""Judges what calls read, from files and streams, and fills these with what a person writes."""

from __future__ import annotations

import ast
import contextlib
import json
import re
from collections.abc import Iterator
from functools import cache

from pytest_lift.agents.offline.arguments.inputs import Inputs
from pytest_lift.agents.offline.texts.contents import SUFFIX, may_hold
from pytest_lift.agents.offline.texts.formats import by_suffix, formats, texts_of
from pytest_lift.agents.offline.texts.strangeness import strangeness
from pytest_lift.agents.offline.texts.vocabulary import Vocabulary
from pytest_lift.calls.call import Call
from pytest_lift.source.syntax import leaf, shared_expression, written_with

STREAMS = frozenset({"StringIO", "BytesIO"})
ODD_LINE, MOST_ODD = 0.5, 1.0
"""Cost of a line that nobody would write, and most for one text."""
ANSWER, MORE_WORDS = 0.1, 0.2
"""Costs of each answer after the first one, and of each word after the first one of an answer."""
MOST_TEXTS, MOST_WORDS = 5, 3
"""Texts that are tried in the place of one, and words of each that are tried as arguments."""
LONGEST = 120
"""Characters of a text that is tried in the place of another one."""
SETTING = re.compile(
    r"""\s*[\w.-]+\s*[=:]\s*(?:'[^'"$`]+'|"[^'"$`]+"|[\w ,.:/@-]+)|\s*\[[\w .-]+\]|[-#*]+ \w.*"""
)
"""Line with a key and a value, a heading of a part, or an item of a list."""
PROSE = re.compile(r"[\w ,.;:!?'-]*\w[.!?]?")
NOTHING = re.compile(r"(?!)")
FORMS = {
    "env": NOTHING, "ini": NOTHING, "toml": NOTHING, "yaml": NOTHING, "json": NOTHING,
    "lines": NOTHING, "csv": re.compile(r"[\w .-]+(,[\w .-]*)+"), "tsv": re.compile(r"\w+(\t\w*)+"),
    "xml": re.compile(r"\s*<.+>"), "html": re.compile(r"\s*<.+>"),
}  # fmt: skip
"""Format -> its lines, beside those of any format; of others those of prose."""
MARK = re.compile(r"[=:;,#<\[{\t]")
"""What a line of such a format has, also where a document shows it: a document shows other texts,
too."""
WORD = re.compile(r"\w[\w-]*")


class Filling:
    """Knows the texts that the program's documentation has, and those of common formats."""

    def __init__(self, inputs: Inputs, vocabulary: Vocabulary) -> None:
        self.inputs = inputs
        self.vocabulary = vocabulary
        self._costs: dict[tuple[str, str], float] = {}
        self._lines: set[str] = set()
        """Lines of documented texts."""

    def forget(self) -> None:
        """Forgets its judgements: more texts are known."""
        self._costs.clear()
        self._lines |= {line for text in self.inputs.documented_texts for line in _lines(text)}

    def oddness(self, call: Call) -> float:
        """Returns what the texts that a call reads cost, for lines that nobody would write, and for
        more answers than one, and more words than one in these, on its standard input."""
        files = sum(self._cost(*read) for part in call.chain for read in _read(part))
        return files + sum(_cost_of_answers(part.stdin) for part in call.chain if part.stdin)

    def _cost(self, kind: str, text: str) -> float:
        if (kind, text) not in self._costs:
            cost = 0.0 if _is_json(text) else self._cost_of_lines(kind, text)
            self._costs[kind, text] = cost + strangeness(text)
        return self._costs[kind, text]

    def _cost_of_lines(self, kind: str, text: str) -> float:
        odd = sum(not self._is_written(kind, line) for line in _lines(text))
        return min(ODD_LINE * odd, MOST_ODD)

    def _is_written(self, kind: str, line: str) -> bool:
        """Whether a person would write a line into a file of a format."""
        form = FORMS.get(kind, PROSE)
        formed = SETTING.fullmatch(line) or form.fullmatch(line)
        shown = line in self._lines and (kind not in FORMS or MARK.search(line) is not None)
        return (
            shown or line in _lines_of(kind) or bool(formed and not self.vocabulary.made_up(line))
        )

    def others(self, call: Call) -> Iterator[Call]:
        """Yields a call that reads an odd text with plain ones, also with words of these for its
        plain arguments: what is looked up should be there."""
        if not self.oddness(call):
            return
        for name, text in call.files.items():
            for other in self._texts_for(name, text):
                filled = call.but(files={**call.files, name: other})
                yield filled
                yield from _asking(filled, other)
        for changed, other in self._with_streams(call):
            yield changed
            yield from _asking(changed, other)
        yield from (call.but(stdin=text) for text in _fewer_answers(call.stdin))

    def _with_streams(self, call: Call) -> Iterator[tuple[Call, str]]:
        """Yields (call with another text in one of its streams, text)."""
        for name, value in call.values:
            for tree, given, text in _streamed(value):
                for other in self._texts_for("", text):
                    content = other if isinstance(given.value, str) else other.encode()
                    new = written_with(tree, given, ast.Constant(content))
                    if new is not None:
                        yield call.with_value(name, new), other
        if call.receiver is not None:
            for receiver, other in self._with_streams(call.receiver):
                yield call.but(receiver=receiver), other

    def _texts_for(self, name: str, text: str) -> list[str]:
        """Returns plain texts of a file of this name, or of a stream; documented ones first."""
        kind = _kind(name)
        own = texts_of(kind) or texts_of("txt")
        shown = (one for one in self.inputs.documented_texts if may_hold(kind, one))
        known = [*shown, *own]
        fitting = (one for one in known if one != text and len(one) <= LONGEST)
        return [one for one in fitting if not self._cost(kind, one)][:MOST_TEXTS]


def _cost_of_answers(text: str) -> float:
    answers = [line.split() for line in text.splitlines()]
    more = sum(max(len(words) - 1, 0) for words in answers)
    return min(ANSWER * (len(answers) - 1) + MORE_WORDS * more, MOST_ODD)


def _fewer_answers(text: str) -> Iterator[str]:
    """Yields what may be typed in the place of several answers: each alone, without what follows
    its first word, then all of them so."""
    answers = [f"{line.split()[0]}\n" for line in text.splitlines() if line.split()]
    plainer = dict.fromkeys([*answers, "".join(answers)]) if answers else {}
    yield from (one for one in plainer if one != text)


def _asking(call: Call, text: str) -> Iterator[Call]:
    """Yields a call with words of a text for its plain texts."""
    words = list(dict.fromkeys(WORD.findall(text)))[:MOST_WORDS]
    plain = [(n, v) for n, v in call.values if v[:1] in "'\"" and "/" not in v and "." not in v]
    for name, value in plain:
        for word in words:
            if repr(word) != value:
                yield call.with_value(name, repr(word))


def _read(call: Call) -> Iterator[tuple[str, str]]:
    """Yields (format, text) of what a call reads."""
    yield from ((_kind(name), text) for name, text in call.files.items())
    for _, value in call.values:
        yield from (("txt", text) for _, _, text in _streamed(value))


def _kind(name: str) -> str:
    """Returns the format of a file by its name; that of plain text where it tells none."""
    match = SUFFIX.search(name)
    return by_suffix().get(match[1], match[1]) if match else "txt"


def _streamed(value: str) -> Iterator[tuple[ast.expr, ast.Constant, str]]:
    """Yields (the expression, what a stream in it is given, that as a text)."""
    tree = shared_expression(value) if any(name in value for name in STREAMS) else None
    if tree is None:
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and leaf(node.func) in STREAMS and node.args:
            given = node.args[0]
            if isinstance(given, ast.Constant) and isinstance(given.value, str | bytes):
                content = given.value
                text = content if isinstance(content, str) else content.decode("latin-1")
                yield tree, given, text


@cache
def _lines_of(kind: str) -> frozenset[str]:
    """Returns the lines of the texts of a format; those of all, where a text may be of any."""
    found = [formats()[kind]] if kind in formats() and kind != "txt" else formats().values()
    return frozenset(line for one in found for text in one.every for line in _lines(text))


def _lines(text: str) -> list[str]:
    return [line for line in text.splitlines() if line.strip()]


def _is_json(text: str) -> bool:
    if text.strip()[:1] not in ("{", "["):
        return False
    with contextlib.suppress(ValueError, RecursionError):
        json.loads(text)
        return True
    return False
