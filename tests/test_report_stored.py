"""A stored report is the report, its schema is published, and what is no report is refused."""

from __future__ import annotations

import json
from dataclasses import MISSING, fields, replace
from pathlib import Path
from typing import Any

import pytest
from report_of import bare, hostile, small

from pytest_lift.errors import UsageError
from pytest_lift.report.facts import Report
from pytest_lift.report.stored import as_data, as_text, from_data, read_report, without_secrets

SAMPLES = {"small": small, "bare": bare, "hostile": hostile}


@pytest.mark.parametrize("name", SAMPLES)
def test_what_is_stored_is_read_again(name: str, tmp_path: Path) -> None:
    report = SAMPLES[name]()
    (tmp_path / "r.json").write_bytes(as_text(report).encode("utf-8", "surrogatepass"))
    assert from_data(json.loads(as_text(report))) == report
    if name != "hostile":  # lone surrogates are no UTF-8: the writer spells them out
        assert read_report(tmp_path / "r.json") == report


def test_a_report_with_defaults_left_out_is_read() -> None:
    needed = {
        f.name for f in fields(Report) if f.default is MISSING and f.default_factory is MISSING
    }
    data = {k: v for k, v in as_data(bare()).items() if k in {*needed, "version"}}
    assert from_data(data).requirements == ()


def test_a_report_of_before_there_were_mutants_is_read() -> None:
    """Version 0.1.0 wrote neither what became of them nor what a test kills."""
    data = json.loads(as_text(small()))
    del data["mutation"]
    data["mutation_percent"] = None
    for test in data["tests"]:
        del test["kills"]
    found = from_data(data)
    assert found.mutation is None
    assert {test.kills for test in found.tests} == {None}
    assert len(found.tests) == len(small().tests)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"version": 3}, "version 3, this program knows 2"),
        ({"project": 3}, "project cannot be 3"),
        ({"tests": {}}, "tests is no list"),
        ({"tests": [{"node": "x"}]}, r"tests\[0\] lacks a key: 'outcome'"),
        ({"verdict": {"tone": "loud", "headline": ""}}, "verdict.tone cannot be 'loud'"),
        ({"seconds": True}, "seconds cannot be True"),
        ({"mutation": {"percent": 1.0}}, "mutation lacks a key"),
        ({"unknown": [["x"]]}, r"unknown\[0\] has 1 parts, not 2"),
    ],
)
def test_what_is_no_report_is_refused(change: dict[str, Any], told: str, tmp_path: Path) -> None:
    place = tmp_path / "r.json"
    place.write_text(json.dumps({**as_data(bare()), **change}), "utf-8")
    with pytest.raises(UsageError, match=told):
        read_report(place)


@pytest.mark.parametrize("text", ["", "[]", "{", "[" * 100_000])
def test_what_is_no_json_is_refused(text: str, tmp_path: Path) -> None:
    (tmp_path / "r.json").write_text(text)
    with pytest.raises(UsageError, match="not a report"):
        read_report(tmp_path / "r.json")


def test_a_secret_that_is_a_word_of_ours_breaks_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {"A_KEY": "verified", "B_KEY": "requirements", "C_KEY": "unlinked"}.items():
        monkeypatch.setenv(name, value)
    cleaned = without_secrets(small())
    assert [item.status for item in cleaned.requirements] == [
        item.status for item in small().requirements
    ]
    assert "[redacted A_KEY]" in as_text(cleaned)


def test_secrets_stay_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_API_KEY", "hunter2-hunter2")
    report = Report("p", "m", "t", small().verdict, warnings=("said hunter2-hunter2",))
    assert without_secrets(report).warnings == ("said [redacted SOME_API_KEY]",)


def test_what_things_are_found_again_by_is_never_redacted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A password may be a word of a path: two reports would be about other things."""
    monkeypatch.setenv("SHOP_PASSWORD", "test_cart")
    monkeypatch.setenv("OTHER_TOKEN", "CART-1-CART-1")
    report = small()
    cleaned = without_secrets(report)
    assert [test.node for test in cleaned.tests] == [test.node for test in report.tests]
    assert any("test_cart" in test.node for test in report.tests), "or this shows nothing"
    for before, after in zip(report.requirements, cleaned.requirements, strict=True):
        assert after.id == before.id
        assert [link.test for link in after.links] == [link.test for link in before.links]
    told = replace(report, warnings=("see test_cart",))
    assert without_secrets(told).warnings == ("see [redacted SHOP_PASSWORD]",)


def test_a_report_of_version_1_is_read_with_the_statuses_of_today() -> None:
    data = json.loads(as_text(small()))
    names = {"uncovered": "untested", "touched": "partial"}
    data["version"] = 1
    for item in data["requirements"]:
        for row in (item, *item["history"]):
            row["status"] = names.get(row["status"], row["status"])
        for link in item["links"]:
            del link["cases"], link["doubt"]
    found = from_data(data)
    wanted = small().requirements
    assert [item.status for item in found.requirements] == [item.status for item in wanted]
    assert [item.history for item in found.requirements] == [item.history for item in wanted]
    assert "untested" in json.dumps(data)
    for odd in ({"requirements": 3}, {"requirements": [3]}, {"requirements": [{"status": []}]}):
        with pytest.raises(ValueError, match=r"is no|lacks|cannot be"):
            from_data({**data, **odd})
