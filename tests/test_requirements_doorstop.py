"""Folders as doorstop 3.2 writes them become requirements: what is active and normative."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from pytest_lift.errors import UsageError
from pytest_lift.requirements.reader import load_one

SETTINGS = "settings:\n  digits: 3\n  itemformat: {form}\n  prefix: {prefix}\n  sep: ''\n"


@pytest.fixture(autouse=True)
def in_tmp_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def document(folder: str, prefix: str, form: str = "yaml") -> Path:
    path = Path(folder)
    path.mkdir(parents=True)
    (path / ".doorstop.yml").write_text(SETTINGS.format(prefix=prefix, form=form))
    return path


def item(path: Path, text: str, header: str = "", level: str = "1.0", **more: str) -> None:
    """An item with doorstop's attributes, which it sorts by name."""
    fields = {
        "active": "true",
        "derived": "false",
        "header": f"|\n  {header}" if header else "''",
        "level": level,
        "links": "[]",
        "normative": "true",
        "ref": "''",
        "reviewed": "null",
        "text": "|\n" + "\n".join(f"  {line}" for line in text.split("\n")) if text else "''",
    }
    lines = [f"{name}: {value}\n" for name, value in sorted({**fields, **more}.items())]
    path.write_text("".join(lines))


def complaint(path: Path) -> UsageError:
    with pytest.raises(UsageError) as caught:
        load_one(path)
    assert caught.value.todo
    return caught.value


def test_active_normative_items_are_requirements_in_the_order_of_the_outline() -> None:
    reqs = document("reqs", "REQ")
    item(reqs / "REQ001.yml", "ten", level="'1.10'")
    item(reqs / "REQ002.yml", "First sentence: so. More.\n\nMore still.", level="1.2")
    item(reqs / "REQ003.yml", "gone", level="1.1", active="false")
    item(reqs / "REQ004.yml", "a note", level="1.3", normative="false")
    item(reqs / "REQ005.yml", "its text", "Its header", level="1.4")
    second, fifth, first = load_one(Path("reqs"))
    assert [found.id for found in (second, fifth, first)] == ["REQ002", "REQ005", "REQ001"]
    assert second.title == "First sentence: so."
    assert second.description == "First sentence: so. More.\n\nMore still."
    assert second.acceptance == (second.description,)
    assert (second.file, second.line, second.level) == ("reqs/REQ002.yml", 1, None)
    assert (fifth.title, fifth.description) == ("Its header", "its text")


def test_headings_of_the_outline_are_the_scope() -> None:
    reqs = document("reqs", "REQ")
    item(reqs / "REQ001.yml", "", "Constraints", level="1.0", normative="false")
    item(reqs / "REQ002.yml", "Speed\n\nwith an introduction", level="1.1.0", normative="false")
    item(reqs / "REQ003.yml", "fast", level="1.1.1")
    item(reqs / "REQ004.yml", "small", level="1.2")
    item(reqs / "REQ005.yml", "other", level="2.1")
    scopes = {found.id: found.scope for found in load_one(reqs)}
    assert scopes == {
        "REQ003": ("REQ", "Constraints", "Speed"),
        "REQ004": ("REQ", "Constraints"),
        "REQ005": ("REQ",),
    }


def test_markdown_items_are_read_as_doorstop_writes_them() -> None:
    reqs = document("reqs", "MD", "markdown")
    front = "---\nactive: true\nderived: false\nlevel: 1.0\nlinks:\n- REQ002: null\nnormative: {}\n---\n\n"
    (reqs / "MD001.md").write_text(
        front.format("true") + "# Low level\n\nFirst line.\n\n---\n\n# no header"
    )
    (reqs / "MD002.md").write_text(front.format("true") + "Only text.\nSecond line.")
    (reqs / "MD003.md").write_text(front.format("false") + "A note.")
    (reqs / "README.md").write_text("# Not an item\n")
    (reqs / "notes-1.md").write_text("# Not an item either\n")
    first, second = load_one(reqs)
    assert (first.id, first.title) == ("MD001", "Low level")
    assert first.description == "First line.\n\n---\n\n# no header"
    assert (second.title, second.description) == ("Only text.", "Only text.\nSecond line.")


def test_nested_documents_are_read_and_a_settings_file_names_its_own() -> None:
    item(document("reqs", "REQ") / "REQ001.yml", "above")
    Path("reqs/more").mkdir()
    item(Path("reqs/more/REQ002.yml"), "in a folder of the same document", level="1.1")
    item(document("reqs/low", "LLR") / "LLR001.yml", "below")
    item(document("skipped", "SKIP") / "SKIP001.yml", "not read by doorstop")
    Path("skipped/.doorstop.skip").touch()
    assert {found.id: found.scope for found in load_one(Path())} == {
        "REQ001": ("REQ",),
        "REQ002": ("REQ",),
        "LLR001": ("LLR",),
    }
    assert list(load_one(Path("reqs/.doorstop.yml")).by_id) == ["REQ001", "REQ002"]
    assert list(load_one(Path("reqs/low")).by_id) == ["LLR001"]


def test_our_own_attributes_count_where_a_document_has_them() -> None:
    reqs = document("reqs", "REQ")
    item(reqs / "REQ001.yml", "t", acceptance="\n- 'a: b'\n- c", tags="[x, 1.50]", waived="later")
    item(reqs / "REQ002.yml", "t", acceptance="''", tags="[]", waived="null", level="1.1")
    first, second = load_one(reqs)
    assert (first.acceptance, first.tags, first.waived) == (("a: b", "c"), ("x", "1.50"), "later")
    assert (second.acceptance, second.tags, second.waived) == (("t",), (), None)


def test_problems_name_the_item_and_come_together() -> None:
    reqs = document("reqs", "REQ")
    item(reqs / "REQ001.yml", "")
    (reqs / "REQ002.yml").write_text("active: true\ntext: a: b\n")
    (reqs / "REQ003.yml").write_text("- no\n")
    item(reqs / "REQ004.yml", "good")
    item(document("reqs/sub", "REQ") / "REQ004.yml", "again")
    problem = complaint(reqs)
    places = [line.split()[0] for line in problem.what.splitlines()[1::2]]
    assert places == [
        "reqs/REQ001.yml:1:1:",
        "reqs/REQ002.yml:2:8:",
        "reqs/REQ003.yml:1:1:",
        "reqs/sub/REQ004.yml:1:1:",
    ]
    assert "the doorstop item 'REQ001' has no text" in problem.what
    assert "id 'REQ004' exists twice, also at reqs/REQ004.yml:1:1" in problem.what


def test_faults_in_front_matter_and_settings_are_at_their_lines() -> None:
    reqs = document("reqs", "MD", "markdown")
    (reqs / "MD001.md").write_text("---\nactive: true\nlevel: a: b\n---\n\ntext")
    assert complaint(reqs).where == "reqs/MD001.md:3:9"
    (reqs / ".doorstop.yml").write_text("settings:\n  itemformat: sheet\n")
    problem = complaint(reqs)
    assert problem.what == "unknown item format 'sheet' of a doorstop document"
    assert problem.where == "reqs/.doorstop.yml:1:1"


def test_a_folder_without_a_document_is_refused() -> None:
    Path("empty").mkdir()
    assert complaint(Path("empty")).what == "a directory, not a requirement file"
    assert complaint(document("reqs", "REQ")).what == "no requirement in this file"


@pytest.mark.skipif(os.name == "nt", reason="links need rights there")
def test_a_circle_of_links_ends() -> None:
    reqs = document("reqs", "REQ")
    item(reqs / "REQ001.yml", "text")
    (reqs / "loop").symlink_to(reqs.resolve())
    assert len(load_one(reqs)) == 1
