"""Prints a contradiction as a strict xfail test, and finds such tests in a suite."""

from __future__ import annotations

import ast
import hashlib
import json
import re
import textwrap
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from pytest_lift.options import CONTRADICTS
from pytest_lift.oracles.discrepancies import Discrepancy, Proof
from pytest_lift.requirements.requirement import Requirement
from pytest_lift.source.bindings import imports_in, is_import
from pytest_lift.source.syntax import FunctionNode, called, parse, parsed, split_lines
from pytest_lift.suite.suite import Suite
from pytest_lift.suite.test_file import TestFunction
from pytest_lift.text.wording import shortened

SHOWN = 60
"""Most characters of a call or a value in the reason."""
WIDTH = 88
UNRAISED = "pytest.fail.Exception"
"""Exception that `pytest.raises` raises when nothing is raised."""


@dataclass(frozen=True)
class ContradictionTest:
    """Parts of the test of one contradiction; its place and its name are chosen later."""

    requirement: str
    slug: str
    """Start of the test's name, such as ``shape_3_round_half``."""
    imports: tuple[str, ...]
    mark_import: str
    """Import of the exception that the mark names, or empty."""
    raises: str
    reason: str
    quote: str
    """Words of the requirement, verbatim except for white space."""
    body: str

    @property
    def identity(self) -> str:
        function = ast.parse(self.source("test")).body[0]
        return identity(self.requirement, getattr(function, "body", []))

    @property
    def short_hash(self) -> str:
        return hashlib.sha256(self.identity.encode("utf-8", "replace")).hexdigest()[:4]

    def source(self, name: str, local: Iterable[str] = (), *, mark: bool = True) -> str:
        """Returns the function, with the imports `local` inside; without `mark`, any exception will
        do."""
        doc = f'{self.requirement} says: "{self.quote}"'
        lines = [
            f"@pytest.mark.req({quoted(self.requirement)})",
            *self._marked(self.raises if mark else "Exception"),
            f"def {name}():",
            f"    {_docstring(doc)}",
            *(f"    {line}" for line in local),
            textwrap.indent(self.body, "    "),
        ]
        return "\n".join(lines) + "\n"

    def _marked(self, raises: str) -> list[str]:
        given = ["strict=True", f"raises={raises}", f"reason={quoted(self.reason)}"]
        line = f"@pytest.mark.xfail({', '.join(given)})"
        if len(line) <= WIDTH:
            return [line]
        return ["@pytest.mark.xfail(", *(f"    {part}," for part in given), ")"]


def printed(said: Discrepancy, requirement: Requirement) -> ContradictionTest | None:
    """Returns the test of a contradiction; None if no plain test can show it."""
    proof, setup = said.proof, parsed(said.setup)
    if proof is None or said.broken or not isinstance(setup, ast.Module):
        return None
    raises, mark_import = _raises(proof)
    lines = [ast.unparse(node) for node in setup.body if _is_preparation(node)]
    lines.append(_assertion(proof))
    imports = [*proof.imports, *_used(_imports(setup), lines)]
    if proof.relation == "raises" and not proof.wanted.startswith("builtins:"):
        imports.append(_import_of(proof.wanted))
    imports += ["import asyncio"] if "asyncio.run(" in proof.call else []
    return ContradictionTest(
        said.requirement,
        _slug(said),
        tuple(dict.fromkeys(imports)),
        mark_import,
        raises,
        f"{CONTRADICTS}{said.requirement}: {_difference(said, proof)}",
        _quote(said, requirement),
        "\n".join(lines),
    )


def _used(imports: Iterable[str], lines: Iterable[str]) -> Iterator[str]:
    """Yields the imports of a setup that the test needs; others were made for other examples."""
    words = set(re.findall(r"\w+", "\n".join(lines)))
    for line in imports:
        if any(one.bound in words | {"*"} for one in imports_in(ast.parse(line).body)):
            yield line


def is_contradiction(node: ast.stmt) -> bool:
    """Whether a test carries the mark of a contradiction; its owner is not considered."""
    return isinstance(node, FunctionNode) and any(map(is_mark, node.decorator_list))


def without_mark(source: str) -> str:
    """Returns the function without its mark: an ordinary test."""
    node, lines = ast.parse(textwrap.dedent(source)).body[0], split_lines(source)
    assert isinstance(node, FunctionNode)
    for mark in reversed(list(filter(is_mark, node.decorator_list))):
        del lines[mark.lineno - 1 : mark.end_lineno]
    return "".join(lines)


def identity(requirement: str, body: Iterable[ast.stmt]) -> str:
    """Returns the requirement and the assertion in normal form, without prose and layout."""
    said = [node for node in body if not is_import(node)]
    if said and isinstance(said[0], ast.Expr) and isinstance(said[0].value, ast.Constant):
        said = said[1:]
    return "\n".join([requirement, *map(ast.dump, said)])


def quoted(text: str) -> str:
    """Returns a one-line literal from which `text` cannot break out."""
    return json.dumps(text, ensure_ascii=False) if text.isprintable() else ascii(text)


def one_line(text: str) -> str:
    return " ".join(text.split())


def _docstring(text: str) -> str:
    if not text.isprintable() or "\\" in text or '"""' in text:
        return quoted(text)
    return f'"""{text} """' if text.endswith('"') else f'"""{text}"""'


def is_mark(node: ast.expr) -> bool:
    """Whether a decorator is the xfail mark of a contradiction."""
    if not isinstance(node, ast.Call) or not ast.unparse(node.func).endswith("xfail"):
        return False
    given = {keyword.arg: keyword.value for keyword in node.keywords}
    reason = given.get("reason")
    return isinstance(reason, ast.Constant) and str(reason.value).startswith(CONTRADICTS)


def _raises(proof: Proof) -> tuple[str, str]:
    """Returns the exception that the test raises, and its import if it needs one."""
    if proof.raised:
        name = proof.raised.partition(":")[2]
        return name, "" if proof.raised.startswith("builtins:") else _import_of(proof.raised)
    return UNRAISED if proof.relation == "raises" else "AssertionError", ""


def _import_of(place: str) -> str:
    """Returns the import of a place: ``val.errors:Outer.Error`` -> ``from val.errors import
    Outer``."""
    module, _, name = place.partition(":")
    return f"from {module} import {name.partition('.')[0]}"


def _imports(setup: ast.Module) -> Iterator[str]:
    """Yields the imports of the text itself; names from star imports were resolved one by one."""
    for one in imports_in(setup.body):
        if one.top not in ("", "__future__") and one.name != "*":
            yield one.line


def _is_preparation(node: ast.stmt) -> bool:
    """Whether a statement is neither an import, which goes to the top, nor a value that is only
    shown."""
    if is_import(node):
        return False
    return not isinstance(node, ast.Expr) or any(isinstance(n, ast.Call) for n in ast.walk(node))


def _assertion(proof: Proof) -> str:
    call = ast.parse(proof.call.strip(), mode="eval").body
    if proof.relation == "raises":
        name = proof.wanted.partition(":")[2]
        return f"with pytest.raises({name}):\n    {ast.unparse(call)}"
    test: ast.expr = call
    if proof.relation == "equals":
        expected = ast.parse(proof.expected.strip() or "None", mode="eval").body
        sign = ast.Is() if proof.sign == "is" else ast.Eq()
        test = ast.Compare(call, [sign], [expected])
    return ast.unparse(ast.Assert(test))


def _difference(said: Discrepancy, proof: Proof) -> str:
    actual = said.actual.removeprefix("raises ")
    verb = "raises" if proof.raised else "gives"
    wanted = {"equals": proof.expected, "raises": proof.expected, "holds": "a true value"}
    return f"{_short(said.call)} {verb} {_short(actual)}, not {_short(wanted[proof.relation])}"


def _short(text: str) -> str:
    return shortened(text.partition("# doctest:")[0], SHOWN)


def _quote(said: Discrepancy, requirement: Requirement) -> str:
    """Returns the sentence, or the example, as the requirement has it; otherwise its title."""
    words = one_line(requirement.text)
    told = (said.sentence, f">>> {said.call} {said.expected}", requirement.title)
    return next((line for line in map(one_line, told) if line and line in words), requirement.id)


def _slug(said: Discrepancy) -> str:
    parts = (said.requirement, next(focal_names(said.call), ""))
    slugs = (re.sub(r"\W+", "_", part.lower(), flags=re.ASCII).strip("_") for part in parts)
    return "_".join(slug[:40] for slug in slugs if slug) or "requirement"


def contradiction_tests(suite: Suite) -> dict[str, TestFunction]:
    """Returns the tool's own tests that carry the mark, by node id."""
    return {
        test.node: test
        for test in suite.owned_tests()
        if CONTRADICTS in suite.source(test) and is_contradiction(node_of(suite, test))
    }


def node_of(suite: Suite, test: TestFunction) -> ast.stmt:
    try:
        return parse(suite.source(test)).body[0]
    except (SyntaxError, IndexError):  # a method with lines indented less than its `def`
        return ast.Pass()


def focal_names(call: str) -> Iterator[str]:
    """Yields the names of called functions, without what they are attributes of; the outermost
    first."""
    tree = parsed(call.strip(), "eval")
    for node in ast.walk(tree) if tree is not None else ():
        if isinstance(node, ast.Call):
            yield called(node)
