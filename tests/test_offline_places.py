"""Functions that take files and folders are tried with small ones that tests can make."""

from __future__ import annotations

import ast
import os
import random
import re
import subprocess
import sys
from pathlib import Path

import pytest
from offline_program import brief, write_program

from pytest_lift.agents.offline.arguments.inputs import Inputs
from pytest_lift.agents.offline.arguments.places import PathArguments
from pytest_lift.agents.offline.generator import generator
from pytest_lift.agents.offline.texts.contents import Contents, keys_read
from pytest_lift.calls.names import Resolver
from pytest_lift.calls.targets.finding import find_targets
from pytest_lift.scope.scope import Scope, whole

CODE = '''
    """Rows in files."""

    import csv
    import json
    import os
    import re
    from pathlib import Path


    def prices(source):
        with open(source, newline="") as handle:
            return {row["label"]: int(row["price"]) for row in csv.DictReader(handle)}


    def names_in(place):
        return sorted(os.listdir(place))


    def save(rows, destination: Path):
        destination.write_text(json.dumps(rows))
        return len(rows)


    def joined(parts):
        texts = []
        for part in parts:
            with open(part) as handle:
                texts.append(handle.read())
        return "".join(texts)


    def is_newer(source, target):
        return os.path.getmtime(source) > os.path.getmtime(target)


    def newer(old, sources):
        return [n for n in range(len(sources)) if is_newer(sources[n], old)]


    def opened(item, modes):
        return [open(item, modes[n]).closed for n in range(len(modes))]


    def shout(path):
        return path.upper()


    def is_hidden(filename):
        return filename.lower().startswith(".") or bool(re.search("~$", filename))


    def sent(filename):
        return print("sending", filename)


    def is_own(filename):
        name = os.path.basename(filename)
        return name.startswith("own") or os.path.dirname(filename).endswith("own")


    def climbed(filename):
        parent = os.path.dirname(filename)
        if parent.startswith("/"):
            filename = os.path.normpath(parent)
        return filename.endswith("own")


    def in_order(filename):
        return os.path.normpath(str(filename))


    def ordered(filename):
        return open(os.path.normpath(filename)).read()


    def cleared(filename):
        name = os.path.normpath(filename)
        return open(name).read()


    def _read(name):
        return name


    def known(filename):
        name = str(filename)
        return _read(name)


    def beside(filename):
        return os.makedirs(os.path.dirname(filename))


    class Log:
        def __init__(self, target):
            self.target = target

        def lines(self):
            return open(self.target).read().splitlines()


    class Registry:
        def resolve(self, pointer):
            return pointer.strip("/")


    def resolved(pointer, registry):
        return registry.resolve(pointer)


    def suffix_of(notes):
        return notes.suffix


    def place_of(modules):
        return modules["__main__"]


    class _Ledger:
        def __init__(self, base, turned):
            self._base = os.fsencode(base)
            self._turned = turned


    def ledger(file, turned=False):
        return _Ledger(file, turned)
'''


@pytest.fixture
def places(tmp_path: Path) -> PathArguments:
    program = write_program(tmp_path, {"rows.py": CODE})
    rng = random.Random(1)
    return PathArguments(Inputs(program, rng), Contents(program, rng), rng)


def drawn(places: PathArguments, symbol: str) -> tuple[set[str], set[str]]:
    """Returns the paths that are drawn for the last parameter of a target, and the files."""
    program = places.contents.program
    target = next(t for t in find_targets(program, Resolver(program)) if t.symbol == symbol)
    found = [places.draw(target, target.parameters[-1]) for _ in range(60)]
    values = [one for one in found if one is not None]
    return {one.expression for one in values}, {name for one in values for name in one.files}


def test_a_parameter_that_is_opened_is_a_file_in_the_format_that_the_function_reads(
    places: PathArguments,
) -> None:
    paths, files = drawn(places, "prices")
    assert "'input.csv'" in paths
    assert "input.csv" in files


def test_files_end_as_those_that_are_documented(places: PathArguments) -> None:
    program = places.contents.program
    target = next(t for t in find_targets(program, Resolver(program)) if t.symbol == "prices")
    places.inputs.note(target, "source", "'shop/june.tab'")
    paths, files = drawn(places, "prices")
    assert "'input.tab'" in paths
    assert "input.tab" in files
    held = places.holding(target, target.parameters[0], "a")
    assert held is not None
    assert held.files == {"input.tab": "a"}


def test_no_file_holds_a_mere_path(places: PathArguments) -> None:
    documented = ["/shop/june.csv", "june.csv", "https://example.com/june", "Ada Lovelace"]
    texts = {places.contents.text("txt", "rows.py", documented) for _ in range(100)}
    assert "Ada Lovelace" in texts
    assert texts.isdisjoint(documented[:3])


def test_a_parameter_that_is_listed_is_a_folder_with_files(places: PathArguments) -> None:
    paths, files = drawn(places, "names_in")
    assert paths == {"'data'"}
    assert all(name.startswith("data/") for name in files)


def test_a_parameter_hinted_as_a_path_is_one_and_what_is_written_need_not_be_there(
    places: PathArguments,
) -> None:
    paths, _ = drawn(places, "save")
    assert "Path('output.json')" in paths


def test_items_that_are_opened_make_a_list_of_files(places: PathArguments) -> None:
    paths, files = drawn(places, "joined")
    assert all(path.startswith("[") for path in paths)
    assert any(name.startswith("other.") for name in files)


def test_items_that_are_taken_by_their_numbers_make_a_list_of_files(places: PathArguments) -> None:
    paths, _ = drawn(places, "newer")
    assert "['input.csv', 'other.csv']" in paths


def test_what_stands_beside_an_opened_item_is_no_list_of_files(places: PathArguments) -> None:
    assert drawn(places, "opened") == (set(), set())


def test_what_a_class_keeps_and_opens_later_is_a_file(places: PathArguments) -> None:
    assert drawn(places, "Log")[1]


def test_what_a_function_hands_to_a_private_class_is_looked_at_there(places: PathArguments) -> None:
    program = places.contents.program
    maker = next(t for t in find_targets(program, Resolver(program)) if t.call == "ledger")
    assert (maker.symbol, maker.definition) == ("_Ledger", "ledger")
    paths = {one and one.expression for one in (places.draw(maker, maker.parameters[0]),)}
    assert paths == {"'input.csv'"}


def test_a_name_alone_makes_no_path_of_a_text(places: PathArguments) -> None:
    assert drawn(places, "shout") == (set(), set())
    for looking in ("is_hidden", "is_own", "climbed", "in_order"):
        assert drawn(places, looking) == (set(), set()), "only the name of the file is looked at"
    assert drawn(places, "sent")[0]


@pytest.mark.parametrize("symbol", ["ordered", "cleared", "known", "beside"])
def test_what_is_made_of_the_name_of_a_file_may_be_one_too(
    places: PathArguments, symbol: str
) -> None:
    assert drawn(places, symbol)[0]


def test_what_objects_of_the_program_have_too_tells_no_path(places: PathArguments) -> None:
    assert drawn(places, "resolved") == (set(), set())
    assert drawn(places, "suffix_of")[0]


def test_files_have_the_columns_that_the_module_reads(places: PathArguments) -> None:
    file = places.contents.program.files["rows.py"]
    assert keys_read(file) == ["label", "price"]
    texts = {places.contents.text("csv", "rows.py") for _ in range(60)}
    assert any(text.startswith("label,price\na,3\n") for text in texts)


def test_a_word_of_an_example_is_no_file_of_a_known_format(places: PathArguments) -> None:
    shown = ["int", "a,b\n1,2\n3,4\n"]
    texts = {places.contents.text("csv", "rows.py", shown) for _ in range(300)}
    assert shown[1] in texts
    assert shown[0] not in texts


def test_a_block_of_no_language_is_no_file_of_python_unless_it_is_such(
    places: PathArguments,
) -> None:
    shown = {"": ["one two\nthree\n", "int", "import os\nx = 2\n"]}
    contents = Contents(places.contents.program, random.Random(1), shown)
    texts = {contents.text("py", "rows.py") for _ in range(60)}
    assert shown[""][2] in texts
    assert texts.isdisjoint(shown[""][:2])
    assert "int" in {contents.text("txt", "rows.py") for _ in range(60)}


def test_sources_and_pages_that_texts_mention_are_not_what_a_module_reads(tmp_path: Path) -> None:
    code = """
        def read(path):
            \'\'\'Reads a file; see tally.py, and https://example.com/tally.json.\'\'\'
            if path.endswith({suffix!r}):
                raise ValueError("no backup")
            return open(path).read()
    """
    for suffix, found in (("~", ["txt"]), (".py", ["py", "txt"]), (".csv", ["csv", "txt"])):
        program = write_program(tmp_path, {"tally.py": code.format(suffix=suffix)})
        contents = Contents(program, random.Random(1))
        assert contents.formats("tally.py") == found
        drawn = [contents.suffix_of_program() for _ in range(100)]
        assert drawn.count(found[0]) > 70


def test_tests_make_the_files_that_they_read_and_assert_those_that_are_written(
    tmp_path: Path,
) -> None:
    program = write_program(tmp_path, {"rows.py": CODE})
    scope = Scope(("rows",), tuple(whole(file) for file in program.files.values()))
    edit = generator(brief(tmp_path, program, seconds=20, scope=scope))
    text = next(text for text in edit.files.values() if text and "def test" in text)
    tests = {n.name: ast.unparse(n) for n in ast.parse(text).body if isinstance(n, ast.FunctionDef)}
    assert any(
        re.search(r"\(tmp_path / 'data(/sub)?'\)\.mkdir\(", body) and "names_in('data') ==" in body
        for body in tests.values()
    )
    assert "save(" in text
    assert any(
        re.search(r"\(tmp_path / 'output\.\w+'\)\.read_text\(encoding='utf-8'\) ==", body)
        and "save(" in body
        and "monkeypatch.chdir(tmp_path)" in body
        for body in tests.values()
    )


AT_HOME = '''
    from pathlib import Path


    def limit(default: int) -> int:
        """The limit of the user, else the default."""
        try:
            text = Path.home().joinpath(".limit").read_text()
        except FileNotFoundError:
            return default
        return min(int(text), default)
'''


def test_tests_of_what_looks_for_files_at_home_have_a_home_of_their_own(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"limits.py": AT_HOME})
    edit = generator(brief(tmp_path, program, seconds=10))
    text = next(text for text in edit.files.values() if text and "def test" in text)
    assert 'monkeypatch.setenv("HOME", str(tmp_path))' in text


STARTING = '''
    import subprocess


    def revision(default: str) -> str:
        """The newest revision, or the default where there is no git."""
        try:
            return subprocess.check_output(["git", "rev-parse", "HEAD"]).decode()
        except OSError:
            return f"{default} (no git)"


    def is_clone(mark: str = ".") -> bool:
        """Whether git knows a folder."""
        try:
            return subprocess.call(["git", "status", mark], cwd=".") == 0
        except FileNotFoundError:
            return False


    def branch():
        return subprocess.check_output(["git", "branch"])
'''


def test_what_a_program_does_without_others_is_tested_where_there_are_none(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"revisions.py": STARTING})
    edit = generator(brief(tmp_path, program, seconds=10))
    text = next(text for text in edit.files.values() if text and "def test" in text)
    assert 'monkeypatch.setenv("PATH", "")' in text
    assert "(no git)" in text
    assert "is_clone() is False" in text
    assert "branch(" not in text
    made = tmp_path / "test_made.py"
    made.write_text(text)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(made)]
    variables = {**os.environ, "PYTHONPATH": str(tmp_path)}
    assert subprocess.run(command, cwd=tmp_path, env=variables).returncode == 0


COPYING = '''
    import shutil
    from pathlib import Path


    def keep(path: str, backup_dir: str) -> str:
        """Copies a file, with its times, to a folder."""
        Path(backup_dir).mkdir(exist_ok=True)
        return shutil.copy2(path, backup_dir)
'''


def test_what_copies_files_with_what_the_system_notes_of_them_is_tested(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"backups.py": COPYING})
    edit = generator(brief(tmp_path, program, seconds=10))
    text = next((text for text in edit.files.values() if text and "def test" in text), "")
    assert re.search(r"keep\([\"']input\.\w+[\"'], [\"']\w+[\"']\) ==", text), text
