"""Requirements and their tests as needs.json of sphinx-needs, for its ``needimport``.

Only fields that every sphinx-needs project knows are written, so that an import needs no
configuration. Everything else is in the content, as reStructuredText in which the texts of the
authors are escaped. The format: https://sphinx-needs.readthedocs.io/en/latest/builders.html
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from pytest_lift.report.facts import Difference, Report, RequirementFacts, TestFacts
from pytest_lift.text import printable

REQUIREMENT, TEST = "req", "test"
"""Default types of needs in sphinx-needs."""
VERSION = ""
"""Default version of sphinx-needs; a report is about one state of the project."""

_MARKUP = re.compile(r"[\\*`|_]|::(?=\s*$)")
_NO_TARGET = re.compile(r"[.\[\]]")
_PLAIN_START = re.compile(r"(?!\w{1,20}[.)](?:\s|$))\w")


def needs_json(report: Report) -> dict[str, Any]:
    """Returns the content of needs.json: a need per requirement and per test, with links from
    tests to requirements."""
    known = _need_ids(report.requirements)
    needs = [_requirement(requirement, known) for requirement in report.requirements]
    needs += [_test(test, known) for test in report.tests]
    program, _, version = report.tool.partition(" ")
    return {
        "created": report.made,
        "current_version": VERSION,
        "project": printable.line(report.project),
        "versions": {
            VERSION: {
                "created": report.made,
                "creator": {"program": program, "version": version},
                "needs": {need["id"]: need for need in needs},
                "needs_amount": len(needs),
            }
        },
    }


def _need_ids(requirements: Iterable[RequirementFacts]) -> dict[str, str]:
    """Returns requirement id -> need id. They differ if sphinx-needs would read a link to the id
    as a link to a part of another need (``A.1``) or as a link with a condition (``A[1]``)."""
    found = {requirement.id: requirement.id for requirement in requirements}
    for identity in found:
        if _NO_TARGET.search(identity):
            plainer = _NO_TARGET.sub("_", identity)
            found[identity] = f"{plainer}_{_digest(identity)}" if plainer in found else plainer
    taken = Counter(found.values())
    return {
        identity: f"{need}_{_digest(identity)}" if taken[need] > 1 else need
        for identity, need in found.items()
    }


def id_of_test(node: str) -> str:
    """Returns an id that is stable for a node id and has the form that sphinx-needs accepts by
    default."""
    return f"TEST_{_digest(node)}"


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:12].upper()


def _requirement(found: RequirementFacts, known: dict[str, str]) -> dict[str, Any]:
    identity = known[found.id]
    sections = [
        *_paragraphs(found.description),
        *_listed("Acceptance", found.acceptance),
        *_named("Scenario", found.scenario),
        *(_literal("Example", example) for example in found.examples),
        *_named("Exempt", found.reason),
        *_listed("Differences", map(_told, found.differences)),
        *_named("Id", found.id if found.id != identity else ""),
        *_named("Level", found.level),
        *_named("Scope", " / ".join(found.scope)),
        *_named("Source", f"{found.file}:{found.line}" if found.file else ""),
    ]
    return _need(identity, REQUIREMENT, found.title, found.status, found.tags, (), sections)


def _test(test: TestFacts, known: dict[str, str]) -> dict[str, Any]:
    sections = [
        *_paragraphs(test.doc),
        *_named("Emergent", test.emergent),
        *_named("Reason", test.reason),
        *_named("Failure", test.failure),
        *_named("Rows", str(test.rows) if test.rows > 1 else ""),
    ]
    links = [known[name] for name in dict.fromkeys(test.requirements) if name in known]
    tags = ("generated",) if test.generated else ()
    return _need(id_of_test(test.node), TEST, test.node, test.outcome, tags, links, sections)


def _need(
    identity: str,
    kind: str,
    title: str,
    status: str,
    tags: Iterable[str],
    links: Iterable[str],
    sections: Iterable[str],
) -> dict[str, Any]:
    return {
        "id": identity,
        "type": kind,
        "title": _inert(printable.line(title)),
        "status": status,
        "tags": [_inert(printable.line(tag)) for tag in tags],
        "links": list(links),
        "content": "\n\n".join(section for section in sections if section),
        "doctype": ".rst",
    }


def _told(difference: Difference) -> str:
    if difference.broken:
        return f"{difference.call} cannot run: {difference.actual}"
    return f"{difference.call} gives {difference.actual}, not {difference.expected}"


def _inert(text: str) -> str:
    """Returns `text` in which sphinx-needs calls no functions (``[[f()]]``, ``<<variant>>``)."""
    return re.sub(r"\[(?=\[)|<(?=<)", lambda mark: f"{mark[0]}\u200b", text)


def _paragraphs(text: str) -> Iterator[str]:
    """Yields the paragraphs of `text` with its line breaks, and with markup escaped."""
    for paragraph in re.split(r"\n\s*\n", printable.lines(text).strip("\n")):
        lines = paragraph.splitlines()
        if len(lines) == 1:
            yield _one(lines[0])
        else:
            yield "\n".join(f"| {_escaped(line)}" for line in lines)


def _named(name: str, text: str | None) -> Iterator[str]:
    if text:
        yield f"**{name}:** {_escaped(printable.line(text).strip())}"


def _listed(name: str, texts: Iterable[str]) -> Iterator[str]:
    items = [f"* {_one(' '.join(printable.lines(text).split()))}" for text in texts]
    if items:
        yield f"**{name}:**"
        yield "\n".join(items)


def _literal(name: str, text: str) -> str:
    lines = "\n".join(f"   {line}" for line in printable.lines(text).splitlines())
    return f"**{name}:**\n\n::\n\n{lines}" if lines.strip() else ""


def _one(line: str) -> str:
    """Returns a line that begins a paragraph, not a list, a title, a comment or a quotation."""
    text = _escaped(line.strip())
    return text if _PLAIN_START.match(text) else rf"\ {text}" if text else ""


def _escaped(line: str) -> str:
    return _MARKUP.sub(lambda mark: f"\\{mark[0]}" if len(mark[0]) == 1 else ":\\:", line.rstrip())
