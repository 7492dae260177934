"""Which symbols a requirement is about, how closely, and which of them a test entered."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pytest_lift.coverage.coverage import Coverage
from pytest_lift.requirements.requirement import Requirement
from pytest_lift.source.program import Program, SourceFile, parsed_source
from pytest_lift.source.symbols import Parameter, Symbol
from pytest_lift.trace.grounding.names import names_in
from pytest_lift.trace.grounding.second_names import second_names
from pytest_lift.trace.grounding.subjects import (
    Closeness,
    Grounding,
    most_in_scope,
    requirements_by_symbol,
)


def symbols(*names: str, parameters: dict[str, str] | None = None) -> tuple[Symbol, ...]:
    """Classes begin with a capital letter; each symbol is one line."""
    return tuple(
        Symbol(
            name,
            "class"
            if name.rpartition(".")[2][0].isupper()
            else "method"
            if "." in name
            else "function",
            line,
            line,
            "",
            tuple(Parameter(one, "keyword") for one in (parameters or {}).get(name, "").split()),
        )
        for line, name in enumerate(names, 1)
    )


def program(**files: tuple[Symbol, ...]) -> Program:
    read = {
        f"{name}.py": SourceFile(f"{name}.py", name, "", found) for name, found in files.items()
    }
    return Program(tuple(files), tuple(read), ("",), read)


def requirement(text: str, *examples: str, identity: str = "R", scope: str = "s") -> Requirement:
    return Requirement(identity, "t", text, ("a",), (scope,), "r.yml", 1, examples=examples)


CODEC = program(m=symbols("Encoder", "Encoder.encode", "dumps", "loads"))
CLASSES = program(m=symbols("Box", "Box.open", "Box.shut", "Can", "Can.open", "shut"))


def closeness(of: Program, asked: Requirement) -> dict[str, Closeness]:
    found = Grounding(of).subjects(asked, "word")
    return {one.symbol.name: one.closeness for one in found}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("`Box` is there.", {"Box": "named", "Box.open": "named", "Box.shut": "named"}),
        (
            "`shut` is there.",
            {"Box.shut": "named", "shut": "named"},
        ),
        (
            "`Box.shut` is there.",
            {"Box.shut": "named", "Box": "beside", "Box.open": "beside", "shut": "beside"},
        ),
        (
            "`Can.open` is there.",
            {"Can.open": "named", "Can": "beside", "Box.open": "beside"},
        ),
        ("shut() is there.", {"Box.shut": "mentioned", "shut": "mentioned"}),
        ("A Can and words are there.", {"Can": "word", "Can.open": "word"}),
        ("Nothing is there.", {}),
    ],
)
def test_a_class_stands_for_its_methods_unless_some_are_named(
    text: str, expected: dict[str, Closeness]
) -> None:
    assert closeness(CLASSES, requirement(text)) == expected


def test_a_class_that_is_named_beside_its_method_is_not_meant_itself() -> None:
    (first, *others) = Grounding(CLASSES).subjects(requirement("`Box.shut` closes."), "beside")
    assert (first.symbol.name, first.closeness, first.names) == (
        "Box.shut",
        "named",
        {"Box", "shut"},
    )
    assert [one.symbol.name for one in others] == ["Box", "Box.open", "shut"]
    assert [one.is_named_itself for one in others] == [True, False, True]
    assert [one.is_function for one in others] == [False, True, True]
    assert first.entry == ("m.py", 3)


def test_a_name_behind_that_of_a_module_is_meant_there() -> None:
    of = program(dates=symbols("total", "workdays"), prices=symbols("total"))

    def found(text: str) -> dict[str, Closeness]:
        subjects = Grounding(of).subjects(requirement(text), "word")
        return {one.path: one.closeness for one in subjects if one.symbol.name == "total"}

    assert found("`dates.total` sums.") == {"dates.py": "named", "prices.py": "beside"}
    assert found("`shop.prices.total(x)` sums.") == {"dates.py": "beside", "prices.py": "named"}
    assert found("`total` sums.") == {"dates.py": "named", "prices.py": "named"}
    assert found("`basket.total` sums.") == {"dates.py": "named", "prices.py": "named"}


def test_a_second_name_means_the_symbol_where_it_can_mean_nothing_else() -> None:
    texts = {
        "pkg.py": "from wait import slow as calm\nquick = (\n    None\n    or _quick\n)\n"
        "rash = _quick\ndef _quick(): pass\n",
        "wait.py": "def slow(): pass\n",
    }
    files = {path: parsed_source(path, path[:-3], text.encode()) for path, text in texts.items()}
    of = Program(("pkg",), tuple(files), ("",), files)
    assert closeness(of, requirement("`calm` and `quick`")) == {"slow": "named"}
    assert closeness(of, requirement("`rash` it is")) == {"_quick": "named"}
    assert [one.symbol.name for one in second_names(of).of("quick")] == ["_quick"]
    assert Grounding(of).named(requirement("`calm`")) == ()


def test_less_close_symbols_come_later_and_only_when_asked_for() -> None:
    grounding = Grounding(CODEC)
    asked = requirement("Text that loads() and `dumps` make, by an encode step")
    assert [one.symbol.name for one in grounding.subjects(asked)] == ["dumps"]
    assert [one.symbol.name for one in grounding.subjects(asked, "mentioned")] == ["dumps", "loads"]
    assert [one.symbol.name for one in grounding.subjects(asked, "word")] == [
        *("dumps", "loads", "Encoder.encode"),
    ]


def test_an_option_is_about_the_public_functions_that_take_it() -> None:
    taken = {"dumps": "sort_keys indent", "_dump": "sort_keys", "loads": "strict"}
    of = program(m=symbols("dumps", "_dump", "loads", parameters=taken))
    assert closeness(of, requirement("With sort_keys they are sorted.")) == {"dumps": "parameter"}
    assert closeness(of, requirement("With `strict` it fails.")) == {"loads": "parameter"}
    assert closeness(of, requirement("It is strict.")) == {}


def test_a_short_name_counts_if_it_is_called() -> None:
    of = program(m=symbols("do"))
    assert closeness(of, requirement("`do` and do not")) == {}
    assert closeness(of, requirement("`do(x)` runs")) == {"do": "named"}


@pytest.mark.parametrize("word", ["sort_keys", "sortKeys", "JSONReader", "reads"])
def test_a_name_in_prose_has_an_inner_sign_of_one_or_is_called(word: str) -> None:
    assert names_in(requirement(f"A {word}(x) is.")).prose == {word}
    telling = names_in(requirement(f"A {word} is, as URL or _x.")).prose
    assert telling == ({word} if word != "reads" else frozenset())


def test_names_in_backticks_and_calls_of_examples_count() -> None:
    found = Grounding(CODEC)
    asked = requirement("`m.dumps(x)` with `sort_keys`, not loads", ">>> Encoder().encode(1)\n1")
    assert found.named(asked) == ("Encoder", "dumps", "encode")


def test_a_row_that_enters_a_method_enters_its_class() -> None:
    entered = {"t.py::test_a[1]": frozenset({("m.py", 2)}), "t.py::test_a[2]": frozenset()}
    found = Grounding(CODEC, Coverage(functions_by_test=entered))
    assert found.executed("t.py::test_a", ("Encoder", "dumps", "encode")) == ("Encoder", "encode")
    assert found.executed("t.py::test_b", ("dumps",)) == ()


def test_without_contexts_nothing_is_known() -> None:
    assert Grounding(CODEC, Coverage()).executed("t.py::test_a", ("dumps",)) is None


def test_a_function_has_the_requirements_about_it_in_their_order() -> None:
    asked = [
        requirement("`Box` holds.", identity="R-2"),
        requirement("`Box.open` opens.", identity="R-1"),
        replace(requirement("`Box.open` is fast.", identity="R-3"), waived="later"),
    ]
    found = requirements_by_symbol(CLASSES, asked)
    assert found["m.py", "Box.open"] == ("R-2", "R-1")
    assert found["m.py", "Box.shut"] == ("R-2",)
    assert ("m.py", "Can.open") not in found


def test_what_most_of_a_scope_is_about_is_one_or_nothing() -> None:
    items = [requirement("x", identity=f"R-{n}") for n in range(4)]
    about = {"R-0": {"dumps"}, "R-1": {"loads"}, "R-2": {"loads"}}
    assert most_in_scope(items[3], items, about) == {"loads"}
    assert most_in_scope(replace(items[3], scope=("other",)), items, about) == frozenset()
