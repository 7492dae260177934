"""Requirement files load as they were written, and every complaint names its place."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from lift_document import BODY, LIFT_DOCUMENT, complaint, load

from pytest_lift.errors import UsageError
from pytest_lift.requirements import reader
from pytest_lift.requirements.requirement import Requirement


@pytest.fixture(autouse=True)
def in_tmp_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def item(text: str) -> Requirement:
    """The one requirement that has `text` (flow style) beside the required fields."""
    (found,) = load(f"- {{id: A, {BODY}, {text}}}")
    return found


# What loads


def test_a_lift_document_loads_unchanged() -> None:
    first, second = load(LIFT_DOCUMENT)
    assert first == Requirement(
        id="SCOPE-1",
        title="Scope of the program",
        description="The program must do XYZ",
        acceptance=("The behavior can be observed in this way",),
        scope=("test_requirements", "scope_and_environment"),
        file="reqs.yml",
        line=3,
    )
    assert (second.id, second.line) == ("SCOPE-2", 7)


def test_every_field_arrives() -> None:
    (found,) = load("""\
        - id: A
          title: t
          description: |
            first line
              indented
          acceptance: [one, two]
          level: integration
          examples:
            - |
              >>> 1 + 1
              2
          tags: [x, 1.50]
          scenario: Somebody does it
          untestable: needs a printer
          waived: until June
          non_goal: not ours
        """)
    assert found.description == "first line\n  indented"
    assert found.acceptance == ("one", "two")
    assert found.level == "integration"
    assert found.examples == (">>> 1 + 1\n2",)
    assert found.tags == ("x", "1.50")
    assert found.scenario == "Somebody does it"
    reasons = (found.untestable, found.waived, found.non_goal)
    assert reasons == ("needs a printer", "until June", "not ours")


@pytest.mark.parametrize("raw", ["1.10", "010", "NO", "1e3", "0x1F", "2024-01-01", "true", "1_000"])
def test_scalars_stay_as_they_were_written(raw: str) -> None:
    (found,) = load(f"- id: {raw}\n  title: {raw}\n  description: {raw}\n  acceptance: [{raw}]")
    assert (found.id, found.title, found.description) == (raw, raw, raw)
    assert found.acceptance == (raw,)


def test_null_is_absent_in_an_optional_field_only_unless_quoted() -> None:
    found = item("level: null, scenario: ~, waived: null, tags: [], non_goal: 'null'")
    assert (found.level, found.scenario, found.waived, found.tags) == (None, None, None, ())
    assert found.non_goal == "null"
    problem = complaint("- {id: A, title: null, description: d, acceptance: a}")
    assert problem.what == "title of requirement 'A' is empty"


def test_scopes_nest_as_mappings_and_as_lists() -> None:
    loaded = load(f"""\
        version: 1
        authors: [a, b]
        project: {{name: x}}
        one:
          two:
            three: {{id: A, {BODY}}}
        list:
          - four:
              - {{id: B, {BODY}}}
          - - {{id: C, {BODY}}}
        """)
    scopes = {found.id: found.scope for found in loaded}
    assert scopes == {"A": ("one", "two", "three"), "B": ("list", "four"), "C": ("list",)}
    assert not loaded.warnings


def test_a_scope_may_have_a_title_and_a_description() -> None:
    text = f"encoding: {{title: E, description: d, requirements: [{{id: A, {BODY}}}]}}"
    (found,) = load(text)
    assert found.scope == ("encoding", "requirements")


def test_items_inside_an_item_are_below_its_id() -> None:
    loaded = load(f"s: [{{id: A, {BODY}, details: [{{id: B, {BODY}}}]}}]")
    assert [found.scope for found in loaded] == [("s",), ("s", "A", "details")]
    assert not loaded.warnings


@pytest.mark.parametrize("name", ["non_goals", "non-goals", "Non Goals"])
def test_non_goals_mark_their_items_at_any_depth(name: str) -> None:
    first, second, third = load(f"""\
        s:
          {name}:
            - {{id: A, {BODY}}}
            - {{id: B, {BODY}, non_goal: never}}
        other: {{id: C, {BODY}}}
        """)
    assert first.non_goal == "listed under non_goals"
    assert second.non_goal == "never"
    assert third.exempt is None


NON_GOALS = """\
test_requirements:
  title: What the program does
  description: In three fields.
  scope_and_environment:
    - id: SCOPE-1
      title: Pure Python
      description: It works without the extension.
      acceptance: All documented behaviour is there.
    - deeper:
        still_deeper:
          - {id: DEEP-1, title: t, description: d, acceptance: [a, b]}
  behavioral_field_1:
    ...
  non_goals:
    - id: NG-1
      title: No streaming
      description: Files are read as a whole.
    - id: NG-2
      title: No comments
    - a graphical interface
    - title: Speed
      description: Nobody measures it.
    - id: NG-3
      description: Comments are not kept.
      acceptance: A comment is an error.
"""


def test_a_lift_document_with_non_goals_loads() -> None:
    loaded = load(NON_GOALS)
    assert [item.id for item in loaded] == ["SCOPE-1", "DEEP-1", "NG-1", "NG-2", "NG-3"]
    assert [item.id for item in loaded.testable] == ["SCOPE-1", "DEEP-1"]
    assert loaded.by_id["DEEP-1"].scope[-2:] == ("deeper", "still_deeper")
    first, second, third = (loaded.by_id[f"NG-{n}"] for n in (1, 2, 3))
    assert (first.title, first.acceptance) == ("No streaming", ())
    assert (second.title, second.description) == ("No comments", "No comments")
    assert (third.title, third.acceptance) == (third.description, ("A comment is an error.",))
    assert {item.non_goal for item in (first, second, third)} == {"listed under non_goals"}
    assert not loaded.warnings


def test_non_goals_in_words_alone() -> None:
    for text in ("non_goals: a gui", "non_goals: [a gui]", "non-goals: {ui: a gui}"):
        assert len(load(text)) == 0
    assert len(load(f"s: {{title: t, description: d, non_goals: [x], r: {{id: A, {BODY}}}}}")) == 1
    assert complaint("non_goals: ''").what == "no requirement in this file"


def test_a_non_goal_by_its_own_word_needs_no_acceptance() -> None:
    (found,) = load("- {id: A, title: t, non_goal: never}")
    assert (found.description, found.acceptance, found.non_goal) == ("t", (), "never")


def test_a_scope_may_have_an_id() -> None:
    (found,) = loaded = load(f"- {{id: S, title: t, description: d, parts: [{{id: A, {BODY}}}]}}")
    assert (found.id, found.scope) == ("A", ("S", "parts"))
    (warning,) = loaded.warnings
    assert warning.startswith("reqs.yml:1:3: 'S' has no acceptance")
    text = f"- {{id: S, title: t, description: d, Acceptence: x, parts: [{{id: A, {BODY}}}]}}"
    assert "rename 'Acceptence' to 'acceptance'" in complaint(text).todo
    twice = f"- {{id: A, title: t, description: d, parts: [{{id: A, {BODY}}}]}}"
    assert "id 'A' exists twice, also at" in complaint(twice).what


def test_false_and_null_exempt_nothing() -> None:
    assert item("waived: false").exempt is None
    assert load(f"{{non_goals: null, s: {{id: A, {BODY}}}}}").testable


def test_several_files_and_documents_are_one_list() -> None:
    Path("a.yml").write_text(f"---\n- {{id: A, {BODY}}}\n---\ns: [{{id: B, {BODY}}}]\n---\n")
    Path("b.yml").write_text(f"\ufeff- {{id: C, {BODY}}}\n")
    loaded = reader.load([Path("a.yml"), Path("b.yml"), Path("./a.yml")])
    assert [(found.id, found.file) for found in loaded] == [
        ("A", "a.yml"),
        ("B", "a.yml"),
        ("C", "b.yml"),
    ]
    assert loaded.by_id["B"].line == 4
    assert not reader.load([])


def test_an_absolute_path_below_the_working_directory_is_shown_short(tmp_path: Path) -> None:
    load(f"- {{id: A, {BODY}}}", "short.yml")
    (found,) = reader.load([tmp_path / "short.yml"])
    assert found.file == "short.yml"


def test_aliases_and_merge_keys_are_followed() -> None:
    first, second = load("""\
        defaults: &defaults {level: unit, tags: &tags [x]}
        other: &other {level: system, scenario: s}
        items:
          - &first
            <<: [*defaults, *other]
            id: A
            title: t
            description: d
            acceptance: a
          - {<<: *first, id: B, title: own, examples: *tags}
        """)
    assert (first.level, first.tags, first.scenario) == ("unit", ("x",), "s")
    assert (second.title, second.description, second.examples) == ("own", "d", ("x",))


def test_look_ups_know_ids_and_everything_the_author_wrote() -> None:
    loaded = load("- {id: A, title: t, description: d, acceptance: [a, b], examples: e}")
    assert "A" in loaded
    assert "B" not in loaded
    assert loaded.by_id["A"].text == "t\nd\na\nb\ne"


# What is warned about


def test_an_unknown_key_is_a_warning_with_a_suggestion() -> None:
    loaded = load(
        f"- {{id: A, {BODY}}}\n- id: B\n  senario: x\n  zzz: [1, {{a: b}}]\n  <<: &b {{{BODY}}}\n"
    )
    assert loaded.warnings == (
        "reqs.yml:3:3: unknown key 'senario' in requirement 'B'; did you mean 'scenario'?",
        "reqs.yml:4:3: unknown key 'zzz' in requirement 'B'",
    )


# What is refused


@pytest.mark.parametrize(
    ("text", "where", "what"),
    [
        ("s: [", "2:1", "not valid YAML"),
        ("s:\n  a: b: c\n", "2:7", "not valid YAML"),
        ("s:\n  - x\n- y\n", "3:1", "not valid YAML"),
        ("s: 'x\n\n", "3:1", "(it began at 1:4)"),
        (b"s: a\x07", "1:5", "control character U+0007"),
        (b"ok: \xc3\xa4\nn\xc3\xa4: \xff\n", "2:5", "not UTF-8: byte 0xff at offset 12"),
        ("s: 1".encode("utf-16"), "1:1", "not UTF-8: byte 0xff at offset 0"),
        ("", "1:1", "no requirement in this file"),
        ("---\n", "1:1", "no requirement in this file"),
        ("version: 1\ns: {t: []}\n", "1:1", "no requirement in this file"),
        ("just text", "1:1", "text where scopes or requirements are expected"),
        ("s: &a [*a]", "1:8", "alias *a contains itself"),
        ("s: &a {<<: *a}", "1:12", "alias *a contains itself"),
        ("s: *a", "1:4", "alias *a has no anchor before it"),
        ("<<: x", "1:5", "<< must name a mapping"),
        ("? [x]\n: y\n", "1:3", "a key must be text"),
        ("s: {k: 1,\n  k: 2}", "2:3", "key 'k' exists twice, also at reqs.yml:1:5"),
        (f"- {{id: A, {BODY}}}\n- text\n", "2:3", "text where a requirement is expected"),
        ("non_goals: [{id: A}]", "1:13", "requirement 'A' has no title"),
        ("non_goals: [{id: A, title: ''}]", "1:28", "title of requirement 'A' is empty"),
        ("s: {id: A, title: t, description: d, non_goal: no, level: unit}", "1:4", "no acceptance"),
        ("- {title: t, acceptance: a}", "1:3", "requirement without id"),
        ("- {title: t, description: d}", "1:3", "requirement without id"),
        (f"- {{id: A, {BODY}, sub: {{title: t, acceptance: a}}}}", "1:57", "without id"),
        (f"- {{id: A b, {BODY}}}", "1:8", "id 'A b' has white space in it"),
        (f'- {{id: "A\\u00a0", {BODY}}}', "1:8", "has white space in it"),
        (f'- {{id: "A\\u200b", {BODY}}}', "1:8", "has characters that cannot be printed"),
        (f"- {{id: {'x' * 201}, {BODY}}}", "1:8", "is longer than 200 characters"),
        (f"- {{id: '', {BODY}}}", "1:8", "id of requirement is empty"),
        (f"- {{id: ~, {BODY}}}", "1:8", "id of requirement is empty"),
        (f"- {{id: [A], {BODY}}}", "1:8", "id of requirement must be text, not a list"),
        ("- {id: A, description: d, acceptance: a}", "1:3", "requirement 'A' has no title"),
        ("- {id: A, title: t, acceptance: a}", "1:3", "requirement 'A' has no description"),
        ("- {id: A, title: t, description: d}", "1:3", "requirement 'A' has no acceptance"),
        ("- {id: A, title: ' ', description: d, acceptance: a}", "1:18", "title of requirement"),
        ("- {id: A, title: t, description: d, acceptance: []}", "1:49", "acceptance of require"),
        ("- {id: A, title: t, description: d, acceptance: [a, '']}", "1:53", "is empty"),
        ("- {id: A, title: {a: b}, description: d, acceptance: a}", "1:18", "not a mapping"),
        ("- {id: A, title: t, description: d, acceptance: [a: b]}", "1:50", "not a mapping"),
        ("- {id: A, title: t, description: d, acceptance: {a: b}}", "1:49", "not a mapping"),
        (f"- {{id: A, {BODY}, scenario: [x]}}", "1:62", "must be text, not a list"),
        (f"- {{id: A, {BODY}, scenario: ''}}", "1:62", "scenario of requirement 'A' is empty"),
        (f"- {{id: A, {BODY}, level: Unti}}", "1:59", "unknown level 'Unti' of requirement 'A'"),
    ],
)
def test_a_broken_file_is_refused_at_its_place(text: str | bytes, where: str, what: str) -> None:
    problem = complaint(text)
    assert problem.where == f"reqs.yml:{where}"
    assert what in problem.what


@pytest.mark.parametrize(
    ("text", "todo"),
    [
        ("s:\n\ta: 1\n", "indent with spaces"),
        ("s:\n  - x\n\t- y\n", "indent with spaces"),
        ("s: a: b", "put quotes around"),
        ("- {id: A, title: t, description: d, Acceptence: a}", "'Acceptence' to 'acceptance'"),
        ("- {ID: A, title: t, description: d}", "rename 'ID' to 'id'"),
        (f"- {{id: A, {BODY}, level: Unit}}", "did you mean 'unit'?"),
        (f"- {{id: A, {BODY}, level: zzz}}", "use one of unit, integration, system"),
    ],
)
def test_a_complaint_says_what_to_do(text: str, todo: str) -> None:
    assert todo in complaint(text).todo


@pytest.mark.parametrize("name", ["non_goal", "untestable", "waived"])
@pytest.mark.parametrize("value", ["true", "yes", "", '" "'])
def test_an_exemption_needs_a_reason(name: str, value: str) -> None:
    problem = complaint(f"- id: A\n  <<: {{{BODY}}}\n  {name}: {value}\n")
    assert problem.where.startswith("reqs.yml:3:")
    assert problem.todo == f"give a reason: '{name}: because ...'"


def test_a_repeated_id_names_both_places_across_files() -> None:
    Path("a.yml").write_text(f"s:\n  - {{id: A, {BODY}}}\n")
    Path("b.yml").write_text(f"- {{id: A, {BODY}}}\n")
    with pytest.raises(UsageError) as caught:
        reader.load([Path("a.yml"), Path("b.yml")])
    assert str(caught.value).startswith("b.yml:1:3: id 'A' exists twice, also at a.yml:2:5\n  -> ")


def test_all_problems_of_all_files_come_at_once_in_the_order_of_the_files() -> None:
    Path("a.yml").write_text("- {id: A, title: t}\n- text\n")
    Path("b.yml").write_text("s: [")
    with pytest.raises(UsageError) as caught:
        reader.load([Path("a.yml"), Path("none.yml"), Path("b.yml")])
    assert caught.value.where == "a.yml:1:3"
    places = [line.split()[0] for line in caught.value.what.splitlines()[1::2]]
    assert places == ["a.yml:1:3:", "a.yml:1:3:", "a.yml:2:3:", "none.yml:", "b.yml:2:1:"]
    assert caught.value.what.startswith("5 problems in the requirement files\n")


def test_many_problems_are_cut_at_twenty() -> None:
    problem = complaint(f"- {{id: A, {BODY}}}\n" + "- text\n" * 27)
    assert problem.what.startswith("27 problems")
    assert problem.what.count("text where a requirement is expected") == 20
    assert problem.what.endswith("\n  and 7 more")


def test_what_is_no_readable_file_is_refused(tmp_path: Path) -> None:
    for path, what in [
        (Path("none.yml"), "requirement file not found"),
        (tmp_path / "folder", "a directory, not a requirement file"),
        (Path("a\0b"), "requirement file cannot be read"),
        (tmp_path / "loop", "requirement file cannot be read"),
    ]:
        (tmp_path / "folder").mkdir(exist_ok=True)
        if not (tmp_path / "loop").is_symlink():
            (tmp_path / "loop").symlink_to("loop")
        with pytest.raises(UsageError, match=what) as caught:
            reader.load([path])
        assert caught.value.todo
        assert not caught.value.where.startswith(str(tmp_path))


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root may read everything")
def test_an_unreadable_file_is_refused() -> None:
    Path("reqs.yml").touch(mode=0o000)
    with pytest.raises(UsageError, match="Permission denied"):
        reader.load([Path("reqs.yml")])


# What could go on for ever


# Properties

# PyYAML's emitter itself loses the line breaks that only YAML 1.1 knows.
CHARACTERS = st.characters(exclude_categories=["Cs"], exclude_characters="\x85\u2028\u2029")
TEXTS = st.text(CHARACTERS, min_size=1, max_size=30).map(str.strip).filter(bool)
IDS = st.text(CHARACTERS, min_size=1, max_size=12).filter(
    lambda text: text.isprintable() and not any(map(str.isspace, text))
)
REASONS = TEXTS.filter(lambda text: text.lower() not in ("true", "yes", "on", "false", "no", "off"))
NAMES = TEXTS.filter(lambda text: text != "id" and not text.lower().startswith("non"))
LISTS = st.lists(TEXTS, min_size=1, max_size=3)
ITEMS = st.fixed_dictionaries(
    {"id": IDS, "title": TEXTS, "description": TEXTS, "acceptance": LISTS},
    optional={
        "level": st.sampled_from(["unit", "integration", "system"]),
        "examples": LISTS,
        "tags": LISTS,
        "scenario": TEXTS,
        "non_goal": REASONS,
        "untestable": REASONS,
        "waived": REASONS,
    },
)
SCOPED = st.lists(
    st.tuples(st.lists(NAMES, min_size=1, max_size=4).map(tuple), ITEMS),
    min_size=1,
    max_size=6,
    unique_by=lambda pair: pair[1]["id"],
)
quick = settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))


def tree(scoped: list[tuple[tuple[str, ...], dict[str, Any]]]) -> list[Any]:
    """One chain of scopes per requirement: ``[{a: {b: [item]}}, ...]``."""
    roots = []
    for scope, fields in scoped:
        node: Any = [fields]
        for name in reversed(scope):
            node = {name: node}
        roots.append(node)
    return roots


def written(found: Requirement) -> dict[str, Any]:
    """The fields as the author wrote them: what is not set is left out, tuples are lists."""
    names = ["id", "title", "description", "acceptance", "level", "examples", "tags"]
    names += ["scenario", "non_goal", "untestable", "waived"]
    values = {name: getattr(found, name) for name in names}
    lists = {
        name: list(value) if isinstance(value, tuple) else value for name, value in values.items()
    }
    return {name: value for name, value in lists.items() if value}


@quick
@given(scoped=SCOPED, flow=st.sampled_from([True, False, None]), unicode=st.booleans())
def test_what_is_written_is_what_is_read(
    scoped: list[tuple[tuple[str, ...], dict[str, Any]]], flow: bool | None, unicode: bool
) -> None:
    text = yaml.safe_dump(
        tree(scoped), default_flow_style=flow, allow_unicode=unicode, sort_keys=False
    )
    loaded = load(text.encode())
    assert [(found.scope, written(found)) for found in loaded] == scoped


def load_or_refuse(data: bytes) -> None:
    Path("any.yml").write_bytes(data)
    loaded, problem = None, None
    try:
        loaded = reader.load([Path("any.yml")])
    except UsageError as error:
        problem = error
    assert loaded or (problem and problem.what and problem.todo)
    assert not problem or problem.where.startswith("any.yml:")


@quick
@given(st.binary(max_size=200))
def test_any_bytes_load_or_are_refused(data: bytes) -> None:
    load_or_refuse(data)


PIECES = ["id", "title", ":", ": ", "-", "- ", "\n", "  ", "[", "]", "{", "}", "&a ", "*a", "<<"]
PIECES += ["!", "|", ">", "?", "'", '"', "%", "#", "\t", "---\n", "...\n", "~", "non_goals", ","]
PIECES += [f"id: A, {BODY}", "id: A\n", "acceptance: a", "\\", "\r", "\u2028", "\x85", "\ufeff"]


@quick
@given(st.lists(st.sampled_from(PIECES) | st.text(max_size=3), max_size=25))
def test_any_text_loads_or_is_refused(pieces: list[str]) -> None:
    load_or_refuse("".join(pieces).encode("utf-8", "replace"))


@settings(quick, max_examples=100)
@given(st.data())
def test_a_damaged_file_loads_or_is_refused(data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(LIFT_DOCUMENT)))
    end = data.draw(st.integers(start, min(start + 40, len(LIFT_DOCUMENT))))
    middle = "".join(data.draw(st.lists(st.sampled_from(PIECES), max_size=5)))
    load_or_refuse((LIFT_DOCUMENT[:start] + middle + LIFT_DOCUMENT[end:]).encode())
