"""Reads doctest sessions of docstrings, documents and requirements, one item per example."""

from __future__ import annotations

import ast
import codeop
import doctest
import re
import warnings
from dataclasses import dataclass, field, replace
from pathlib import Path

from pytest_lift.agents.offline.examples.documents import DOCUMENTS, GUIDES, read_documents
from pytest_lift.agents.offline.examples.prompting import with_definitions
from pytest_lift.agents.offline.expecting import session_text
from pytest_lift.calls.case import Origin
from pytest_lift.requirements.requirement import Requirement
from pytest_lift.source.bindings import Import, bound_names, is_import
from pytest_lift.source.program import Program, SourceFile
from pytest_lift.source.syntax import FunctionNode, parsed

FENCE = re.compile(r"^\s*(```|~~~).*$", re.MULTILINE)
PROMPTED = re.compile(r"^([ ]*)>>> (.*)$")
IPYTHON = re.compile(r"^([ ]*)(?:(In[ ]?\[\d+\]:)|([ ]+\.{3,}:)|Out[ ]?\[\d+\]:)[ ]?(.*)$")
MOST_TITLE_WORDS = 12
PLAIN_TITLE = re.compile(r"[A-Z][\w ,'()/-]+")
"""Words without signs that only code or sentences have."""
POINTING = re.compile(
    r"(After|Again|Also|Alternatively|And|Another|As|Because|Before|But|By|Finally|First|For|Here"
    r"|However|If|In|Instead|It|Let|Likewise|Next|Note|Now|Of|On|Or|Otherwise|Please|Same|See"
    r"|Similarly|Since|So|That|Then|Therefore|These|This|Thus|To|We|When|Where|Which|While"
    r"|With|You)\b"
    r"|.*\b(above|again|also|another|below|can|could|equivalent|following|here|instead|it|like so"
    r"|may|must|previous|same|should|snippets?|that|these|this|will|would|you|your)\b"
    r"|.*\b(an?|and|are|as|at|by|for|from|in|is|of|on|or|the|to|with)$"
    r"|((basic|simple|quick) )?(usage|examples?|quickstart|synopsis)( examples?)?$",
    re.IGNORECASE,
)
"""How sentences read that are no heading: they need what stands around them, or say nothing."""
UNDERLINE = re.compile(r"\s*\W{3,}\s*")
HEADING = re.compile(r"^#+ +(\S.*?) *#*$|^(\S.*)\n([=~^*+#\"'-])\3{2,} *$", re.MULTILINE)
"""Heading of Markdown or reStructuredText in a text."""
GENERAL = re.compile(
    r"((an?|the|basic|simple|quick|more|advanced|further|first|sample|code|library|related) )*"
    r"(usage|use|using .*|examples?|demo|quick ?-?start|getting started|intro(duction)?|overview|"
    r"about|install(ation|ing)?|features?|tutorial|guide|api|reference|readme|notes?|description|"
    r"documentation|how to use.*|why.*|what.*|motivation|background|changes|changelog|steps?|"
    r"misc(ellaneous)?|problems|projects|topics|work)",
    re.IGNORECASE,
)
"""Headings that say nothing of what stands below them."""
PRINTED = re.compile(r"(^[ \t]*|:[ \t]+)print[ \t]+(?![(>])(\S.*?)[ \t]*$", re.MULTILINE)
HANDLED = re.compile(r"\bexcept[ \t]+([\w.]+|\([\w., ]+\))[ \t]*,[ \t]*(\w+)[ \t]*:")
"""Statements of Python 2."""
MOST_CONTINUED = 60
"""Most lines of a text in an example that go on without a prompt."""


@dataclass(frozen=True)
class Item:
    """``>>>`` example of a session."""

    source: str
    tree: ast.Module
    want: str
    raises: str | None
    skipped: bool
    binds: frozenset[str]
    reads: frozenset[str]
    title: str = ""
    """Sentence that introduces it; "" where there is none."""
    heading: str = ""
    """Heading of a document that it stands below; "" where that says nothing."""
    block: int = 0
    """Number of the examples in a row, without prose between them, that it is one of."""

    @property
    def imports(self) -> bool:
        return any(map(is_import, self.tree.body))

    @property
    def defines(self) -> bool:
        return any(isinstance(n, FunctionNode | ast.ClassDef) for n in self.tree.body)

    @property
    def expects(self) -> bool:
        return bool(self.want or self.raises)


@dataclass
class Session:
    """All examples of one docstring, document or requirement, in order."""

    path: str
    """Source file whose names the examples may use."""
    items: list[Item]
    origin: Origin = "documented"
    requirement: str = ""
    key: str = ""
    """Identity of the session: its path and text."""
    imported: dict[str, Import] = field(default_factory=dict)
    """Name in the session -> its import, by the absolute name of the module."""


def documented_sessions(root: Path, program: Program) -> list[Session]:
    """Returns sessions in docstrings, then in the documents at the root of the project and in its
    folders of documentation."""
    found = []
    for file in program.files.values():
        if file.error is None:
            docs = [ast.get_docstring(file.tree) or "", *(s.doc for s in file.symbols)]
            shown = (doc for doc in docs if ">>>" in doc or "In [" in doc)
            found += [_session(with_definitions(doc), file) for doc in shown]
    top = _top_file(program)
    if top is not None:
        texts = read_documents(root, (*DOCUMENTS, *GUIDES))
        plain = (FENCE.sub("", with_definitions(text)) for text in texts)
        found += [_session(text, top, headed=True) for text in plain]
    return [session for session in found if session.items]


def requirement_session(requirement: Requirement, program: Program) -> Session | None:
    """Returns the examples of a requirement and the doctests of its written-out sentences.

    A test made of them verifies the requirement. None if there are none.
    """
    top = _top_file(program)
    texts = [*requirement.examples, session_text(requirement)]
    if top is None or not any(texts):
        return None
    session = _session("\n\n".join(filter(None, texts)), top)
    session.origin, session.requirement = "requirement", requirement.id
    return session


def _top_file(program: Program) -> SourceFile | None:
    tops = [program.by_module[name] for name in program.names if name in program.by_module]
    return tops[0] if tops else None


def _session(text: str, file: SourceFile, *, headed: bool = False) -> Session:
    try:
        pieces = doctest.DocTestParser().parse(with_prompts(text))
    except ValueError:
        return Session(file.path, [])
    items, title, heading, block = [], "", "", 0
    for piece in pieces:
        if isinstance(piece, doctest.Example):
            item = _item(piece, title)
            items += [replace(item, heading=heading, block=block)] if item is not None else []
        elif piece.strip():
            block += 1
            title = title_of(piece)
            heading = heading_of(piece, heading) if headed else ""
    session = Session(file.path, items, key=f"{file.path}\0{text}")
    for node in filter(is_import, (node for item in items for node in item.tree.body)):
        session.imported |= {found.bound: found for found in file.import_bindings(node)}
    return session


def with_prompts(text: str) -> str:
    """Returns a text in which the lines of an example that go on after an open quote or bracket
    have their prompt, as people leave it out: ``>>> usage = \'\'\'``, then the usage; some begin
    all lines like the first one. Lines of IPython are such of Python."""
    lines = [_plain_prompt(line) for line in text.expandtabs().split("\n")]
    at = 0
    while at < len(lines):
        found = PROMPTED.match(lines[at])
        at += 1
        if found and _is_open(found[2]):
            end = _end_of(lines, at, found)
            lines[at:end] = [_prompted(line, found[1]) for line in lines[at:end]]
            at = end
    return "\n".join(lines)


def _plain_prompt(line: str) -> str:
    """Returns a line of IPython as Python has it: ``>>> f(1)`` for ``In [1]: f(1)``, and ``2`` for
    ``Out[1]: 2``."""
    found = IPYTHON.match(line)
    if found is None:
        return line
    indent, opens, goes_on, code = found.groups()
    return f"{indent}{'>>> ' if opens else '... ' if goes_on else ''}{code}"


def _end_of(lines: list[str], start: int, found: re.Match[str]) -> int:
    """Returns the index behind the last line of an open example; `start` where none closes it, or
    where the lines have their prompts."""
    source, prompted = found[2], False
    for at in range(start, min(start + MOST_CONTINUED, len(lines))):
        line = lines[at].removeprefix(found[1])
        if line.startswith("..."):
            break
        prompted = prompted or line.startswith(">>>")
        source += "\n" + line.removeprefix(">>>")
        if not _is_open(source):
            return start if prompted and parsed(source, "exec") is None else at + 1
    return start


def _prompted(line: str, indent: str) -> str:
    shown = line.removeprefix(indent)
    return f"{indent}... {shown.removeprefix('>>> ').removeprefix('>>>')}".rstrip()


def _is_open(source: str) -> bool:
    """Whether code ends inside of a quote or a bracket."""
    if not source.count("'''") + source.count('"""') + len(re.findall(r"[(\[{]", source)):
        return False
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return codeop.compile_command(source) is None
    except (SyntaxError, ValueError, OverflowError):
        return False


def title_of(prose: str) -> str:
    """Returns the last sentence of the prose if it reads like a heading of what follows; else
    ""."""
    lines = ["" if UNDERLINE.fullmatch(line) else line for line in prose.strip().splitlines()]
    paragraph = re.sub(r"[`*]+", "", re.split(r"\n\s*\n", "\n".join(lines).strip())[-1])
    sentence = re.split(r"(?<=[.:!?])\s+", paragraph.strip())[-1].rstrip(".:").strip()
    line = re.sub(r"\s+", " ", sentence)
    plain = PLAIN_TITLE.fullmatch(line) is not None and not POINTING.match(line)
    return line if plain and 2 <= len(line.split()) <= MOST_TITLE_WORDS else ""


def heading_of(prose: str, before: str = "") -> str:
    """Returns the last heading of the prose, of Markdown or reStructuredText, where it names
    something; "" where it does not, and what was `before` where there is none."""
    found = before
    for line in HEADING.finditer(prose):
        words = re.sub(r"[`*]+|:$", "", line[1] or line[2]).strip()
        plain = PLAIN_TITLE.fullmatch(words) is not None
        few = plain and len(words.split()) <= MOST_TITLE_WORDS
        found = words if few and not GENERAL.fullmatch(words) else ""
    return found


def _item(example: doctest.Example, title: str) -> Item | None:
    source = example.source if parsed(example.source) else _modern(example.source)
    tree = parsed(source)
    if not isinstance(tree, ast.Module):
        return None
    skipped = bool(example.options.get(doctest.SKIP))
    binds = frozenset(bound_names(tree))
    loaded = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name)}
    return Item(
        source.strip(),
        tree,
        example.want.rstrip("\n"),
        example.exc_msg,
        skipped,
        binds,
        frozenset(loaded),
        title,
    )


def _modern(source: str) -> str:
    """Returns an example that was written for Python 2 as Python has it today: `print` is a
    function there, and an exception has its name after ``as``."""
    return HANDLED.sub(r"except \1 as \2:", PRINTED.sub(r"\1print(\2)", source))
