"""Requirement files of several formats are one list, and one error."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from pytest_lift.errors import UsageError
from pytest_lift.requirements.reader import load, load_one

BODY = "title: t, description: d, acceptance: a"


@pytest.fixture(autouse=True)
def in_tmp_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def written(yaml: str, md: str, csv: str) -> list[Path]:
    Path("a.yml").write_text(f"s: [{{id: {yaml}, {BODY}}}]\n")
    Path("b.md").write_text(f"# S\n\n| ID | Text |\n|--|--|\n| {md} | b |\n")
    Path("c.csv").write_text(f"ID,Text\n{csv},c\n")
    folder = Path("d")
    folder.mkdir(exist_ok=True)
    (folder / ".doorstop.yml").write_text("settings:\n  prefix: D\n  digits: 3\n  sep: ''\n")
    (folder / "D001.yml").write_text("active: true\ntext: d\n")
    return [Path("a.yml"), Path("b.md"), Path("c.csv"), folder]


def test_every_format_loads_in_the_order_given() -> None:
    paths = written("A", "B", "C")
    assert [found.id for found in load([*paths, *paths])] == ["A", "B", "C", "D001"]
    assert [found.id for found in load(paths[::-1])] == ["D001", "C", "B", "A"]
    assert [load_one(path).items for path in paths] == [(found,) for found in load(paths)]
    assert not load([])


@pytest.mark.parametrize(
    ("ids", "second", "first"),
    [
        (("A", "A", "C"), "b.md:5:1", "a.yml:1:5"),
        (("A", "B", "B"), "c.csv:2:1", "b.md:5:1"),
        (("A", "B", "D001"), "d/D001.yml:1:1", "c.csv:2:1"),
        (("D001", "B", "C"), "d/D001.yml:1:1", "a.yml:1:5"),
    ],
)
def test_a_repeated_id_names_both_places(
    ids: tuple[str, str, str], second: str, first: str
) -> None:
    with pytest.raises(UsageError) as caught:
        load(written(*ids))
    assert caught.value.where == second
    assert caught.value.what.endswith(f"exists twice, also at {first}")


def test_all_problems_of_all_formats_come_at_once() -> None:
    paths = written("A", "", "")
    Path("a.yml").write_text("- {id: A, title: t}\n")
    Path("d/D001.yml").write_text("text: ''\n")
    with pytest.raises(UsageError) as caught:
        load([*paths, Path("none.csv")])
    assert caught.value.where == "a.yml:1:3"
    places = [line.split()[0] for line in caught.value.what.splitlines()[1::2]]
    assert places == [
        "a.yml:1:3:", "a.yml:1:3:", "b.md:5:", "c.csv:2:", "d/D001.yml:1:1:", "none.csv:",
    ]  # fmt: skip


def test_warnings_of_all_formats_are_kept() -> None:
    Path("a.yml").write_text(f"- {{id: A, {BODY}, zzz: 1}}\n")
    Path("b.md").write_text("| ID | Text | Owner |\n|--|--|--|\n| B | b | me |\n")
    yaml, table = load([Path("a.yml"), Path("b.md")]).warnings
    assert "unknown key 'zzz'" in yaml
    assert "'Owner'" in table


@pytest.mark.parametrize("name", ["none.md", "none.csv", "none.yml", "none"])
def test_a_file_that_is_not_there_is_refused(name: str) -> None:
    with pytest.raises(UsageError, match="requirement file not found") as caught:
        load_one(Path(name))
    assert caught.value.where == name


def test_loading_needs_no_pytest() -> None:
    script = (
        "import sys; from pathlib import Path; from pytest_lift.requirements.reader import load\n"
        "found = load([Path(p) for p in sys.argv[1:]])\n"
        "heavy = {'pytest', '_pytest', 'rich'} & set(sys.modules)\n"
        "print([item.id for item in found], sorted(heavy))"
    )
    command = [sys.executable, "-c", script, *map(str, written("A", "B", "C"))]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "['A', 'B', 'C', 'D001'] []\n"), done.stderr
