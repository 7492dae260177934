"""Calls that models write as text are read back, however they write them."""

from __future__ import annotations

import json
import string
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from text_calls import TOOLS, WRITE

from pytest_lift.llm.blocks import read, written
from pytest_lift.llm.text_tools import as_text
from pytest_lift.llm.values import Message, ModelRequest

BROKEN = ("```", "````", "```tool finish", "--- text", "---- text", "--- path ---", "path: x", "{", '"', "|", "null", "\r", " ", "x")  # fmt: skip
LINES = st.lists(st.one_of(st.sampled_from(BROKEN), st.text(max_size=8)), max_size=8)
TEXTS = st.one_of(
    st.text(max_size=20), LINES.map("\n".join), LINES.map(lambda lines: "\n".join(lines) + "\n")
)
LEAVES = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | TEXTS
DATA = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=5,
)
VALUES: dict[str, st.SearchStrategy[Any]] = {
    "path": TEXTS,
    "text": TEXTS,
    "reason": st.none() | TEXTS,
    "lines": st.integers(),
    "force": st.booleans(),
    "ids": st.lists(TEXTS, max_size=3),
    "more": st.dictionaries(TEXTS, DATA, max_size=3),
    "any": DATA,
}
PROSE = st.text(alphabet=string.ascii_letters + " .,:-\n'", max_size=30)
CALLS = st.lists(
    st.one_of(
        st.tuples(st.just("write_file"), st.fixed_dictionaries({}, optional=VALUES)),
        st.tuples(st.just("finish"), st.fixed_dictionaries({}, optional={"verdict": DATA})),
        st.tuples(
            st.just("no.such-tool"),
            st.dictionaries(st.from_regex(r"[a-z_]\w{0,5}", fullmatch=True), DATA),
        ),
    ),
    min_size=1,
    max_size=4,
)


@given(CALLS, PROSE)
@example([("write_file", {"text": "--- text\n---- path\n````\n```tool finish\n"})], "")
@example([("write_file", {"text": "\n", "path": "null"}), ("finish", {})], "So.")
def test_what_is_written_is_read(calls: list[tuple[str, dict[str, Any]]], prose: str) -> None:
    tools = {tool.name: tool for tool in TOOLS}
    blocks = [written(name, arguments, tools.get(name)) for name, arguments in calls]
    rest, found = read("\n".join([prose, *blocks, prose]), TOOLS)
    assert found == calls
    assert rest == f"{prose}\n{prose}".strip()


@given(
    st.lists(st.one_of(st.sampled_from([*BROKEN, "<tool_call>", "</tool_call>", "```json"]), PROSE))
)
def test_any_text_can_be_read(lines: list[str]) -> None:
    rest, found = read("\n".join(lines), TOOLS)
    assert found or rest == "\n".join(lines).strip()
    assert all(isinstance(arguments, dict) for _, arguments in found)


@pytest.mark.parametrize(
    ("text", "arguments"),
    [
        ("```tool write_file\npath: a.py\nlines: 3\nforce: True\n```", {"path": "a.py", "lines": 3, "force": True}),
        ("```tool: write_file\n  path: a: b\n```", {"path": "a: b"}),
        ("```write_file\nids: R-1, R-2\n```", {"ids": ["R-1", "R-2"]}),
        ('```tool write_file\nids: [\n  "R-1",\n  "R-2"\n]\n```', {"ids": ["R-1", "R-2"]}),
        ("```tool write_file\nids:\n  [1]\nlines: many\n```", {"ids": [1], "lines": "many"}),
        ("```tool write_file\npath: 'a.py\ntext: |\n  if x:\n    y\n```", {"path": "'a.py", "text": "if x:\n  y\n"}),
        ("```tool write_file\nreason: one\ntwo: three\n```", {"reason": "one\ntwo: three"}),
        ("```tool write_file\nother: 3\npath: a\n```", {"other": 3, "path": "a"}),
        ("```tool write_file\n--- text ---\na\n\n--- path\nb\n--- unknown\n```", {"text": "a\n\n", "path": "b\n--- unknown\n"}),
        ("```tool write_file\n--- lines\n3\n--- ids\n[]\n```", {"lines": 3, "ids": []}),
        ("```tool write_file\n--- text\na\n```python\nb\n```\nc\n```\nrest", {"text": "a\n```python\nb\n```\nc\n"}),
        ("````tool write_file\n--- text\n```\nb\n```\n````", {"text": "```\nb\n```\n"}),
        ("```tool write_file\n--- text\nnever closed", {"text": "never closed\n"}),
        ('```tool write_file\n{"path": "a",\n "lines": 3}\n```', {"path": "a", "lines": 3}),
        ('```tool write_file\n{"name": "write_file", "arguments": {"path": "a"}}\n```', {"path": "a"}),
        ('```json\n{"name": "write_file", "arguments": {"path": "a"}}\n```', {"path": "a"}),
        ('```json\n{"tool": "write_file", "path": "a"}\n```', {"path": "a"}),
        ('```\n[{"tool": "write_file", "args": {"path": "a"}}]\n```', {"path": "a"}),
        ('```json\n{"type": "function", "function": {"name": "write_file", "arguments": "{\\"path\\": \\"a\\"}"}}\n```', {"path": "a"}),
        ('So:\n<tool_call>\n{"name": "write_file", "arguments": {"path": "a"}}\n</tool_call>', {"path": "a"}),
    ],
)  # fmt: skip
def test_how_models_write(text: str, arguments: dict[str, Any]) -> None:
    assert read(text, TOOLS)[1] == [("write_file", arguments)]


@pytest.mark.parametrize(
    "text",
    [
        "```python\nfinish()\n```",
        '```json\n{"name": "other", "arguments": {}}\n```',
        '```json\n{"name": ["finish"]}\n```',
        '```\n[{"name": "finish"}, 3]\n```',
        "```\nfinish\n```\nand ```tool finish```",
        "<tool_call>finish</tool_call> <tool_call>",
    ],
)
def test_what_is_no_call(text: str) -> None:
    assert read(text, TOOLS) == (text, [])


def test_a_call_that_begins_inside_another_is_one_of_its_own() -> None:
    text = "```tool write_file\n--- text\na\n```tool finish\nverdict: FINAL\n```"
    assert read(text, TOOLS)[1] == [
        ("write_file", {"text": "a\n"}),
        ("finish", {"verdict": "FINAL"}),
    ]


def test_the_described_tools_are_what_the_reader_reads() -> None:
    """A model that repeats a described block makes that call."""
    system = as_text(ModelRequest((Message("user", "Go."),), TOOLS)).messages[0]
    _, found = read(system.text, TOOLS)
    assert [name for name, _ in found] == ["NAME", "write_file", "finish"]
    assert set(found[1][1]) == set(WRITE.parameters["properties"])
    assert json.dumps(found)
