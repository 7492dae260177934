"""Every option, in both spellings and from every source, reaches the lift and no inner pytest."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, replace
from pathlib import Path

import pytest
from conftest import Project
from hypothesis import given
from hypothesis import strategies as st

from pytest_lift.options import DEFAULT_BASE, OPTIONS, Option
from pytest_lift.run.pytest_options import asked_options, inner_addopts
from pytest_lift.session.config import read_settings
from pytest_lift.settings import Settings

TEXTS = {
    "requirements": "reqs.yml",
    "prices": "some 1 2 3",
    "context": "7000",
    "replay": "calls",
    "prompts": "mine",
    "mutation": "off",
    "source": "thing",
    "tests": "checks",
    "output": "patch",
    "sandbox": "off",
    "allow-read": "data",
    "allow-write": "out",
    "pass-env": "SHOP_URL",
    "max-memory": "700",
    "report": "html",
    "verified": "any",
    "marker": "covers",
    "property": "covers",
    "junit-property": "covers",
    "model": "some-model",
    "json": "out.json",
}
"""A value of each option that not every text can be."""

EACH = pytest.mark.parametrize("option", OPTIONS, ids=lambda option: option.name)


def text_of(option: Option) -> str:
    return TEXTS.get(option.name, "7")


def spelled(options: Sequence[Option], *, apart: bool) -> list[str]:
    given = [([o.typed] if o.flag else [o.typed, text_of(o)]) for o in options]
    return [token for pair in given for token in (pair if apart else ["=".join(pair)])]


@pytest.fixture
def place(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with everything that the values name."""
    for name in ("CI", "PYTEST_ADDOPTS"):
        monkeypatch.delenv(name, raising=False)
    for name in ("checks", "data", "out", "mine", "calls"):
        (pytester.path / name).mkdir()
    (pytester.path / "calls/0001-generator.json").write_text(
        '{"request": {"messages": [], "tools": []}, "answer": {"text": "a"}}'
    )
    pytester.makepyfile(thing="")
    (pytester.path / "reqs.yml").write_text("[]")
    (pytester.path / "pytest.ini").write_text("[pytest]\n")
    return pytester.path


def ini(options: Sequence[Option]) -> str:
    def lines(option: Option) -> str:
        return "yes" if option.flag else text_of(option)

    return "".join(f"{option.dest} = {lines(option)}\n" for option in options)


def toml(options: Sequence[Option], table: str, *, native: bool = False) -> str:
    """In a native table numbers are numbers."""

    def value(option: Option) -> str:
        text = text_of(option)
        if option.flag:
            return "true"
        if option.many:
            return f"[{text!r}]"
        return text if native and text.isdecimal() else repr(text)

    rows = "".join(f"{option.dest} = {value(option)}\n" for option in options)
    return f"[{table}]\n{rows}"


def read(
    pytester: pytest.Pytester,
    *arguments: str,
    files: Mapping[str, str] | None = None,
    environ: Mapping[str, str] | None = None,
) -> tuple[Settings, list[str]]:
    """The settings, and what an inner run gets of the options."""
    for name, text in (files or {}).items():
        (pytester.path / "pytest.ini").unlink(missing_ok=True)
        (pytester.path / name).write_text(text)
    config = pytester.parseconfig(*arguments)
    settings = read_settings(config, config.option, environ or {})
    return settings, asked_options(config, settings.root)


def reached(found: Settings, usual: Settings) -> Iterator[str]:
    """The options whose value is in the settings."""
    for option in OPTIONS:
        value = getattr(found, option.field)
        told = option.flag or re.split(r"[ :]", text_of(option))[0] in repr(value)
        if value != getattr(usual, option.field) and told:
            yield option.name


def check(found: tuple[Settings, list[str]], usual: tuple[Settings, list[str]]) -> None:
    assert list(reached(found[0], usual[0])) == [option.name for option in OPTIONS]
    kept = [token for token in found[1] if token not in ("-c", "pytest.ini", "pyproject.toml")]
    assert kept == []


@pytest.fixture
def usual(place: Path, pytester: pytest.Pytester) -> tuple[Settings, list[str]]:
    return read(pytester)


def test_every_field_that_an_option_names_is_there() -> None:
    assert {option.field for option in OPTIONS} <= {field.name for field in fields(Settings)}


def test_the_defaults_of_options_and_fields_agree(usual: tuple[Settings, list[str]]) -> None:
    found = usual[0]
    assert found == replace(Settings(found.root, found.tests), naming=found.naming)


@pytest.mark.parametrize("apart", [False, True], ids=["equals", "space"])
@pytest.mark.parametrize("source", ["line", "environment", "ini", "file"])
def test_options_that_are_typed(
    pytester: pytest.Pytester,
    monkeypatch: pytest.MonkeyPatch,
    usual: tuple[Settings, list[str]],
    source: str,
    apart: bool,
) -> None:
    tokens = spelled(OPTIONS, apart=apart)
    if source == "line":
        found = read(pytester, "mine", *tokens, "checks")
    elif source == "environment":
        monkeypatch.setenv("PYTEST_ADDOPTS", shlex.join(["checks", *tokens]))
        found = read(pytester)
    elif source == "ini":
        text = f"[pytest]\naddopts = {shlex.join(tokens)}\n"
        found = read(pytester, files={"pytest.ini": text})
    else:
        if tuple(map(int, pytest.__version__.split(".")[:2])) < (8, 2):
            pytest.skip("pytest 8.2 is the first that reads options from files")
        (pytester.path / "options.txt").write_text("\n".join(tokens))
        found = read(pytester, "@options.txt")
    check(found, usual)


@pytest.mark.parametrize("source", ["variables", "ini", "ini_options", "native"])
def test_twins(pytester: pytest.Pytester, usual: tuple[Settings, list[str]], source: str) -> None:
    if source == "variables":
        environ = {o.variable: "1" if o.flag else text_of(o) for o in OPTIONS}
        check(read(pytester, environ=environ), usual)
        return
    if source == "native" and pytest.version_tuple < (9,):
        pytest.skip("pytest 9 is the first that knows the table")
    files = {
        "ini": {"pytest.ini": "[pytest]\n" + ini(OPTIONS)},
        "ini_options": {"pyproject.toml": toml(OPTIONS, "tool.pytest.ini_options")},
        "native": {"pyproject.toml": toml(OPTIONS, "tool.pytest", native=True)},
    }
    check(read(pytester, files=files[source]), usual)


@pytest.mark.parametrize(
    ("text", "since"),
    [
        *(("1", DEFAULT_BASE), ("true", DEFAULT_BASE), ("Yes", DEFAULT_BASE), ("on", DEFAULT_BASE)),
        *(("0", None), ("false", None), ("no", None), ("off", None), ("main~2", "main~2")),
    ],
)
def test_a_value_that_may_be_left_out_is_a_word_where_it_cannot_be(
    pytester: pytest.Pytester, place: Path, text: str, since: str | None
) -> None:
    """What `--lift-changed` alone means, environment and ini can say, too."""
    assert read(pytester, "--lift-changed")[0].changed == DEFAULT_BASE
    assert read(pytester, environ={"LIFT_CHANGED": text})[0].changed == since
    files = {"pytest.ini": f"[pytest]\nlift_changed = {text}\n"}
    assert read(pytester, files=files)[0].changed == since


@pytest.mark.parametrize(("text", "since"), [("true", DEFAULT_BASE), ("false", None)])
def test_a_native_table_has_it_as_a_truth_value(
    pytester: pytest.Pytester, place: Path, text: str, since: str | None
) -> None:
    if pytest.version_tuple < (9,):
        pytest.skip("pytest 9 is the first that knows the table")
    files = {"pyproject.toml": f"[tool.pytest]\nlift_changed = {text}\n"}
    assert read(pytester, files=files)[0].changed == since


@EACH
def test_one_option_alone_takes_its_own_value_and_no_more(option: Option) -> None:
    """Where pytest's own parser is not at hand."""
    for apart in (False, True):
        tokens = ["-v", *spelled([option], apart=apart), "tests/test_a.py", "-ra"]
        assert inner_addopts(tokens) == ["-v", "tests/test_a.py", "-ra"]


PIECES = [
    *([*spelled([option], apart=apart)] for option in OPTIONS for apart in (False, True)),
    *(["-q"], ["--tb", "short"], ["--tb=long"], ["-k", "a"], ["--cov", "thing"], ["-xvs"]),
    *(["tests"], ["--maxfail", "2"], ["-W", "error"], ["--requirements", "reqs.yml"], ["-p", "x"]),
]
KEPT = {"-q", "--tb", "--tb=long", "-W", "-p", "-xvs"}


@given(st.lists(st.sampled_from(PIECES), max_size=12))
def test_whatever_stands_beside_an_option(pieces: list[list[str]]) -> None:
    tokens = [token for piece in pieces for token in piece]
    kept = [piece for piece in pieces if piece[0] in KEPT]
    expected = [t.replace("-xvs", "-vs") for piece in kept for t in piece]
    known = {"--tb": "one", "-p": "one", "-k": "one", "-W": "one", "--cov": "optional"}
    assert inner_addopts(tokens, known, words=False) == expected  # type: ignore[arg-type]


def test_no_option_can_be_shortened(pytester: pytest.Pytester, place: Path) -> None:
    """pytest allows it for no long option: nothing but the whole name can be meant."""
    with pytest.raises(pytest.UsageError, match="unrecognized arguments: --lift-repo"):
        pytester.parseconfig("--lift-repo", "html")


def test_the_readme_has_every_option() -> None:
    text = (Path(__file__).parents[1] / "README.md").read_text("utf-8")
    table = text.partition("| option | meaning |")[2].partition("\n\n")[0]
    cells = [row.split(" | ")[0] for row in table.splitlines()[2:]]
    named = [name for cell in cells for name in re.findall(r"--(?:lift-)?[a-z-]+[a-z]", cell)]
    known = {option.typed for option in OPTIONS} - {"--lift-requirements"}
    assert sorted(named) == sorted(known | {"--lift", "--requirements"})
    for cell in cells:
        for name, metavar in re.findall(r"`(--[a-z-]+[a-z])([ =\[][^`]+)?`", cell):
            flag = next((o.flag for o in OPTIONS if o.typed == name), name == "--lift")
            assert not (flag and metavar), f"{name} takes no value"


@pytest.mark.parametrize("option", ["--requirements", "--lift-requirements"])
def test_a_value_that_leads_pytest_astray_is_told(project: Project, option: str) -> None:
    """pytest looks for its ini file before it knows our options."""
    project.write({"pytest.ini": "[pytest]\n", "tests/test_a.py": "def test_a():\n    pass\n"})
    outside = project.root.parent / "elsewhere/reqs.yml"
    outside.parent.mkdir()
    outside.write_text(project.read("reqs.yml"))
    result = project.pytest(option, str(outside))
    assert result.status == 4
    assert f"{option}: pytest looks for the project in" in result.text
    assert f"write {option}={outside}" in result.text
    assert "Traceback" not in result.text
    if option == "--lift-requirements":
        return
    assert project.pytest(f"{option}={outside}").status == 0
    assert project.pytest(option, str(outside), "-c", "pytest.ini").status == 0
    assert project.pytest(option, "reqs.yml", "tests/test_a.py").status == 0


@pytest.mark.slow
def test_values_apart_in_a_real_lift(project: Project) -> None:
    """No inner run takes one of them for a place of tests: it would find none there."""
    test = "from thing import double\n\ndef test_doubles():\n    assert double(21) == 42\n"
    project.write(
        {
            "tests/test_thing.py": test,
            "data/x.txt": "",
            "pytest.ini": "[pytest]\naddopts = --lift-seed 3\n",
        }
    )
    result = project.lift(
        *("--lift-iterations", "0", "--lift-report", "html", "--lift-allow-read", "data"),
        *("--lift-json", "out.json", "-k", "none"),
        PYTEST_ADDOPTS="--lift-mutation off --tb short",
    )
    assert result.status == 0, result.text
    assert project.outcome["passed"] == 1
    assert (project.root / "out.json").exists()
    assert "your selection (-k)" in result.text
