"""needs.json says what the report says, in fields and markup that any sphinx-needs project takes."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from report_of import big, hostile, small

from pytest_lift.report.facts import Difference, Report, RequirementFacts, TestFacts, Verdict
from pytest_lift.report.needs import id_of_test, needs_json
from pytest_lift.text import printable

CORE = {"id", "type", "title", "status", "tags", "links", "content", "doctype"}
"""Fields that sphinx-needs knows without configuration."""
DEFAULT_ID = re.compile(r"^[A-Z0-9_]{5,}$")


def needs(report: Report) -> dict[str, dict[str, Any]]:
    document = json.loads(json.dumps(needs_json(report)))
    (version,) = document["versions"].values()
    assert version["needs_amount"] == len(version["needs"])
    found: dict[str, dict[str, Any]] = version["needs"]
    return found


def report(
    requirements: list[RequirementFacts] | None = None, tests: list[TestFacts] | None = None
) -> Report:
    return Report(
        project="p",
        made="2026-03-02T14:05:00+01:00",
        tool="pytest-lift 0.1.0",
        verdict=Verdict("good", "fine"),
        requirements=tuple(requirements or ()),
        tests=tuple(tests or ()),
    )


def requirement(identity: str = "REQ-1", **fields: Any) -> RequirementFacts:
    given = {"title": "t", "description": "d", "acceptance": ("a",), "status": "verified"}
    return RequirementFacts(id=identity, **{**given, **fields})


def content(text: str) -> str:
    found: str = needs(report([requirement(description=text, acceptance=())]))["REQ-1"]["content"]
    return found


def test_the_envelope_is_that_of_sphinx_needs() -> None:
    document = needs_json(small())
    assert document["created"] == "2026-03-02T14:05:00+01:00"
    assert document["project"] == "shop"
    version = document["versions"][document["current_version"]]
    assert version["creator"] == {"program": "pytest-lift", "version": "0.1.0"}
    assert set(document) == {"created", "current_version", "project", "versions"}


def test_every_requirement_and_test_is_a_need_and_links_are_those_of_the_tests() -> None:
    facts = small()
    found = needs(facts)
    assert {need["id"] for need in found.values() if need["type"] == "req"} == {
        one.id for one in facts.requirements
    }
    known = {one.id for one in facts.requirements}
    tests = {need["title"]: need for need in found.values() if need["type"] == "test"}
    assert set(tests) == {printable.line(test.node) for test in facts.tests}
    for test in facts.tests:
        need = tests[printable.line(test.node)]
        assert need["status"] == test.outcome
        assert need["links"] == [one for one in test.requirements if one in known]
        assert ("generated" in need["tags"]) == test.generated
    assert any(need["links"] for need in tests.values())
    assert {one.id: one.status for one in facts.requirements}.items() <= {
        need["id"]: need["status"] for need in found.values()
    }.items()


def test_a_need_has_only_fields_that_need_no_configuration() -> None:
    for need in [*needs(small()).values(), *needs(hostile()).values()]:
        assert set(need) == CORE


def test_content_tells_the_rest() -> None:
    (need,) = needs(
        report(
            [
                requirement(
                    description="It doubles.\n\nAlso\ntwice.",
                    acceptance=("one\ntwo", "three"),
                    scenario="Somebody doubles",
                    examples=(">>> f(2)\n4",),
                    reason="until June",
                    differences=(
                        Difference("f(3)", "6", "7"),
                        Difference("g", "", "boom", broken=True),
                    ),
                    level="unit",
                    scope=("a", "b"),
                    file="r.yml",
                    line=3,
                )
            ]
        )
    ).values()
    assert (
        need["content"]
        == """\
It doubles.

| Also
| twice.

**Acceptance:**

* one two
* three

**Scenario:** Somebody doubles

**Example:**

::

   >>> f(2)
   4

**Exempt:** until June

**Differences:**

* f(3) gives 7, not 6
* g cannot run: boom

**Level:** unit

**Scope:** a / b

**Source:** r.yml:3"""
    )


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("`f` *x* **y** |z| w_ \\", r"\ \`f\` \*x\* \*\*y\*\* \|z\| w\_ \\"),
        ("- item", r"\ - item"),
        ("1. item", r"\ 1. item"),
        ("(a) item", r"\ (a) item"),
        ("a) item", r"\ a) item"),
        (".. raw:: html", r"\ .. raw:: html"),
        (">>> f()", r"\ >>> f()"),
        ("=====", r"\ ====="),
        ("ends::", r"ends:\:"),
        ("Title\n=====", "| Title\n| ====="),
        ("a\x1b[31m\x0cb", r"a\\x1b[31m\\x0cb"),
    ],
)
def test_what_looks_like_markup_is_text(text: str, written: str) -> None:
    assert content(text).split("\n\n")[0] == written


def test_functions_of_sphinx_needs_are_not_called() -> None:
    title = "[[copy('id')]] <<a:b>>"
    (need,) = needs(report([requirement(title=title, tags=(title,))])).values()
    for text in (need["title"], *need["tags"]):
        assert "[[" not in text
        assert "<<" not in text
        assert text.replace("\N{ZERO WIDTH SPACE}", "") == title


def test_hostile_texts_stay_on_their_lines() -> None:
    for need in needs(hostile()).values():
        assert need["title"].isprintable() or "\N{ZERO WIDTH SPACE}" in need["title"]
        assert all(line.isprintable() for line in need["content"].split("\n"))


def test_secrets_are_left_out() -> None:
    key = "ghp_" + "a1B2c3D4" * 5
    assert key not in json.dumps(needs_json(report([requirement(title=key, description=key)])))


def test_ids_of_tests_are_stable_and_fit_the_default_pattern() -> None:
    node = "tests/test_a.py::test_b"
    assert id_of_test(node) == id_of_test(node) == "TEST_DF9B21A761AF"
    assert DEFAULT_ID.match(id_of_test(node))
    facts = big(requirements=10, tests=5000)
    assert len({id_of_test(test.node) for test in facts.tests}) == len(facts.tests)
    assert id_of_test("lone \ud800")


@pytest.mark.parametrize(
    ("ids", "written"),
    [
        (["REQ-1", "a/b:c", "\xe9"], ["REQ-1", "a/b:c", "\xe9"]),
        (["SRS-1.2"], ["SRS-1_2"]),
        (["A[1]"], ["A_1_"]),
    ],
)
def test_ids_that_no_link_could_name_are_written_plainer(
    ids: list[str], written: list[str]
) -> None:
    tests = [TestFacts("t.py::t", "passed", "linked", tuple(ids))]
    found = needs(report([requirement(one) for one in ids], tests))
    assert list(found) == [*written, id_of_test("t.py::t")]
    assert found[id_of_test("t.py::t")]["links"] == written
    for raw, need in zip(ids, written, strict=True):
        said = f"**Id:** {raw}".replace("_", r"\_")
        assert (said in found[need]["content"]) == (raw != need)


@given(st.lists(st.text("A1._[]", min_size=1, max_size=4), min_size=1, max_size=8, unique=True))
def test_different_ids_are_different_needs(ids: list[str]) -> None:
    found = needs(report([requirement(one) for one in ids]))
    assert len(found) == len(ids)
    assert not any(set(need) & set(".[]") for need in found)


def test_ids_that_no_file_knows_are_no_links() -> None:
    tests = [TestFacts("t.py::t", "passed", "linked", ("REQ-1", "GONE-1", "REQ-1"))]
    assert needs(report([requirement()], tests))[id_of_test("t.py::t")]["links"] == ["REQ-1"]
