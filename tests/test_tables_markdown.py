"""Tables of Markdown pages become requirements, and nothing else of the page does."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pytest_lift.errors import UsageError
from pytest_lift.requirements.reader import load_one
from pytest_lift.requirements.requirement import Requirement, Requirements


@pytest.fixture(autouse=True)
def in_tmp_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def load(text: str) -> Requirements:
    Path("reqs.md").write_bytes(dedent(text).encode())
    return load_one(Path("reqs.md"))


def complaint(text: str) -> UsageError:
    with pytest.raises(UsageError) as caught:
        load(text)
    assert caught.value.todo
    return caught.value


def cell(text: str, column: str = "Text") -> Requirement:
    """The one requirement that has `text` in `column`, and a title."""
    (found,) = load(f"| Id | Title | {column} |\n|---|---|---|\n| A | t | {text} |\n")
    return found


def test_every_column_arrives() -> None:
    (found,) = load("""\
        | ID | Title | Description | Acceptance criteria | Level | Labels | Example | Scenario | Waived | Non-goal | Untestable |
        |----|:-----:|-------------|---------------------|-------|--------|---------|----------|--------|----------|------------|
        | A-1 | Doubling | Twice it. | It doubles.<br>It is fast. | Unit | a, b; c | `>>> 1 + 1`<br>`2` | Somebody doubles | later | never | no way |
        """)
    assert found == Requirement(
        id="A-1",
        title="Doubling",
        description="Twice it.",
        acceptance=("It doubles.", "It is fast."),
        scope=(),
        file="reqs.md",
        line=3,
        level="unit",
        examples=(">>> 1 + 1\n2",),
        tags=("a", "b", "c"),
        scenario="Somebody doubles",
        waived="later",
        non_goal="never",
        untestable="no way",
    )


def test_headings_are_the_scope_and_every_table_counts() -> None:
    loaded = load("""\
        # Product

        | ID | Text |
        |----|------|
        | A  | a    |

        ## Encoding `x`
        ### Deep

        | Key | Summary |
        |-----|---------|
        | B   | b       |
        | C   | c       |

        ## Non goals

        | Req | Title |
        |-----|-------|
        | D   | d     |
        """)
    scopes = {found.id: (found.scope, found.line) for found in loaded}
    assert scopes == {
        "A": (("Product",), 5),
        "B": (("Product", "Encoding x", "Deep"), 12),
        "C": (("Product", "Encoding x", "Deep"), 13),
        "D": (("Product", "Non goals"), 19),
    }
    assert loaded.by_id["D"].exempt == "listed under non_goals"


def test_only_tables_with_ids_and_texts_are_requirements() -> None:
    loaded = load("""\
        | Option | Description |
        |--------|-------------|
        | x      | y           |

        | ID | Owner |
        |----|-------|
        | x  | y     |

        ```
        | ID | Text |
        |----|------|
        | in | code |
        ```

            | ID | Text |
            |----|------|
            | in | code |

        <!--
        | ID | Text |
        |----|------|
        | in | comment |
        -->

        ID | Text
        ---|---
        A | without outer pipes
        """)
    assert [(found.id, found.line) for found in loaded] == [("A", 27)]


@pytest.mark.parametrize(
    ("written", "read"),
    [
        (r"a \| b", "a | b"),
        ("`x \\| y`", "`x | y`"),
        ("a<br>b<BR/>c<br />d", "a\nb\nc\nd"),
        ("**bold** _it_ [link](http://x.y)", "bold it link"),
        ("`encode` and `decode()`", "`encode` and `decode()`"),
        ("&lt;b&gt; \\*", "<b> *"),
        ("1 < 2 > 0", "1 < 2 > 0"),
    ],
)
def test_cells_read_as_they_are_shown(written: str, read: str) -> None:
    assert cell(written).description == read


def test_a_cell_of_criteria_is_split_where_its_author_did() -> None:
    assert cell("- one<br>- two<br>more", "Acceptance").acceptance == ("one", "two\nmore")
    assert cell("1. one<br>2) two", "Acceptance").acceptance == ("one", "two")
    steps = "Given a<br>When b<br>Then c<br>Given d<br>Then e"
    assert cell(steps, "Acceptance").acceptance == ("Given a\nWhen b\nThen c", "Given d\nThen e")
    assert cell("-", "Acceptance").acceptance == ("t",)


def test_what_a_table_does_not_say_comes_from_what_it_says() -> None:
    (found,) = load("| ID | Text |\n|--|--|\n| A | It doubles 1.5 e.g. so. And more. |\n")
    assert found.title == "It doubles 1.5 e.g. so."
    assert found.acceptance == (found.description,) == ("It doubles 1.5 e.g. so. And more.",)
    (found,) = load("| ID | Title |\n|--|--|\n| A | Only this |\n")
    assert (found.description, found.acceptance) == ("Only this", ("Only this",))
    (found,) = load("| ID | Acceptance |\n|--|--|\n| A | one<br>two |\n")
    assert (found.title, found.acceptance) == ("one", ("one", "two"))


def test_the_column_requirement_is_the_id_where_there_is_no_other() -> None:
    (found,) = load("| Requirement | Title |\n|--|--|\n| A | t |\n")
    assert found.id == "A"
    (found,) = load("| ID | Requirement |\n|--|--|\n| A | text |\n")
    assert (found.id, found.description) == ("A", "text")


def test_an_id_in_code_or_bold_is_the_id() -> None:
    loaded = load("| ID | Text |\n|--|--|\n| `A-1` | a |\n| **B-1** | b |\n| [C](#c) | c |\n")
    assert list(loaded.by_id) == ["A-1", "B-1", "C"]


def test_crlf_and_empty_rows_do_not_shift_lines() -> None:
    loaded = load("# x\r\n\r\n| ID | Text |\r\n|--|--|\r\n| | |\r\n| A | a |\r\n")
    assert [(found.id, found.line) for found in loaded] == [("A", 6)]


def test_unknown_columns_are_one_warning_that_names_the_known() -> None:
    loaded = load(
        "\n| ID | Text | Owner | Prio |\n|--|--|--|--|\n| A | a | me | 1 |\n| B | b | | |\n"
    )
    (warning,) = loaded.warnings
    place, _, told = warning.partition(": ")
    ignored, _, known = told.partition(";")
    assert (place, "'Owner', 'Prio'" in ignored) == ("reqs.md:2", True)
    assert known.endswith(
        "id, title, description, acceptance, level, tags, examples, scenario, waived, non goal, "
        "untestable"
    )


def test_a_pipe_that_cuts_a_row_is_a_warning() -> None:
    loaded = load("| ID | Text |\n|--|--|\n| A | a | b |\n| B | b \\| c |\n")
    (warning,) = loaded.warnings
    assert warning.startswith("reqs.md:3: more cells than columns")
    assert warning.endswith("\\| for |")


@pytest.mark.parametrize(
    ("row", "where", "what"),
    [
        ("| | text |", "reqs.md:3", "requirement without id: the column 'Req. ID' is empty"),
        ("| A | |", "reqs.md:3", "requirement 'A' has no text"),
        ("| A b | t |", "reqs.md:3:1", "id 'A b' has white space in it"),
        ("| A | t |\n| A | u |", "reqs.md:4:1", "id 'A' exists twice, also at reqs.md:3:1"),
    ],
)
def test_a_faulty_row_is_refused_at_its_line(row: str, where: str, what: str) -> None:
    problem = complaint(f"| Req. ID | Text |\n|--|--|\n{row}\n")
    assert problem.where == where
    assert what in problem.what


def test_levels_and_reasons_are_judged_as_in_yaml() -> None:
    head = "| ID | Text | Level | Waived |\n|--|--|--|--|\n"
    assert "did you mean 'unit'?" in complaint(f"{head}| A | t | Unti | |").todo
    assert "has no reason" in complaint(f"{head}| A | t | | yes |").what
    (found,) = load(f"{head}| A | t | | no |")
    assert found.exempt is None


@pytest.mark.parametrize("text", ["", "# only prose\n", "| ID | Text |\n|--|--|\n"])
def test_a_page_without_requirements_is_refused(text: str) -> None:
    problem = complaint(text)
    assert problem.what == "no requirement in this file"
    assert "table" in problem.todo


def test_a_page_that_is_no_text_is_refused() -> None:
    Path("reqs.md").write_bytes(b"| ID |\n\xff")
    with pytest.raises(UsageError, match="not UTF-8") as caught:
        load_one(Path("reqs.md"))
    assert caught.value.where == "reqs.md:2:1"


LETTERS = st.characters(codec="utf-8", categories=["L", "N", "P", "S", "Zs"])
WORDS = st.text(LETTERS, min_size=1, max_size=20).map(lambda text: " ".join(text.split()))
TEXTS = WORDS.filter(lambda text: text not in ("", "-", "--", "\N{EN DASH}", "\N{EM DASH}"))


def escaped(text: str) -> str:
    return "".join(f"\\{one}" if one in "\\`*_{}[]<>()#+-.!|~&:\"'" else one for one in text)


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(TEXTS, min_size=1, max_size=4))
def test_any_text_comes_back(texts: list[str]) -> None:
    rows = "".join(f"| R-{n} | {escaped(text)} |\n" for n, text in enumerate(texts))
    loaded = load(f"| ID | Text |\n|--|--|\n{rows}")
    assert [found.description for found in loaded] == texts
    assert [found.line for found in loaded] == list(range(3, 3 + len(texts)))
