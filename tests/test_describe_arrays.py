"""Arrays, frames and numbers of numpy are told as lists and plain numbers."""

from __future__ import annotations

import math
from typing import Any

import pytest

from pytest_lift.calls.child.describing.describe import describe, drained
from pytest_lift.calls.child.describing.expressions import expression_of
from pytest_lift.calls.child.describing.names import UsedNames
from pytest_lift.calls.child.describing.views import Viewer

np = pytest.importorskip("numpy")
pd = pytest.importorskip("pandas")
HERE = frozenset({__name__})


class Model:
    def __init__(self) -> None:
        self.centers = np.array([[1.0, 2.0]])
        self.loss = 1 / 3
        self.parts = {"a": np.array([1])}


@pytest.mark.parametrize(
    ("value", "look", "source"),
    [
        (np.array([0, 1]), "{}.tolist()", "[0, 1]"),
        (np.array([[True, False]]), "{}.tolist()", "[[True, False]]"),
        (np.array([1 / 3, 2.0]), "{}.tolist()", "pytest.approx([0.333333333, 2.0])"),
        (np.array([[1 / 3]]), "{}.round(6).tolist()", "[[0.333333]]"),
        (np.array([1.0, math.nan]), "{}.tolist()",
         "pytest.approx([1.0, float(\"nan\")], nan_ok=True)"),
        (np.zeros((50, 2)), "{}.shape", "(50, 2)"),
        (np.float64(0.5), "", "0.5"),
        (np.int64(3), "", "3"),
        (np.bool_(True), "bool({})", "True"),
        ((np.array([1]), np.array([2.0])), "[part.tolist() for part in {}]", "[[1], [2.0]]"),
        ({"a": np.array([1])}, "{name: part.tolist() for name, part in {}.items()}",
         "{'a': [1]}"),
        ({"mean": np.float64(2.5), "n": np.int64(2)}, "", "{'mean': 2.5, 'n': 2}"),
        (pd.Series([1, 2]), "{}.tolist()", "[1, 2]"),
        (pd.DataFrame({"a": [1, 2]}), "{}.to_dict('list')", "{'a': [1, 2]}"),
        (pd.DataFrame({"a": [0.1, math.nan]}), "{}.shape", "(2, 1)"),
    ],
)  # fmt: skip
def test_values_of_libraries_become_plain(value: object, look: str, source: str) -> None:
    told, wrap = drained(value)
    assert (wrap, expression_of(told, UsedNames(), HERE)) == (look, source)
    again = eval(look.replace("{}", "value") or "value", {"value": value})
    assert again == eval(source, {"pytest": pytest})


def test_floats_with_many_digits_are_compared_approximately() -> None:
    assert expression_of(0.1 + 0.2, UsedNames(), HERE) == "pytest.approx(0.3)"
    assert expression_of(0.25, UsedNames(), HERE) == "0.25"
    assert expression_of(12345678901234567, UsedNames(), HERE) == "12345678901234567"
    assert expression_of([10**15 + 1, 2], UsedNames(), HERE) == "[1000000000000001, 2]"
    assert expression_of({"a": 1 / 3, "b": 1}, UsedNames(), HERE) == (
        "pytest.approx({'a': 0.333333333, 'b': 1})"
    )


class Unreadable(int):
    __module__ = "elsewhere"

    def __format__(self, spec: str) -> str:
        raise ValueError("no format")


def test_one_odd_value_that_a_function_holds_hides_no_other() -> None:
    odd, size = Unreadable(1), 2

    def held() -> tuple[int, int]:
        return odd, size

    assert Viewer(HERE).state_of(held) == "function;;2"


def test_objects_show_their_arrays() -> None:
    record: dict[str, Any] = describe(Model(), HERE)
    assert record["attributes"] == [
        ("centers.tolist()", "[[1.0, 2.0]]"),
        ("loss", "pytest.approx(0.333333333)"),
    ]
    views = dict(Viewer(HERE).views_of(Model()))
    assert views["{}.centers.tolist()"] == "[[1.0, 2.0]]"
    parts = next(view for view in views if "parts" in view)
    assert parts.format("model") == "{name: part.tolist() for name, part in model.parts.items()}"
