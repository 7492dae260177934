"""Constants that may be arguments: names behind a prefix by which functions are looked up."""

from __future__ import annotations

from pathlib import Path

from offline_program import write_program

from pytest_lift.agents.offline.arguments.constants import Constants, told_values
from pytest_lift.source.program import Program

TEXT = """
    class Shell:
        def run(self, line):
            return getattr(self, "do_%s" % line)()

        def help(self, name):
            return getattr(self, f"help_{name}").__doc__

        def do_stop(self):
            return "stopped"

        def do_list_all(self):
            return "listed"

        def help_stop(self):
            return "stops"

        def do_(self):
            return "nothing"
"""


def test_names_behind_a_prefix_are_words_of_the_program(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"shell.py": TEXT})
    words = Constants(program).of_module["shell.py"]
    assert words[:2] == ["stop", "list_all"]
    assert "" not in words
    assert "help_stop" not in words


def test_one_name_behind_a_prefix_is_no_table(tmp_path: Path) -> None:
    text = 'def run_all():\n    return "run_"\n'
    program = write_program(tmp_path, {"one.py": text})
    assert Constants(program).of_module["one.py"] == ["run_"]


def test_the_name_of_a_type_variable_is_no_word_of_the_program(tmp_path: Path) -> None:
    text = 'Key = TypeVar("_Key")\nlog = logging.getLogger("shop")\nkind = "open"\n'
    program = write_program(tmp_path, {"one.py": text})
    assert Constants(program).of_module["one.py"] == ["open"]


def test_how_files_are_opened_and_texts_encoded_is_no_word_of_the_program(tmp_path: Path) -> None:
    text = """
        def read(path):
            with open(path, "rb") as file, path.open("w", encoding="utf-8") as other:
                return file.read().decode("latin-1", "replace") + other.open("hello")
    """
    program = write_program(tmp_path, {"one.py": text})
    assert Constants(program).of_module["one.py"] == ["hello"]


def test_values_that_a_docstring_quotes_are_known() -> None:
    doc = (
        """Sets the alignment: either "l", 'c' or "r"; it's the user's "own choice" of '''it'''."""
    )
    assert told_values(doc) == ["l", "c", "r"]


def test_what_a_module_says_of_itself_is_no_word_of_the_program(tmp_path: Path) -> None:
    text = '__version__ = "1.7.2"\n__credits__ = ["Ada"]\n__all__ = ["run"]\nkind = "open"\n'
    program = write_program(tmp_path, {"one.py": text})
    assert Constants(program).of_module["one.py"] == ["open"]


NAMED = """
    DATE_LONG = "%Y-%m-%d"
    DATE_COUNT = 3
    DATE_SHORT = "%Y%m%d"
    DATE_NAMES = ["Monday"]
    DEFAULT_HOST = "localhost"
    DEFAULT_NAME = "hut"
    STYLE_WIDE = Style(1)
    STYLE_SIZE = 3
    STYLE_SLIM = Style(2)
"""


def test_constants_beside_another_one_have_values_like_its_own(tmp_path: Path) -> None:
    constants = Constants(write_program(tmp_path, {"one.py": NAMED}))
    assert constants.beside("one.py", "DATE_LONG") == {"DATE_SHORT": "'%Y%m%d'"}
    assert constants.beside("one.py", "STYLE_WIDE") == {"STYLE_SLIM": "Style(2)"}
    for name in ("DATE_COUNT", "DATE_NAMES", "DEFAULT_HOST", "STYLE", "None", None):
        assert constants.beside("one.py", name) == {}, name


def test_a_keyword_is_no_name_of_a_constant() -> None:
    constants = Constants(Program((), (), ()))
    assert [constants.value_of("one.py", one) for one in ("None", "True", "1", None)] == [
        "None", "True", "1", None,
    ]  # fmt: skip


def test_regular_expressions_are_no_words_of_the_program(tmp_path: Path) -> None:
    text = 'def parts(text):\n    return re.split("[;,]", text) or re.split("-", text) or "[a]"\n'
    text += r'COMMENT, SPACE, GROUP = r"#[^\r\n]*", r"[ \s]", "(?:a|b)"' + "\n"
    program = write_program(tmp_path, {"one.py": text})
    assert Constants(program).of_module["one.py"] == ["[a]", "-"]


def test_a_parameter_is_not_given_whatever_is_a_default(tmp_path: Path) -> None:
    text = 'DEFAULT_SIZE = 128\nMAX_DEPTH = 3\nTIME_ZONE = "UTC"\n'
    constants = Constants(write_program(tmp_path, {"one.py": text}))
    assert [*constants.of_parameter("default")] == []
    assert [*constants.of_parameter("zone")] == ["TIME_ZONE"]
