"""What pytest-lift says of a marked suite against the truth: every difference as a line of text."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from marked.truth import Expected, Row
from marked.wording import RECORDED
from pytest_lift.check.reading import read_file, test_paths
from pytest_lift.project.option_values import read_static_config

NOT_RUN = ("skipped", "error")
"""Of a test with such an outcome, nobody knows whether it came to record its property."""


class Comparison:
    """One suite: its collected tests, what is true of them, and which ids there are."""

    def __init__(self, rows: Sequence[Row], truth: Mapping[str, Expected], known: set[str]) -> None:
        self.rows = rows
        self.truth = {node: one for node, one in truth.items() if one.certain}
        self.known = known
        self.functions: dict[str, list[Row]] = defaultdict(list)
        for row in rows:
            self.functions[row.function].append(row)
        self.uncertain = {row.function for row in rows if not truth[row.node].certain}

    def of_report(self, report: Mapping[str, Any]) -> Iterator[str]:
        """Differences in the trace: tests, ids, standings, links, statuses, unknown ids."""
        tests = {one["node"]: one for one in report["tests"]}
        aside = {node for node, one in tests.items() if one["outcome"] == "not-run"}
        aside -= self.functions.keys()  # pytest's settings leave them out, or their whole file
        tests = {node: one for node, one in tests.items() if node not in aside}
        for node in self.functions.keys() ^ tests.keys():
            yield f"{node}: {'not in the report' if node in self.functions else 'not collected'}"
        links: dict[str, set[str]] = defaultdict(set)
        for node in self.functions.keys() & tests.keys() - self.uncertain:
            said, ids = set(tests[node]["requirements"]), self._ids(node)
            late = self._recorded(node) if tests[node]["outcome"] in NOT_RUN else set()
            if said | late != ids | late:
                yield f"{node}: {sorted(ids)} is reported as {sorted(said)}"
            if len(said) != len(tests[node]["requirements"]):
                yield f"{node}: an id is reported twice"
            if not late and tests[node]["standing"] != self._standing(node):
                yield f"{node}: {self._standing(node)} stands as {tests[node]['standing']}"
            for name in (ids - late) | said:
                links[name].add(node)
        yield from self._of_links(report, links, aside)

    def _of_links(
        self, report: Mapping[str, Any], links: Mapping[str, set[str]], aside: set[str]
    ) -> Iterator[str]:
        found = {one["id"]: one for one in report["requirements"]}
        if found.keys() != self.known:
            yield f"requirements: {found.keys() ^ self.known}"
        named = {name: [link["test"] for link in one["links"]] for name, one in found.items()}
        named |= {name: list(tests) for name, tests in report["unknown"]}
        for name in named.keys() | links.keys():
            said = set(named.get(name, ())) - self.uncertain - aside
            if said != links.get(name, set()) or len(named[name]) != len(set(named[name])):
                yield f"{name}: links {sorted(said ^ links.get(name, set()))}"
            silent = name in found and found[name]["status"] in ("uncovered", "not-run")
            passed = silent and any(o["outcome"] == "passed" for o in found[name]["links"])
            if passed:
                yield f"{name}: without a result, with a passing test"

    def of_junit(self, path: Path, report: Mapping[str, Any]) -> Iterator[str]:
        """Differences in the properties of junit.xml, row by row."""
        found: dict[tuple[str, str], list[ET.Element]] = defaultdict(list)
        for case in ET.parse(path).iter("testcase"):
            found[case.get("classname", ""), case.get("name", "")].append(case)
        for row in self.rows:
            expected, cases = self.truth.get(row.node), found.get(_address(row.node), [])
            if not cases:
                yield f"{row.node}: not in junit.xml"
            if expected is None or len(cases) != 1:  # of two with one name, nobody can tell
                continue
            for case in cases:
                said = [(one.get("name"), one.get("value")) for one in case.iter("property")]
                marked = [i for name, text in said if name == "requirement" for i in _ids_in(text)]
                recorded = {i for name, text in said if name == RECORDED for i in _ids_in(text)}
                if sorted(marked) != sorted(expected.marked):
                    yield f"{row.node}: junit.xml has {marked}, not {sorted(expected.marked)}"
                ran = case.find("skipped") is None and case.find("error") is None
                if recorded != expected.recorded and ran:
                    yield f"{row.node}: junit.xml recorded {recorded}, not {expected.recorded}"

    def of_static(self, root: Path, environ: Mapping[str, str]) -> Iterator[str]:
        """Differences between the links as the files are read and the truth."""
        config = read_static_config(root, environ=environ)
        said: dict[str, set[str]] = {}
        for path in test_paths(config):
            file = read_file(config, path)
            if file.broken:
                yield f"{path}: {file.broken.what}"
            said |= {test.node: set(test.requirements) for test in (*file.tests, *file.mixins)}
        for node in self.functions.keys() - self.uncertain:
            if not any(self.truth[row.node].stands_here for row in self.functions[node]):
                continue
            if node not in said:
                yield f"{node}: not read statically"
            elif said[node] != self._ids(node):
                yield f"{node}: {sorted(self._ids(node))} is read as {sorted(said[node])}"

    def of_check(
        self,
        data: Mapping[str, Any],
        written: Mapping[str, tuple[str, int, int]],
        report: Mapping[str, Any],
    ) -> Iterator[str]:
        """Differences between the unknown ids of `pytest-lift check` and those written; a test
        that never runs was skipped in the session of `report`, too."""
        skipped = {one["node"] for one in report["tests"] if one["outcome"] == "skipped"}
        needed = {name for one in self.truth.values() for name in one.marked | one.recorded}
        needed -= self.known
        said: dict[str, list[tuple[str, int, int]]] = defaultdict(list)
        for one in data["problems"]:
            if one["rule"] == "unknown-id":
                said[one["requirement"]].append((one["file"], one["line"], one["column"]))
            elif one["rule"] == "always-skipped" and one["test"] in skipped:
                continue
            elif one["rule"] not in ("uncovered", "duplicate-id"):
                yield f"check: {one['file']}:{one['line']} {one['rule']}: {one['what']}"
        for name in needed - said.keys():
            yield f"check: {name} is not found at {written.get(name)}"
        for name, places in said.items():
            if places != [written.get(name)]:
                yield f"check: {name} at {written.get(name)} is found at {places}"
        yield from self._of_uncovered(data)

    def _of_uncovered(self, data: Mapping[str, Any]) -> Iterator[str]:
        named = {name for one in self.truth.values() for name in one.marked | one.recorded}
        untested = {o["requirement"] for o in data["problems"] if o["rule"] == "uncovered"}
        for name in untested & named:
            yield f"check: {name} is said to be uncovered"

    def _ids(self, node: str) -> set[str]:
        found: set[str] = set()
        for row in self.functions[node]:
            found |= self.truth[row.node].marked | self.truth[row.node].recorded
        return found

    def _recorded(self, node: str) -> set[str]:
        rows = self.functions[node]
        marked = {name for row in rows for name in self.truth[row.node].marked}
        return {name for row in rows for name in self.truth[row.node].recorded} - marked

    def _standing(self, node: str) -> str:
        ids = self._ids(node)
        if ids:
            return "linked" if ids & self.known else "unknown-id"
        emergent = any(self.truth[row.node].emergent for row in self.functions[node])
        return "emergent" if emergent else "unlinked"


def places_of(texts: Mapping[str, str], names: Sequence[str]) -> dict[str, tuple[str, int, int]]:
    """Where the one literal with each name stands: file, line and column from 1."""
    found = {}
    for path, text in texts.items():
        for number, line in enumerate(text.split("\n"), 1):
            for match in re.finditer(r"""["'](UNK-\d+\.)["']""", line):
                found[match[1]] = (path, number, match.start() + 1)
    return {name: found[name] for name in names if name in found}


def read_json(path: Path) -> Any:
    return json.loads(path.read_text("utf-8"))


def _ids_in(text: str | None) -> list[str]:
    return (text or "").split(", ")


def _address(node: str) -> tuple[str, str]:
    """Class name and name in junit.xml, as pytest makes them."""
    path, bracket, rest = node.partition("[")
    names = path.split("::")
    names[0] = re.sub(r"\.py$", "", names[0].replace("/", "."))
    name = re.sub(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f]", _hidden, bracket + rest)
    return ".".join(names[:-1]), names[-1] + name


def _hidden(match: re.Match[str]) -> str:
    return f"#x{ord(match[0]):02X}"
