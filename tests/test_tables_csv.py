"""CSV exports become requirements, with the lines on which their rows begin."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pytest_lift.errors import UsageError
from pytest_lift.requirements.reader import load_one
from pytest_lift.requirements.requirement import Requirements


@pytest.fixture(autouse=True)
def in_tmp_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def load(text: str | bytes) -> Requirements:
    data = text if isinstance(text, bytes) else text.encode()
    Path("reqs.csv").write_bytes(data)
    return load_one(Path("reqs.csv"))


def complaint(text: str | bytes) -> UsageError:
    with pytest.raises(UsageError) as caught:
        load(text)
    assert caught.value.todo
    return caught.value


JIRA = """\
Issue key,Issue id,Issue Type,Summary,Description,Labels,Labels,Labels,Status
ENC-1,10001,Story,Encode a number,"As a user I want ""hashes"".

* one
* two",core,hash,,Open

ENC-2,10002,Story,Decode a hash,,,,,Done
"""


def test_an_export_of_a_tracker_loads() -> None:
    first, second = load(JIRA)
    assert (first.id, first.title, first.line) == ("ENC-1", "Encode a number", 2)
    assert first.description == 'As a user I want "hashes".\n\n* one\n* two'
    assert first.tags == ("core", "hash")
    assert (second.id, second.description, second.line) == ("ENC-2", "Decode a hash", 7)
    assert (first.scope, first.file) == ((), "reqs.csv")


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize("start", ["", "\ufeff"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_delimiters_marks_and_line_ends(delimiter: str, start: str, end: str) -> None:
    rows = [["ID", "Text", "Acceptance"], ["A", "a; b, c\td", "one\ntwo"], ["B", "b", ""]]
    text = io.StringIO(newline="")
    csv.writer(text, delimiter=delimiter, lineterminator=end).writerows(rows)
    first, second = load(f"{start}{text.getvalue()}".encode())
    assert (first.description, first.acceptance) == ("a; b, c\td", ("one", "two"))
    assert (first.line, second.line) == (2, 4)


def test_an_export_of_doorstop_loads_without_its_outline() -> None:
    head = "uid,level,text,ref,links,active,derived,header,normative,reviewed\n"
    (found,) = load(f'{head}REQ001,1.10,"One: two.\n\nMore",,,True,False,Head,True,\n')
    assert (found.id, found.title, found.level) == ("REQ001", "Head", None)
    assert found.description == "One: two.\n\nMore"


def test_quoted_headers_and_the_hint_of_spreadsheets_are_read() -> None:
    (found,) = load('sep=;\n"ID";"Text"\n"A";"a, b"\n')
    assert (found.description, found.line) == ("a, b", 3)
    (found,) = load('"ID";"Title";"Description"\nA;t;"d"\n')
    assert found.description == "d"


def test_a_tsv_is_read_too() -> None:
    Path("reqs.tsv").write_text("ID\tText\nA\ta\n")
    assert load_one(Path("reqs.tsv")).by_id["A"].description == "a"


def test_unknown_columns_and_lost_cells_are_warnings() -> None:
    loaded = load("ID,Text,Owner\nA,a,b,c\n")
    ignored, lost = loaded.warnings
    assert ignored.startswith("reqs.csv:1: columns 'Owner' are ignored; known are id, title")
    assert lost.startswith("reqs.csv:2: more cells than columns")


@pytest.mark.parametrize(
    ("text", "where", "what"),
    [
        ("ID,Text\n,orphan\n", "reqs.csv:2", "requirement without id: the column 'ID' is empty"),
        ("ID,Text\nA,\n", "reqs.csv:2", "requirement 'A' has no text"),
        ("ID,Text\n\nA,a\nA,b\n", "reqs.csv:4:1", "id 'A' exists twice, also at reqs.csv:3:1"),
        ('ID,Text\n"A\nB",a\n', "reqs.csv:2:1", "has white space"),
        ('ID,Text\nA,"open\n', "reqs.csv:2", "not valid CSV: unexpected end of data"),
        ('ID,Text\nA,"a"b\n', "reqs.csv:2", "not valid CSV"),
        ("Name,Text\nA,a\n", "reqs.csv:1", "no column for ids"),
        ("ID,Owner\nA,a\n", "reqs.csv:1", "or none for what the requirements say"),
        ("", "reqs.csv:1", "no column for ids"),
        ("ID,Text\n", "reqs.csv:1:1", "no requirement in this file"),
        (b"ID,Text\nA,\xe4\n", "reqs.csv:2:3", "not UTF-8"),
        ("ID,Text\n".encode("utf-16"), "reqs.csv:1:1", "not UTF-8"),
        ("ID,Text\nA," + "x" * 200_000, "reqs.csv:2", "field larger than field limit"),
    ],
)
def test_a_faulty_file_is_refused_at_its_line(text: str | bytes, where: str, what: str) -> None:
    problem = complaint(text)
    assert problem.where == where
    assert what in problem.what


TEXTS = st.text(st.characters(codec="utf-8", exclude_characters="\r\0"), min_size=1, max_size=30)
CELLS = TEXTS.map(str.strip).filter(
    lambda text: text not in ("", "-", "--", "\N{EN DASH}", "\N{EM DASH}")
)


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(CELLS, min_size=1, max_size=5), st.sampled_from(",;\t"))
def test_any_text_comes_back_with_its_line(texts: list[str], delimiter: str) -> None:
    out = io.StringIO(newline="")
    csv.writer(out, delimiter=delimiter, lineterminator="\n").writerows(
        [["ID", "Text"], *([f"R-{n}", text] for n, text in enumerate(texts))]
    )
    loaded = load(out.getvalue())
    assert [found.description for found in loaded] == texts
    lines = [2 + sum(text.count("\n") + 1 for text in texts[:n]) for n in range(len(texts))]
    assert [found.line for found in loaded] == lines
