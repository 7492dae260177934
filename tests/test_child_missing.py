"""What is missing only where a case runs is no reason for which a program ends."""

from __future__ import annotations

from collections.abc import Callable
from importlib import metadata
from pathlib import Path

import pytest
from jails import best_jail
from offline_program import write_program

from pytest_lift.calls.case import Case, Step
from pytest_lift.calls.child.noting.missing import misses_what_is_not_named
from pytest_lift.calls.prober import Prober


def ended(reading: Callable[[], object]) -> SystemExit:
    """Returns how a program ends that cannot do without what it reads."""
    with pytest.raises(SystemExit) as caught:
        run(reading)
    return caught.value


def run(reading: Callable[[], object]) -> None:
    try:
        reading()
    except (OSError, ImportError):
        raise SystemExit(1) from None


def case(source: str) -> dict[str, object]:
    """Returns what a child is told of a case of one step."""
    return {"steps": [(source, True, False, False)], "argv": [], "stdin": "", "files": {}}


@pytest.mark.parametrize(
    ("place", "told", "misses"),
    [
        ("LICENSE.txt", "run([])", True),
        ("LICENSE.txt", "run(['licence', 'LICENSE'])", False),
        ("words/en.json", "words_of('EN')", False),
        ("words/en.json", "words_of('fr')", True),
        ("tables/en.json", "read('tables')", False),
        ("VERSION.txt", "get_version()", True),
        ("VERSION.txt", "run(['--version'])", True),
        ("words/en.json", "len(words_of(when='now'))", True),
        ("words/en.json", "words_of('de/en.json')", False),
        (".netrc", "login('ada')", True),
        (".netrc", "login('.netrc')", False),
    ],
)
def test_files_beside_a_program_are_not_missing_everywhere(
    tmp_path: Path, place: str, told: str, misses: bool
) -> None:
    (tmp_path / "words").mkdir()
    error = ended((tmp_path / place).read_text)
    assert misses_what_is_not_named(error, case(told), "/home") is misses
    assert not misses_what_is_not_named(error, case(told), str(tmp_path))


def test_names_below_the_working_directory_and_other_errors_are_those_of_the_case() -> None:
    below = ended(Path("no/such.file").read_text)
    assert not misses_what_is_not_named(below, case("run()"), "/home")
    assert not misses_what_is_not_named(ValueError("LICENSE"), case("run()"), "/home")


@pytest.mark.parametrize(
    "given",
    [
        {"argv": ["prog", "--to=LICENSE"]},
        {"stdin": "show license\n"},
        {"files": {"a.ini": "text = LICENSE"}},
    ],
)
def test_what_a_case_types_and_what_its_files_say_is_named(
    tmp_path: Path, given: dict[str, object]
) -> None:
    error = ended((tmp_path / "LICENSE.txt").read_text)
    assert not misses_what_is_not_named(error, case("run()") | given, "/home")


def test_a_distribution_that_is_not_installed_here_is_elsewhere() -> None:
    error = ended(lambda: metadata.version("no-such-distribution"))
    assert misses_what_is_not_named(error, case("run()"), "/home")
    assert not misses_what_is_not_named(error, case("run('no-such-distribution')"), "/home")


NOTICE = """
    from pathlib import Path


    def notice(name="LICENSE"):
        try:
            return (Path(__file__).parent / f"{name}.txt").read_text()
        except OSError:
            raise SystemExit(1) from None
"""


def test_a_case_that_ends_for_a_missing_file_that_it_does_not_name_is_of_a_machine(
    tmp_path: Path,
) -> None:
    program = write_program(tmp_path, {"notices.py": NOTICE})
    line = ("from notices import notice",)
    cases = [
        Case("notices.py", "notice", (Step(one, check=True),), line)
        for one in ("notice()", "notice('no')")
    ]
    prober = Prober(tmp_path, program, best_jail())
    seen = prober.observe(cases, 10)
    prober.close()
    assert [seen[one.key].rejected for one in cases] == ["machine", ""]
