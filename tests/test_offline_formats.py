"""Known formats: told by words, recognised where a program says so, and changed in one feature."""

from __future__ import annotations

import ast
import random
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from offline_program import brief, write_program

from pytest_lift.agents.offline.arguments.inputs import Inputs
from pytest_lift.agents.offline.generator import generator
from pytest_lift.agents.offline.texts.changing import changed
from pytest_lift.agents.offline.texts.formats import (
    by_suffix,
    formats,
    texts_of,
    told_by,
    told_by_name,
    told_by_parsers,
    words_of,
)
from pytest_lift.agents.offline.texts.recognition import Recognition, described
from pytest_lift.calls.names import Resolver
from pytest_lift.calls.targets.finding import find_targets
from pytest_lift.source.syntax import parsed

CODE = '''
    def parse(text):
        """Parse a list of sections."""
        return text.strip().split("[")

    def shout(help_text, times=2):
        return help_text.strip().upper() * times

    def parse_url(s):
        return s.strip().split("/")

    def connected(host):
        return host.strip().partition(":")

    def is_email(value: str) -> bool:
        return "@" in value

    def dumps(data):
        return data.strip()

    def xml_encode(text):
        return text.strip()

    def to_json(text):
        return text.strip()

    def xml_to_list(text):
        return text.strip().split("<")

    def load(fp):
        return fp.read()

    def painted(color, css_class="a", json=True):
        return color.strip()

    def tomorrow(data: dict) -> dict:
        return {**data}

    def validate_colour(obj):
        return obj.strip()

    class Store:
        def validate_colour(self, obj):
            return obj.strip()

    def day_of(datestring):
        return datestring.strip()

    def parsedate(value: str):
        return value.strip()

    def merged(doc, other_text):
        return Store(), doc, other_text.strip()
'''
NEWER = frozenset({"TypeAlias", "TemplateStr", "Interpolation"})
"""Nodes that the oldest Python here does not have."""
Recognised = Callable[..., dict[tuple[str, str], list[str]]]


@pytest.fixture
def recognised(tmp_path: Path) -> Recognised:
    def recognise(name: str = "notes.py", **files: str) -> dict[tuple[str, str], list[str]]:
        program = write_program(tmp_path, {name: CODE})
        for path, text in files.items():
            (tmp_path / path.replace("_", ".")).write_text(text)
        inputs = Inputs(program, random.Random(1))
        targets = find_targets(program, Resolver(program))
        Recognition(inputs, tmp_path).note(targets)
        return {(key.partition(":")[2], name): t for (key, name), t in inputs.read.items()}

    return recognise


def test_every_format_has_texts_and_no_two_have_a_word_or_suffix() -> None:
    for one in formats().values():
        assert one.texts
        assert len(set(one.every)) == len(one.every), one.name
    for which in ("words", "suffixes"):
        told = [word for one in formats().values() for word in getattr(one, which)]
        assert len(set(told)) == len(told)
    assert by_suffix()["yml"] == "yaml"
    assert not texts_of("no such format")


def test_texts_of_python_have_each_of_its_constructs() -> None:
    trees = [tree for text in texts_of("py") if (tree := parsed(text)) is not None]
    seen = {type(node) for tree in trees for node in ast.walk(tree)}
    for base in (ast.stmt, ast.expr, ast.pattern, ast.operator, ast.unaryop, ast.cmpop):
        constructs = {one for one in base.__subclasses__() if one.__module__ == "ast"}
        late = {one for one in constructs if one.__name__ in NEWER}
        assert constructs - late <= seen


def test_words_of_names_and_sentences_tell_a_format() -> None:
    assert words_of("parseXMLInput_2") == "parse xml input 2"
    assert [one.name for one in told_by("A parser of Markdown")] == ["markdown"]
    assert [one.name for one in told_by("check_version_range")] == ["version_range"]
    assert not told_by("a commando of updates")
    assert [one.name for one in told_by_name("sqlfmt")] == ["sql"]
    assert [one.name for one in told_by_name("webcolours")] == ["color"]
    assert not told_by_name("candle")
    assert not told_by_name("validate_project")


def test_functions_tell_the_formats_that_they_read() -> None:
    assert [one.name for one in told_by_parsers(["re.compile"])] == ["regex"]
    assert [one.name for one in told_by_parsers(["compile", "lxml.html.fromstring"])] == [
        "py", "html",
    ]  # fmt: skip
    assert not told_by_parsers(["len", "self.shop.parse"])


def test_texts_of_a_format_are_for_what_a_name_says_it_of(recognised: Recognised) -> None:
    found = recognised()
    assert found["parse_url", "s"][0] == "'https://example.org/'"
    assert "'ada@example.org'" in found["is_email", "value"]
    assert "'#ff0000'" in found["painted", "color"]
    assert "'<root/>'" in found["xml_to_list", "text"]
    told = {name for name, _ in found}
    judged = {"is_email", "validate_colour"}
    assert found["connected", "host"][:2] == ["'example.com'", "'localhost:8000'"]
    told_so = {"parse_url", "connected", "painted", "xml_to_list", "day_of", "parsedate", *judged}
    assert told == told_so, "the rest says nothing"
    assert "'2024-02-29T12:30:00-05:00'" in found["day_of", "datestring"]
    assert found["parsedate", "value"] == found["day_of", "datestring"]
    assert "'#ff0000'" in found["validate_colour", "obj"]
    assert ("painted", "css_class") not in found


HANDED = """
    import ast
    import base64
    import io
    import json
    import re
    import tokenize

    def names_in(chunk):
        return [node.id for node in ast.walk(_tree(chunk)) if isinstance(node, ast.Name)]

    def _tree(what):
        return ast.parse(what, mode="exec")

    def same(left_type_hint, right_type_hint):
        return ast.dump(_tree(left_type_hint)) == ast.dump(_tree(right_type_hint))

    def words_in(chunk):
        return [one.string for one in tokenize.generate_tokens(io.StringIO(chunk).readline)]

    class Store:
        def __init__(self, chunk):
            self.chunk = chunk

        def rows(self):
            return json.loads(self.chunk)

    def indent(previous_line):
        return len(previous_line) - len(previous_line.lstrip())

    def unpacked(chunk):
        return base64.b64decode(chunk.strip())

    def beginning(chunk, start):
        return re.compile("^" + start).match(chunk.strip())
    """


def test_what_a_text_is_handed_to_tells_its_format(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"handed.py": HANDED})
    inputs = Inputs(program, random.Random(1))
    Recognition(inputs, tmp_path).note(find_targets(program, Resolver(program)))
    found = {(key.partition(":")[2], name): texts for (key, name), texts in inputs.read.items()}
    assert {repr("import os\n"), repr("x = 1\n")} <= {*found.pop(("indent", "previous_line"))}
    assert found.pop(("unpacked", "chunk"))[0] == "'aGVsbG8='"
    assert set(found) == {("names_in", "chunk"), ("words_in", "chunk"), ("Store", "chunk")}
    assert repr("x = 1\n") in found["names_in", "chunk"]
    assert repr("x = 1\n") in found["words_in", "chunk"]
    assert repr('{"a": 1}') in found["Store", "chunk"]


KEPT = """
    import ast


    class Options:
        def parse(self, config):
            return config.verbose()


    class Parser:
        def __init__(self, source):
            self.__source = source

        def parse(self):
            return ast.parse(self.__source)

        def lines(self):
            text = self.__source
            if isinstance(text, bytes):
                text = text.decode()
            return text.splitlines()


    def detect(source):
        return Parser(source).parse() is None
    """


def test_what_a_constructor_keeps_is_a_text_of_what_its_methods_read(tmp_path: Path) -> None:
    """A function of a library is no method of the program of its name, and what may be bytes is
    written as a text."""
    program = write_program(tmp_path, {"kept.py": KEPT})
    inputs = Inputs(program, random.Random(1))
    Recognition(inputs, tmp_path).note(find_targets(program, Resolver(program)))
    found = {(key.partition(":")[2], name): texts for (key, name), texts in inputs.read.items()}
    assert repr("x = 1\n") in found["Parser", "source"]
    assert repr("x = 1\n") in found["detect", "source"]


def test_what_a_program_is_about_is_for_its_whole_texts(recognised: Recognised) -> None:
    about = '[project]\nname = "notes"\ndescription = "Reads INI files"\n'
    found = recognised(pyproject_toml=about)
    assert "'[a]\\nb\\n'" in found["parse", "text"]
    assert found["load", "fp"][0].startswith("BytesIO(b'[main]")
    assert ("shout", "help_text") not in found
    assert ("dumps", "data") not in found
    assert ("tomorrow", "data") not in found


def test_a_document_is_no_text_of_data_where_nothing_but_its_name_tells(
    recognised: Recognised,
) -> None:
    about = '[project]\nname = "notes"\ndescription = "Patches {} documents"\n'
    found = recognised(pyproject_toml=about.format("JSON"))
    assert ("merged", "doc") not in found
    assert ("parse", "text") in found
    found = recognised(pyproject_toml=about.format("Markdown"))
    assert ("merged", "doc") in found


def test_a_readme_tells_where_no_metadata_does(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"notes.py": CODE})
    (tmp_path / "README.md").write_text("# Notes\n\nReads TOML.\n")
    assert "Reads TOML" in " ".join(described(tmp_path, program))
    (tmp_path / "setup.cfg").write_text("[metadata]\ndescription = Reads YAML\n")
    assert [*described(tmp_path, program)] == ["Reads YAML"]


def test_a_text_is_changed_in_one_feature() -> None:
    text, known = "# Title\n\n- one\n- two\n", ["> quote\n", "**bold**"]
    found = {changed(text, random.Random(seed), known) for seed in range(600)}
    assert {
        "# Title\n\n- two\n",
        "# Title\n\n- one\n- two\n\n**bold**",
        "# Title\n\n- one\n",
    } < found
    assert "> # Title\n> \n> - one\n> - two\n" in found
    assert isinstance(changed("", random.Random(1), ["a"]), str)


def test_a_search_tries_the_texts_that_a_program_is_about(tmp_path: Path) -> None:
    code = '''
        """Reader of INI files."""


        def read(text):
            """Read sections."""
            found = {}
            section = None
            for line in text.split("\\n"):
                if line.startswith("[") and line.endswith("]"):
                    section = found.setdefault(line[1:-1], {})
                elif section is not None and "=" in line:
                    key, _, value = line.partition("=")
                    section[key.strip()] = value.strip()
            return found
    '''
    program = write_program(tmp_path, {"sections.py": code})
    edit = generator(brief(tmp_path, program, seconds=6.0))
    given = [
        node.value
        for text in edit.files.values()
        for node in ast.walk(ast.parse(text or ""))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    ]
    assert any(text in texts_of("ini") for text in given if "[" in text)


def test_formats_are_looked_for_as_long_as_there_is_time(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"handed.py": HANDED})
    inputs = Inputs(program, random.Random(1))
    targets = find_targets(program, Resolver(program))
    Recognition(inputs, tmp_path).note(targets, time.monotonic() - 1)
    assert inputs.read == {}
