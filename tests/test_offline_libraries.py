"""Parameters get objects of the standard library and of libraries that the program imports."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from offline_program import write_program

from pytest_lift.agents.offline.arguments.inputs import Inputs
from pytest_lift.agents.offline.natural.fitting.fitness import AGAINST
from pytest_lift.agents.offline.natural.naturalness import Naturalness
from pytest_lift.agents.offline.printing.checks import check_lines
from pytest_lift.agents.offline.writing.oracles.checks import StepCheck
from pytest_lift.calls.call import Call
from pytest_lift.calls.names import Resolver
from pytest_lift.calls.targets.finding import find_targets
from pytest_lift.calls.targets.target import Target

TABLE = "np.array([[1.0, 2.0], [2.0, 1.0], [4.0, 5.0], [5.0, 4.0]])"
PROGRAM = {
    "lab.py": '''
        import logging
        import sqlite3
        from datetime import date, datetime, timedelta
        from decimal import Decimal
        from pathlib import Path

        import numpy as np
        import pandas as pd
        from numpy import ndarray as Tensor


        def scale(X):
            return (X - X.mean(axis=0)) / X.shape[0]


        def total(values):
            return np.sum(values)


        def column(picture, n):
            return picture[:, n]


        def width(values):
            rows, columns = values.shape
            return columns


        def length(tensor: Tensor) -> float:
            return abs(tensor)


        class BoardState:
            def __init__(self, state):
                self.board = state

            def empty(self):
                return not self.board.any()


        class SmallBoardState(BoardState):
            def rows(self):
                return self.board[:, 0]


        class Titled(Named):
            def __init__(self, words):
                super().__init__(words)


        class Named:
            def __init__(self, title):
                self.title = title.upper()


        def mix(np_random, items):
            return [items[i] for i in np_random.permutation(len(items))]


        def sparse(df: pd.DataFrame) -> pd.DataFrame:
            return df.dropna()


        def later(day):
            return day + timedelta(days=1)


        def until(due: datetime, paid: Decimal, on: date):
            return due, paid, on


        def kind(where: Path):
            return where.suffix


        def rows(conn):
            return conn.execute("SELECT 1").fetchall()


        def say(text, logger=None):
            logger.info(text)


        def find(line, expression):
            """Look.

            :param re.Pattern expression: what to look for
            """
            return expression.match(line)


        def guarded(lock):
            with lock:
                return 1


        def flagged(strict=False):
            return strict


        def named(X: str):
            return X
    ''',
    "deck.py": """
        import random


        def deal(cards, rng):
            rng.shuffle(cards)
            return cards[0]


        def plain(X):
            return X
    """,
}


@pytest.fixture(scope="module")
def known(tmp_path_factory: pytest.TempPathFactory) -> tuple[Inputs, dict[str, Target], Resolver]:
    program = write_program(tmp_path_factory.mktemp("lab"), PROGRAM)
    resolver = Resolver(program)
    targets = {target.symbol: target for target in find_targets(program, resolver)}
    return Inputs(program, random.Random(1)), targets, resolver


@pytest.mark.parametrize(
    ("symbol", "parameter", "first"),
    [
        ("scale", "X", TABLE),
        ("total", "values", "np.array([1.0, 2.0, 3.0, 4.0])"),
        ("column", "picture", TABLE),
        ("width", "values", TABLE),
        ("length", "tensor", "np.array([1.0, 2.0, 3.0, 4.0])"),
        ("BoardState", "state", TABLE),
        ("SmallBoardState", "state", TABLE),
        ("Titled", "words", "'hello'"),
        ("mix", "np_random", "np.random.RandomState(1)"),
        ("deal", "rng", "Random(1)"),
        ("sparse", "df", "pd.DataFrame({'a': [1, 2, 3], 'b': ['x', 'y', 'x']})"),
        ("later", "day", "date(2024, 2, 29)"),
        ("until", "due", "datetime(2024, 2, 29, 12, 30)"),
        ("until", "paid", "Decimal('1.50')"),
        ("until", "on", "date(2024, 2, 29)"),
        ("kind", "where", "Path('notes.txt')"),
        ("rows", "conn", "sqlite3.connect(':memory:')"),
        ("say", "logger", "logging.getLogger('test')"),
        ("find", "expression", "re.compile('(?P<name>[a-z]+)')"),
        ("guarded", "lock", "Lock()"),
        ("named", "X", "'hello'"),
        ("plain", "X", "[1, 2, 3]"),
    ],
)
def test_code_names_and_types_tell_the_object(
    known: tuple[Inputs, dict[str, Target], Resolver], symbol: str, parameter: str, first: str
) -> None:
    inputs, targets, _ = known
    target = targets[symbol]
    wanted = next(p for p in target.parameters if p.name == parameter)
    assert inputs.pool(target, wanted)[0] == first


def test_a_library_is_imported_by_the_name_that_everybody_knows(
    known: tuple[Inputs, dict[str, Target], Resolver],
) -> None:
    *_, resolver = known
    assert resolver.imports(["np"], "deck.py") == ("import numpy as np",)
    assert resolver.imports(["Random"], "deck.py") == ("from random import Random",)


def test_a_library_that_the_program_does_not_import_is_unknown(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"deck.py": PROGRAM["deck.py"]})
    assert Resolver(program).imports(["np"], "deck.py") is None


def test_what_does_not_fit_is_odd(
    known: tuple[Inputs, dict[str, Target], Resolver],
) -> None:
    inputs, targets, _ = known
    flag = targets["flagged"]
    odd = [
        Call(flag, (("strict", value),)) for value in ("True", "iter([1])", "LIMIT", "Path('a')")
    ]
    assert [Naturalness(inputs).misfit(call) for call in odd] == [0.0, 1.0, 0.0, 1.0]
    calls = [Call(targets["scale"], (("X", value),)) for value in ("np.zeros(4)", "[1, 2]")]
    assert [Naturalness(inputs).misfit(call) for call in calls] == [0.0, AGAINST]


def test_results_of_several_arrays_are_looked_at_through_a_variable() -> None:
    arrays = "np.array([1.0, 2.0, 3.0, 4.0]), np.array([0, 0, 1, 1])"
    check = StepCheck(
        "equals",
        f"[part.tolist() for part in split({arrays}, test_size=0.5, shuffle=False)]",
        "[[1.0, 2.0], [3.0, 4.0], [0, 0], [1, 1]]",
    )
    assert check_lines(check) == [
        "    result = split(",
        "        np.array([1.0, 2.0, 3.0, 4.0]),",
        "        np.array([0, 0, 1, 1]),",
        "        test_size=0.5,",
        "        shuffle=False,",
        "    )",
        "    expected = [[1.0, 2.0], [3.0, 4.0], [0, 0], [1, 1]]",
        "    assert [part.tolist() for part in result] == expected",
    ]


def test_a_long_call_whose_result_is_made_plain_has_a_line_of_its_own() -> None:
    frame = "pd.DataFrame({'a': [1.0, None, 3.0], 'b': ['x', None, None]})"
    for look, made in ((".shape", "(3, 2)"), (".round(6).to_dict('list')", "{'a': [1.0, 3.0]}")):
        lines = check_lines(
            StepCheck("equals", f"drop({frame}, threshold=1.5, rows=2){look}", made)
        )
        assert lines[0].startswith("    result = drop(")
        assert lines[-1] == f"    assert result{look} == {made}".replace("'", '"')
        assert all(len(line) <= 100 for line in lines)


def test_an_object_of_the_program_goes_before_those_of_libraries_with_the_same_method(
    tmp_path: Path,
) -> None:
    code = """
        class Registry:
            def resolve(self, pointer):
                return pointer.strip("/")


        def target(pointer, context):
            return context.resolve(pointer)
        """
    near = f"\n        import pathlib\n{code}"
    program = write_program(tmp_path, {"pointers.py": code, "places.py": near})
    inputs = Inputs(program, random.Random(1))
    targets = [one for one in find_targets(program, Resolver(program)) if one.symbol == "target"]
    found = {one.path: inputs.foreign(one, one.parameters[1]) for one in targets}
    assert found["pointers.py"] == ([], False)
    kinds, sure = found["places.py"]
    assert ([one.kind for one in kinds], sure) == (["Path"], False)


def test_an_application_gets_a_request(tmp_path: Path) -> None:
    code = """
        def app(environ, start_response):
            if environ.get("PATH_INFO") == "/":
                start_response("200 OK", [])
            return [b"", environ.get("QUERY_STRING")]
        """
    program = write_program(tmp_path, {"web.py": code})
    (target,) = find_targets(program, Resolver(program))
    inputs = Inputs(program, random.Random(1))
    environ, start = target.parameters
    request = inputs.pool(target, environ)[0]
    assert request.startswith("{'REQUEST_METHOD': 'GET', 'PATH_INFO': '/',")
    assert "lambda status, headers, exc_info=None: None" in inputs.pool(target, start)


FOUND = """
    import inspect

    def named(found):
        return found.group("name"), found.span()

    def names(func_signature):
        return [*func_signature.parameters], func_signature.return_annotation

    def hinted(of: inspect.Signature):
        return str(of)
    """


@pytest.mark.parametrize(
    ("function", "value"),
    [
        ("named", "re.match('(.+)=(.+)', 'name=Ada')"),
        ("names", "inspect.signature(sorted)"),
        ("hinted", "inspect.signature(sorted)"),
    ],
)
def test_a_match_and_a_signature_are_real_ones(tmp_path: Path, function: str, value: str) -> None:
    program = write_program(tmp_path, {"found.py": FOUND})
    inputs = Inputs(program, random.Random(1))
    targets = {one.symbol: one for one in find_targets(program, Resolver(program))}
    target = targets[function]
    assert inputs.pool(target, target.parameters[0])[0] == value
    assert Naturalness(inputs).misfit(Call(target, ((target.parameters[0].name, value),))) == 0
