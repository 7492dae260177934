"""The published schemas say of a file what the loader says of it."""

from __future__ import annotations

import json
import re
import tempfile
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from pytest_lift.commands.schema import schema_text
from pytest_lift.errors import UsageError
from pytest_lift.requirements.reader import load

jsonschema = pytest.importorskip("jsonschema")

ROOT = Path(__file__).resolve().parents[1]
SCHEMA = json.loads(schema_text("requirements"))
VALIDATOR = jsonschema.Draft202012Validator(
    SCHEMA, format_checker=jsonschema.Draft202012Validator.FORMAT_CHECKER
)
BODY = "title: t, description: d, acceptance: a"
NOT_SAID = re.compile(r"no requirement in this file|exists twice|cannot be printed")
"""What the schema cannot say."""
quick = settings(deadline=None, suppress_health_check=list(HealthCheck))


def problems(document: Any) -> str:
    """What the loader says of the document; empty where it has nothing against it."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "r.yml")
        path.write_text(json.dumps(document), "utf-8")
        try:
            load([path])
        except UsageError as error:
            return str(error)
    return ""


def test_the_schema_is_a_schema() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.parametrize("path", sorted((ROOT / "examples").rglob("*.yml")), ids=str)
def test_the_examples_are_valid(path: Path) -> None:
    for document in yaml.load_all(path.read_text("utf-8"), Loader=yaml.BaseLoader):
        assert not list(VALIDATOR.iter_errors(document))


@pytest.mark.parametrize(
    "text",
    [
        f"- {{id: A, {BODY}}}",
        f"s: {{t: [{{id: A, {BODY}, level: unit, tags: [], scenario: null}}]}}",
        f"s: {{title: S, description: d, requirements: [{{id: A, {BODY}}}]}}",
        f"{{version: 1, authors: [a, b], s: {{id: 1.10, {BODY}}}}}",
        f"{{non_goals: null, s: [{{id: A, {BODY}, waived: false}}]}}",
        f"- {{id: A, {BODY}, waived: {{reason: r, date: 2026-01-31, until: '2099-12-31'}}}}",
        f"- {{id: A, {BODY}, zzz: [1, {{a: b}}], sub: {{id: B, {BODY}}}}}",
        f"- {{id: S, title: t, description: d, parts: [{{id: A, {BODY}}}]}}",
        "non_goals: [{id: A, title: t}, {id: B, description: d, acceptance: []}, a gui]",
        f"s: {{Non Goals: a gui, non-goals: {{x: y}}, t: {{id: A, {BODY}}}}}",
        f"s: {{title: t, description: d, non_goals: [x], r: [{{id: A, {BODY}}}]}}",
        f"- {{non_goals: [{{title: t, description: d}}], r: {{id: A, {BODY}}}}}",
        "- {id: A, title: t, non_goal: never}",
    ],
)
def test_what_loads_is_valid(text: str, tmp_path: Path) -> None:
    (tmp_path / "r.yml").write_text(text)
    assert load([tmp_path / "r.yml"])
    document = json.loads(json.dumps(yaml.safe_load(text), default=str))
    assert not list(VALIDATOR.iter_errors(document))


@pytest.mark.parametrize(
    "text",
    [
        "just text",
        f"[{{id: A, {BODY}}}, text]",
        "non_goals: [{id: A}]",
        "non_goals: [{id: A, title: ' '}]",
        "- {id: A, title: t, description: d, non_goal: 'no'}",
        f"- {{id: S b, parts: [{{id: A, {BODY}}}]}}",
        "- {title: t, acceptance: a}",
        "- {title: t, description: d}",
        "- {ID: A, title: t, description: d}",
        f"- {{id: A, {BODY}, sub: {{title: t, acceptance: a}}}}",
        f"- {{id: A b, {BODY}}}",
        f"- {{id: {'x' * 201}, {BODY}}}",
        f"- {{id: '', {BODY}}}",
        f"- {{id: ~, {BODY}}}",
        f"- {{id: [A], {BODY}}}",
        "- {id: A, description: d, acceptance: a}",
        "- {id: A, title: t, acceptance: a}",
        "- {id: A, title: t, description: d}",
        "- {id: A, title: t, description: d, Acceptence: a}",
        "- {id: A, title: ' ', description: d, acceptance: a}",
        "- {id: A, title: t, description: d, acceptance: []}",
        "- {id: A, title: t, description: d, acceptance: [a, '']}",
        "- {id: A, title: {a: b}, description: d, acceptance: a}",
        "- {id: A, title: t, description: d, acceptance: [a: b]}",
        f"- {{id: A, {BODY}, scenario: [x]}}",
        f"- {{id: A, {BODY}, scenario: ''}}",
        f"- {{id: A, {BODY}, level: Unit}}",
        f"- {{id: A, {BODY}, waived: true}}",
        f"- {{id: A, {BODY}, untestable: 'Yes'}}",
        f"- {{id: A, {BODY}, non_goal: ' '}}",
        f"- {{id: A, {BODY}, waived: {{date: 2026-01-01}}}}",
        f"- {{id: A, {BODY}, waived: {{reason: r, until: soon}}}}",
        f"- {{id: A, {BODY}, waived: {{reason: r, until: 2026-02-30}}}}",
    ],
)
def test_a_mistake_is_refused_by_both(text: str, tmp_path: Path) -> None:
    (tmp_path / "r.yml").write_text(text)
    with pytest.raises(UsageError):
        load([tmp_path / "r.yml"])
    document = json.loads(json.dumps(yaml.load(text, Loader=Untyped), default=str))
    assert list(VALIDATOR.iter_errors(document))


class Untyped(yaml.SafeLoader):
    """YAML 1.2's types as an editor reads them: a date is text, even where there is no such day."""


Untyped.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in pairs if not tag.endswith("timestamp")]
    for first, pairs in yaml.SafeLoader.yaml_implicit_resolvers.items()
}


SCALARS = st.sampled_from(["a", "b c", "", " ", None, True, False, 1, 1.5, "yes", "unit", "null"])
DATES = st.dates().map(str) | st.just("soon") | st.none()
WAIVERS = st.dictionaries(st.sampled_from(["reason", "date", "until", "x"]), SCALARS | DATES)
GOOD = st.fixed_dictionaries(
    {name: st.just("t") for name in ("title", "description", "acceptance")}
    | {"id": st.integers(0, 99).map("R-{}".format)},
    optional={
        "level": st.sampled_from(["unit", "system", None, "x"]),
        "examples": SCALARS | st.lists(SCALARS, max_size=2),
        "tags": SCALARS | st.lists(SCALARS, max_size=2),
        "scenario": SCALARS,
        "non_goal": SCALARS,
        "untestable": SCALARS,
        "waived": SCALARS | WAIVERS,
    },
)
KEYS = st.sampled_from(
    ["title", "description", "acceptance", "id", "level", "s", "t", "non_goals", "Non Goals"]
)
PLAIN = st.builds(
    lambda n: {"id": f"Q-{n}", "title": 1, "description": "d", "acceptance": ["a"]},
    st.integers(0, 99),
)
DOCUMENTS = st.recursive(
    PLAIN | GOOD | SCALARS,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(KEYS, inner, max_size=4)
        | st.builds(lambda item, key, more: {**item, key: more}, GOOD, KEYS, inner)
    ),
    max_leaves=8,
)


@quick
@given(DOCUMENTS)
def test_the_schema_and_the_loader_agree(document: Any) -> None:
    said = problems(document)
    assume(not NOT_SAID.search(said))
    errors = [error.message for error in VALIDATOR.iter_errors(document)]
    assert bool(errors) == bool(said), (said, errors)
