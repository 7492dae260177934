"""Text from elsewhere as it may be shown: secrets left out, control characters spelled out.

Names of tests, requirements and messages of failures come from whoever wrote them; printed as
they are, they could rewrite the terminal's lines or forge some of ours. Secrets are known by name,
or by shape. The tests themselves are never changed on their way to disk: `secrets_in` lets the gate
refuse one that holds a secret. Not recognised: a secret that a message shows cut in two.
"""

from __future__ import annotations

import base64
import html
import json
import os
import re
import unicodedata
from collections.abc import Collection, Iterator, Mapping
from functools import lru_cache
from typing import Annotated, Any
from urllib.parse import quote, quote_plus

_UNUSUAL = re.compile(r"[^ -~\n\t]")

SHORTEST = 8
"""Characters; a shorter value would be found by chance in too many texts."""

Identifier = Annotated[str, "identifier"]
"""A text by which things are found again: the id of a requirement, a node id, a path. It is never
redacted: a password that happens to be a word of a path would make other things of two runs."""

_Known = tuple[re.Pattern[str], Mapping[str, str]]
_NAME = re.compile(
    r"(?:^|_)(?:(?:API|APP|AUTH|ACCESS)?KEYS?|\w*TOKENS?|\w*SECRETS?|\w*PASSWORDS?|\w*PASSWD"
    r"|\w*PASSPHRASE|\w*CREDENTIALS?|\w+_PWD)(?:_|\d|$)",
    re.IGNORECASE,
)
_PEM_HEAD = r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----"
_PEM = re.compile(
    rf"{_PEM_HEAD}(?:(?!-----BEGIN)[\s\S])*?-----END [A-Z0-9 ]{{0,40}}PRIVATE KEY(?: BLOCK)?-----"
    rf"|{_PEM_HEAD}(?:\\[nr]|[A-Za-z0-9+/=:,\s-])*"
)
_TOKENS = (
    ("sk-", r"sk-(?<!\wsk-)(?=[\w-]*\d)[A-Za-z0-9_-]{20,}"),
    ("gh", r"gh[pousr]_[A-Za-z0-9]{30,}"),
    ("github_pat_", r"github_pat_[A-Za-z0-9_]{30,}"),
    ("glpat-", r"glpat-[A-Za-z0-9_-]{20,}"),
    ("AKIA", r"AKIA[0-9A-Z]{16}(?![0-9A-Za-z])"),
    ("ASIA", r"ASIA[0-9A-Z]{16}(?![0-9A-Za-z])"),
    ("AIza", r"AIza[0-9A-Za-z_-]{35}"),
    ("xox", r"xox[abposr]-[A-Za-z0-9-]{10,}"),
    ("hf_", r"hf_(?=[A-Za-z0-9]*\d)[A-Za-z0-9]{30,}"),
    ("npm_", r"npm_[A-Za-z0-9]{36}"),
    ("pypi-", r"pypi-AgE[A-Za-z0-9_-]{30,}"),
    ("eyJ", r"eyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}"),
)
"""(what any such key begins with, its shape): the beginning is looked for first, being quick."""
_SHAPES = tuple((sign, re.compile(shape)) for sign, shape in _TOKENS)
_BEARER = re.compile(r"\b(Bearer\s+)(?!\[redacted)[A-Za-z0-9._~+/=-]{16,}", re.IGNORECASE)
_ACCOUNT = re.compile(r"(://)(?!\[redacted)[^\s/:@\"'<>]{1,200}:[^\s/@\"'<>]{1,400}@")


def line(text: str) -> str:
    """Returns `text` as one line of a terminal or a page."""
    return spelled_out(redacted(text)).replace("\n", "\\n").replace("\t", "    ")


def lines(text: str) -> str:
    """Returns `text` with its own lines, for messages that we composed of several."""
    return spelled_out(redacted(text))


def spelled_out(text: str) -> str:
    """Returns the text with control and format characters as ``\x1b``; line feeds and tabs stay. A
    carriage return that ends a line is left out, also if the line feed of the last line was cut
    off."""
    if text.isprintable():
        return text
    return _UNUSUAL.sub(_shown, text.replace("\r\n", "\n").removesuffix("\r"))


def _shown(found: re.Match[str]) -> str:
    character = found[0]
    if character.isprintable():
        return character
    if unicodedata.category(character) == "Zs":
        return character  # spaces of typographers
    return character.encode("unicode_escape").decode("ascii")


def redacted(text: str, environ: Mapping[str, str] = os.environ) -> str:
    """Returns `text` with a marker such as ``[redacted OPENAI_API_KEY]`` in the place of each
    secret.

    Secrets are the values of variables of `environ` whose names say so, as they are or quoted in
    the usual ways, and what has the shape of a known kind of key.
    """
    return _cleaned(text, _known(tuple(_secrets(environ))))


def _cleaned(text: str, known: _Known) -> str:
    values, names = known
    if any(value in text for value in names):
        text = values.sub(lambda found: f"[redacted {names[found[0]]}]", text)
    if "PRIVATE KEY" in text:
        text = _PEM.sub("[redacted private key]", text)
    for sign, shape in _SHAPES:
        if sign in text:
            text = shape.sub("[redacted key]", text)
    if "earer" in text or "EARER" in text:
        text = _BEARER.sub(r"\1[redacted]", text)
    if "://" in text and "@" in text:
        text = _ACCOUNT.sub(r"\1[redacted]@", text)
    return text


def redacted_bytes(data: bytes, environ: Mapping[str, str] = os.environ) -> bytes:
    """Returns the content of a file through `redacted`, of any encoding; other bytes stay."""
    text = data.decode("utf-8", "surrogateescape")
    cleaned = redacted(text, environ)
    return data if cleaned == text else cleaned.encode("utf-8", "surrogateescape")


def redacted_data(
    data: Any, environ: Mapping[str, str] = os.environ, *, identifying: Collection[str] = ()
) -> Any:
    """Returns data to be written as JSON with every text through `redacted`, names of keys
    included. Values below the keys `identifying` stay as they are: see `Identifier`."""
    return _cleaned_data(data, _known(tuple(_secrets(environ))), identifying)


def _cleaned_data(data: Any, known: _Known, identifying: Collection[str]) -> Any:
    if isinstance(data, str):
        return _cleaned(data, known)
    if isinstance(data, Mapping):
        return {
            _cleaned_data(key, known, ()): value
            if key in identifying
            else _cleaned_data(value, known, identifying)
            for key, value in data.items()
        }
    if isinstance(data, list | tuple):
        return [_cleaned_data(item, known, identifying) for item in data]
    return data


def secrets_in(text: str, environ: Mapping[str, str] = os.environ) -> tuple[str, ...]:
    """Returns names of secrets in the text of a generated test.

    Addresses with a password and Bearer headers do not count, since tests of URLs and of HTTP have
    invented ones; nor do keys that contain EXAMPLE.
    """
    known = _known(tuple(_secrets(environ)))
    found = {f"the value of {name}" for value, name in known[1].items() if value in text}
    if "PRIVATE KEY" in text and any(len(block[0]) > 200 for block in _PEM.finditer(text)):
        found.add("a private key")
    for sign, shape in _SHAPES:
        keys = shape.finditer(text) if sign in text else ()
        if any("EXAMPLE" not in key[0].upper() for key in keys):
            found.add(f"a key ({sign}...)")
    return tuple(sorted(found))


def has_private_key(data: bytes) -> bool:
    """Whether a file holds the private half of a key pair."""
    return b"PRIVATE KEY" in data and _PEM.search(data.decode("latin-1")) is not None


def _secrets(environ: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    for name, value in environ.items():
        if len(value) >= SHORTEST and _NAME.search(name):
            yield name, value


@lru_cache(maxsize=32)
def _known(secrets: tuple[tuple[str, str], ...]) -> _Known:
    """Returns one pattern for all values, and value -> name of its variable."""
    names = {form: name for name, value in secrets for form in _forms(value)}
    longest_first = sorted(names, key=len, reverse=True)
    return re.compile("|".join(map(re.escape, longest_first)) or r"(?!)"), names


def _forms(value: str) -> Iterator[str]:
    """Yields `value` as programs and reports write it; each line of one that has several."""
    stripped = value.strip()
    pieces = [value, stripped]
    if "\n" in stripped:
        pieces += [line for line in stripped.splitlines() if not line.startswith("-----")]
    for piece in pieces:
        raw = piece.encode("utf-8", "surrogateescape")
        forms = (
            piece,
            repr(piece)[1:-1],
            json.dumps(piece)[1:-1],
            html.escape(piece),
            html.escape(piece, quote=False),
            quote(raw),
            quote(raw, safe=""),
            quote_plus(raw),
            base64.b64encode(raw).decode("ascii"),
        )
        yield from (form for form in forms if len(form) >= SHORTEST)
