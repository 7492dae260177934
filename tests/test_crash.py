"""What fails inside the plugin, in each kind of hook: pytest goes on, and says it at its end."""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

from pytest_lift.session.crash import Guards, kept


class Before:
    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self) -> Generator[None, Any, Any]:
        raise ValueError("odd")
        yield

    seen = 0


class After:
    seen = 0

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self) -> Generator[None, Any, Any]:
        self.seen += 1
        yield
        raise ValueError("odd")


class Plain:
    seen = 0

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.seen += 1
        raise ValueError("odd")


class Fine:
    seen = 0

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        self.seen += 1
        report = yield
        report.sections.append(("ours", item.name))
        return report


class Registers:
    def __init__(self, plugin: object) -> None:
        self.plugin = plugin

    def pytest_configure(self, config: pytest.Config) -> None:
        guards = Guards(config)
        guards.register(self.plugin, "guarded")
        config.pluginmanager.register(guards, "guards")


def test_the_traceback_is_kept_without_keys(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOME_API_KEY", "sk-live-0123456789abcdefghij")
    error = ValueError("it said sk-live-0123456789abcdefghij")
    place = Path(kept(tmp_path / ".lift", error))
    assert place.parent == tmp_path / ".lift"
    assert "ValueError: it said [redacted SOME_API_KEY]" in place.read_text("utf-8")


def test_where_it_cannot_be_kept_its_last_line_is_told(tmp_path: Path) -> None:
    (tmp_path / "crash.txt").mkdir()
    assert kept(tmp_path, ValueError("odd")) == "ValueError: odd"


TESTS = "def test_a(): pass\ndef test_b(): pass\n"


@pytest.mark.parametrize("kind", [Before, After, Plain])
def test_the_session_goes_on(
    pytester: pytest.Pytester, capsys: pytest.CaptureFixture[str], kind: type[Any]
) -> None:
    pytester.makeini("[pytest]")
    pytester.makepyfile(test_it=TESTS)
    plugin = kind()
    result = pytester.inline_run(plugins=[Registers(plugin)])
    assert result.ret == pytest.ExitCode.INTERNAL_ERROR
    said = capsys.readouterr().out
    assert "2 passed" in said
    assert said.count("pytest-lift has stopped: an internal error") == 1
    assert "ValueError: odd" in (pytester.path / ".lift/crash.txt").read_text("utf-8")
    assert plugin.seen <= 1  # what has failed is not called again


def test_what_works_is_let_work(pytester: pytest.Pytester) -> None:
    pytester.makeini("[pytest]")
    pytester.makepyfile(test_it=TESTS)
    plugin = Fine()
    result = pytester.inline_run(plugins=[Registers(plugin)])
    assert (result.ret, plugin.seen) == (pytest.ExitCode.OK, 6)
    assert ("ours", "test_a") in result.getreports("pytest_runtest_logreport")[0].sections


def test_what_others_raise_is_theirs(pytester: pytest.Pytester) -> None:
    pytester.makeini("[pytest]")
    pytester.makepyfile(test_it=TESTS)
    other = "def pytest_runtest_makereport(item, call): raise KeyError('theirs')\n"
    pytester.makeconftest(other)
    plugin = Fine()
    result = pytester.inline_run(plugins=[Registers(plugin)])
    assert result.ret == pytest.ExitCode.INTERNAL_ERROR
    assert not (pytester.path / ".lift").exists()


def test_a_test_that_fails_stays_a_failure(pytester: pytest.Pytester) -> None:
    pytester.makeini("[pytest]")
    pytester.makepyfile(test_it="def test_a(): assert 0\n")
    result = pytester.inline_run(plugins=[Registers(Plain())])
    assert result.ret == pytest.ExitCode.TESTS_FAILED
