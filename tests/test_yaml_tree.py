"""YAML as a tree with places: deep, endless and exploding documents are refused."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest
import yaml
from lift_document import BODY, LIFT_DOCUMENT, complaint, load

from pytest_lift.errors import UsageError
from pytest_lift.requirements import reader
from pytest_lift.requirements.yaml_tree import DEEPEST, read_documents


@pytest.fixture(autouse=True)
def in_tmp_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_both_loaders_of_pyyaml_give_the_same_places() -> None:
    Path("reqs.yml").write_text(LIFT_DOCUMENT + 'more: &m\n  - "x"\n  - >-\n    y\nagain: *m\n')

    def outline(loader: Any) -> list[str]:
        return [repr(root) for root in read_documents(Path("reqs.yml"), [], loader=loader)]

    assert outline(yaml.SafeLoader) == outline(None)


@pytest.mark.parametrize("opening", ["[", "{a: ", "- ", "? ", "{id: a, x: "])
@pytest.mark.parametrize("loader", [yaml.SafeLoader, None])
def test_deep_nesting_is_refused_before_it_overflows(opening: str, loader: Any) -> None:
    Path("deep.yml").write_text(opening * 20_000)
    with pytest.raises(UsageError, match=f"nested more than {DEEPEST} levels deep"):
        list(read_documents(Path("deep.yml"), [], loader=loader))


def test_nesting_up_to_the_limit_loads() -> None:
    depth = DEEPEST
    opening = "".join(f"{{id: R{n}, {BODY}, x: " for n in range(depth))
    assert len(load(opening + "null" + "}" * depth)) == depth


def test_nested_titles_take_linear_time() -> None:
    text = "{title: t, description: d, x: " * 90 + f"{{id: A, {BODY}}}" + "}" * 90
    assert len(load(text)) == 1


def test_deep_nesting_through_aliases_is_refused() -> None:
    text = "a0: &a0 [x]\n" + "".join(f"a{n}: &a{n} [*a{n - 1}]\n" for n in range(1, 3000))
    assert f"nested more than {DEEPEST} levels" in complaint(text).what


def test_exploding_aliases_are_refused_at_once() -> None:
    lines = [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 30)]
    start = time.perf_counter()
    problem = complaint("a0: &a0 [x]\n" + "\n".join(lines))
    assert "too large" in problem.what
    assert time.perf_counter() - start < 1


def test_a_file_without_end_is_refused() -> None:
    if not Path("/dev/zero").exists():
        pytest.skip("no /dev/zero")
    with pytest.raises(UsageError, match="larger than 64 MiB"):
        reader.load([Path("/dev/zero")])
