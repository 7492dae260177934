"""Prose of docstrings and documents, cut into paragraphs, sentences, bullets and sessions."""

from __future__ import annotations

import ast
import builtins
import doctest
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from inspect import cleandoc
from itertools import pairwise

from pytest_lift.source.bindings import all_bound_names

_SECTION = re.compile(
    r"(args|arguments|params|parameters|other parameters|attributes|returns?|yields?|raises|warns|"
    r"warnings?|examples?|notes?|see also|references|todo|usage|methods|keyword args?):?\s*$",
    re.IGNORECASE,
)
_FIELD = re.compile(r"[:@](param|type|return|rtype|raise|except|arg|keyword|var|ivar|cvar)\w*\b")
_RAISES = (
    re.compile(r"^[:@](?:raises?|except|exception) +([\w.]+) *: *(.+)"),
    re.compile(r"^([A-Z][\w.]*(?:Error|Exception|Warning|Exit|Interrupt)) *: *(.+)"),
)
_END = re.compile(r"(?<=[.!?])\s+(?=[A-Z`\"'(])")
_ABBREVIATION = re.compile(r"\b(e\.g|i\.e|etc|cf|vs|resp|Mr|Dr|No|Fig)\.$")
_LINK = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")
_REFERENCE = re.compile(r"`([^`<]+?)(?: *<[^>]*>)?`__?(?!\w)")
_ROLE = re.compile(r":[\w:.+-]+:`~?([^`<]+?)(?: *<[^>]*>)?`")


@dataclass
class Section:
    """A heading of a document with the text below it."""

    heading: str
    paragraphs: list[str] = field(default_factory=list)
    bullets: list[str] = field(default_factory=list)
    code: list[str] = field(default_factory=list)
    """Texts that may contain doctest sessions."""


def paragraphs(doc: str) -> list[str]:
    """Returns the paragraphs of a docstring up to its first section, field or example, each on
    one line."""
    found: list[str] = []
    lines = cleandoc(doc).splitlines()
    kept: list[str] = []
    for line, following in pairwise([*lines, ""]):
        text = line.strip()
        underlined = bool(text) and re.fullmatch(r"[-=]{3,}", following.strip()) is not None
        if _SECTION.match(text) or _FIELD.match(text) or text.startswith((">>>", "..")):
            break
        if underlined or line.startswith("    "):
            break
        kept.append(text)
    for block in "\n".join(kept).split("\n\n"):
        if words := " ".join(block.split()):
            found.append(plain(words))
    return found


def raises(doc: str) -> Iterator[tuple[str, str]]:
    """Yields (exception, condition) for each exception that a docstring documents."""
    lines = [line.strip() for line in cleandoc(doc).splitlines()]
    for number, line in enumerate(lines):
        found = next((match for known in _RAISES if (match := known.match(line))), None)
        if found:
            more = []
            for following in lines[number + 1 :]:
                if not following or any(known.match(following) for known in _RAISES):
                    break
                if _SECTION.match(following) or _FIELD.match(following):
                    break
                more.append(following)
            yield found[1], plain(" ".join([found[2], *more]))


def sentences(text: str) -> list[str]:
    """Returns the sentences of a paragraph; an abbreviation does not end a sentence."""
    found: list[str] = []
    for piece in _END.split(text):
        if found and _ABBREVIATION.search(found[-1]):
            found[-1] = f"{found[-1]} {piece}"
        elif piece.strip():
            found.append(piece.strip())
    return found


def plain(text: str) -> str:
    """Returns the text without links, roles and emphasis; names in backticks are preserved."""
    text = _REFERENCE.sub(r"\1", _ROLE.sub(r"`\1`", _LINK.sub(r"\1", text))).replace("``", "`")
    return re.sub(r"(\*\*|__)(?=\S)(.+?)(?<=\S)\1", r"\2", text)


def shortened(text: str, most: int) -> str:
    """Returns at most about `most` characters, cut between words."""
    text = text.rstrip(" .:;,")
    if len(text) <= most:
        return text
    return text[:most].rsplit(" ", 1)[0].rstrip(" .:;,(`") + " ..."


def markdown_sections(text: str) -> list[Section]:
    """Returns the sections of a Markdown document."""
    from markdown_it import MarkdownIt

    found = [Section("")]
    heading = in_item = False
    for token in MarkdownIt("commonmark").parse(text):
        if token.type == "heading_open":
            found.append(Section(""))
            heading = True
        elif token.type == "heading_close":
            heading = False
        elif token.type in ("list_item_open", "list_item_close"):
            in_item = token.type == "list_item_open"
        elif token.type == "inline":
            words = plain(" ".join(token.content.split()))
            if heading:
                found[-1].heading = words
            elif in_item:
                found[-1].bullets.append(words)
                in_item = False  # what follows in it is detail
            elif token.level == 1:
                found[-1].paragraphs.append(words)
        elif token.type in ("fence", "code_block"):
            found[-1].code.append(token.content)
    return found


def rest_sections(text: str) -> list[Section]:
    """Returns the sections of a reStructuredText document, by underlined headings."""
    found, lines = [Section("")], text.splitlines()
    starts = [n for n, line in enumerate(lines) if _is_heading(lines, n)]
    for number, start in enumerate([-1, *starts]):
        end = starts[number] if number < len(starts) else len(lines)
        if start >= 0:
            found.append(Section(plain(lines[start].strip())))
        body = "\n".join(lines[start + 2 if start >= 0 else 0 : end])
        found[-1].code.append(body)
        for block in re.split(r"\n\s*\n|\n(?=[-*+] )", body):
            block = block.strip("\n")
            words = plain(" ".join(block.split()))
            if re.match(r"[-*+] \S", words):
                found[-1].bullets.append(words[2:])
            elif words and block[:1].strip() and not words.startswith(("..", ">>>", "|", "=", "-")):
                found[-1].paragraphs.append(words)
    return found


def _is_heading(lines: list[str], number: int) -> bool:
    text = lines[number].strip()
    below = lines[number + 1].strip() if number + 1 < len(lines) else ""
    underline = re.fullmatch(r"([=\-~^\"'#*+.])\1{2,}", below) is not None
    return bool(text) and text[0].isalnum() and underline and len(below) >= len(text) - 1


@dataclass(frozen=True)
class DocumentedSession:
    """The doctest examples of one text."""

    text: str
    """Text of the examples in doctest format."""
    free: frozenset[str]
    """Names that it uses but neither binds nor imports, without builtins."""


def session_of(text: str) -> DocumentedSession | None:
    """Returns the doctest examples of `text`; None if no example has an expected result."""
    try:
        examples = doctest.DocTestParser().get_examples(text)
    except ValueError:
        return None
    lines: list[str] = []
    loaded: set[str] = set()
    bound: set[str] = set()
    for example in examples:
        if not example.source.strip():
            continue
        try:
            tree = ast.parse(example.source)
        except (SyntaxError, ValueError):
            return None
        if example.options.get(doctest.SKIP):
            return None
        bound.update(all_bound_names(tree))
        loaded |= {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
        source = example.source.rstrip("\n").split("\n")
        lines += [f">>> {source[0]}", *(f"... {line}" for line in source[1:])]
        lines += example.want.rstrip("\n").split("\n") if example.want else []
    if not any(example.want for example in examples):
        return None
    free = loaded - bound - set(dir(builtins)) - {"_"}
    return DocumentedSession("\n".join(lines), frozenset(free))


def with_imports(session: DocumentedSession, homes: dict[str, str]) -> str | None:
    """Returns the session with its missing imports, from `homes` (name -> module); None if a
    name has no module."""
    if not session.free <= homes.keys():
        return None
    modules: dict[str, list[str]] = {}
    for name in sorted(session.free):
        modules.setdefault(homes[name], []).append(name)
    added = [_import(module, names) for module, names in sorted(modules.items())]
    return "\n".join([*added, session.text])


def _import(module: str, names: Collection[str]) -> str:
    """Returns the import of `names` from a module, or of the module itself."""
    if set(names) == {module}:
        return f">>> import {module}"
    return f">>> from {module} import {', '.join(names)}"
