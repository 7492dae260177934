"""The environment of a jail, and which tier is chosen: what leaks is known by trial."""

from __future__ import annotations

import os
import shutil
import site
import sys
from pathlib import Path

import pytest

from pytest_lift.errors import UsageError
from pytest_lift.sandbox import probe
from pytest_lift.sandbox.child import Places, run_child
from pytest_lift.sandbox.jail import TIERS, Jail, Limits, python_reads
from pytest_lift.sandbox.kernel import SCOPED_ABI, landlock_abi
from pytest_lift.sandbox.probe import TRIAL, _weaknesses, choose, problem, working_tiers

LEAKS = ("can be written", "can be read", "can be reached")


class TestJail:
    def test_limits(self) -> None:
        assert Limits() == Limits(2**31, 2**28, 1024, 256, 2**26, 2**29, 65_536)
        assert Limits(memory=5).address_space == 10

    def test_nothing_of_the_environment_but_what_is_listed(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("OPENAI_API_KEY", "sk")
        monkeypatch.setenv("MINE", "1")
        monkeypatch.setenv("TZ", "UTC")
        monkeypatch.setattr(site, "ENABLE_USER_SITE", True)
        found = Jail("bwrap", passed_on=("MINE", "ABSENT")).environment(
            Path("/h"), {"X": "y", "TMP": "/t"}
        )
        assert "OPENAI_API_KEY" not in found
        assert found["PYTHONUSERBASE"] == site.getuserbase()
        kept = {name: found[name] for name in ("MINE", "TZ", "X", "HOME", "TMPDIR", "TMP")}
        assert kept == {
            "MINE": "1", "TZ": "UTC", "X": "y", "HOME": "/h", "TMPDIR": "/h", "TMP": "/t"
        }  # fmt: skip
        assert not {"USERPROFILE", "TEMP"} & found.keys() or os.name == "nt"
        monkeypatch.setattr(site, "ENABLE_USER_SITE", False)
        assert "PYTHONUSERBASE" not in Jail("bwrap").environment(Path("/h"), {})

    def test_what_is_allowed_in_the_project_is_meant_in_the_copy(self, tmp_path: Path) -> None:
        project, copy = tmp_path / "project", tmp_path / "copy"
        (copy / "data").mkdir(parents=True)
        paths = (project / "data", project / ".venv", tmp_path / "other")
        moved = (copy / "data", project / ".venv", tmp_path / "other")
        found = Jail("bwrap", reads=paths, writes=paths).inside(project, copy)
        assert (found.reads, found.writes) == (moved, moved)

    def test_all_that_is_open_is_told(self) -> None:
        jail = Jail(
            "bwrap",
            writes=(Path("/data"),),
            net=True,
            weaknesses=("old",),
            skipped={"x": "gone", "y": "slow"},
        )
        assert jail.open == (
            "old",
            "the network can be reached (--lift-allow-net)",
            "/data can be written (--lift-allow-write)",
        )
        assert jail.told == (
            "bwrap (not x: gone; not y: slow); leaves open: old; the network can be reached "
            "(--lift-allow-net); /data can be written (--lift-allow-write)"
        )
        assert Jail("off", net=True, weaknesses=("old",)).open == (
            "generated tests run as you: they can read, write and send whatever you can",
        )

    def test_python_reads_its_packages_and_neither_project_nor_home(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        project, beside = tmp_path / "project", tmp_path / "beside"
        (project / "lib").mkdir(parents=True)
        beside.mkdir()
        monkeypatch.setattr(
            sys,
            "path",
            ["", "relative", str(project / "lib"), str(beside), str(beside), str(Path.home()),
             str(tmp_path), str(tmp_path / "gone"), "/"],
        )  # fmt: skip
        monkeypatch.setattr(site, "ENABLE_USER_SITE", False)
        found = python_reads(project)
        assert found.count(beside) == 1
        for path in (project / "lib", Path.home(), tmp_path, tmp_path / "gone", Path("/")):
            assert path not in found
        assert Path(sys.prefix) in found
        assert Path(sys.base_prefix) in found
        assert Path(os.path.realpath(sys.executable)).parent in found
        assert Path(probe.__file__).resolve().parents[2] in found


class TestProbe:
    def test_a_program_that_leaks_is_seen_leak_by_leak(self) -> None:
        found = problem("off").split("; ")
        assert found == [
            "a file outside can be written",
            "a file outside can be read",
            "the network can be reached",
        ]

    def test_the_trial_sees_what_does_not_work(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        gone = str(tmp_path / "gone/file")
        monkeypatch.setattr(sys, "argv", ["-c", gone, "1", "none", gone])
        exec(TRIAL, {})
        told = capsys.readouterr().out.strip()
        assert told.startswith("tried:its own folder cannot be written (")

    @pytest.mark.parametrize("tier", TIERS)
    def test_a_tier_that_can_start_a_program_here_has_no_problem(
        self, tier: str, tmp_path: Path
    ) -> None:
        own = tmp_path / "own"
        try:
            child = run_child(
                [sys.executable, "-I", "-S", "-c", "print('inside')"],
                cwd=own,
                env={},
                seconds=30,
                jail=Jail(tier, reads=python_reads(tmp_path)),
                places=Places(throwaway=own),
            )
            works = child.output == "inside\n"
        except UsageError:
            works = False
        why = problem(tier)
        assert bool(why) != works
        assert not any(leak in why for leak in LEAKS)

    def test_the_strongest_that_works_is_chosen_and_the_others_are_told(self) -> None:
        known = working_tiers()
        working = [tier for tier in TIERS if not known[tier]]
        found = choose("auto", Jail("auto", net=True))
        assert (found.tier, found.net) == (working[0], True)
        assert [*found.skipped] == [*TIERS][: TIERS.index(working[0])]
        assert all(found.skipped.values())
        assert found.weaknesses == _weaknesses(working[0])
        named = choose(working[-1], Jail("auto"))
        assert (named.tier, named.skipped) == (working[-1], {})
        assert named.weaknesses == _weaknesses(working[-1])

    def test_weaker_tiers_are_taken_where_stronger_ones_are_not_there(self) -> None:
        why = {"bwrap": "not installed", "namespaces": "a file outside can be read"}

        def ask(tier: str) -> str:
            return why.get(tier, "")

        found = choose("auto", Jail("auto", net=True), ask)
        assert (found.tier, found.net, found.skipped) == ("landlock", True, why)
        assert found.weaknesses == _weaknesses("landlock")
        assert choose("auto", Jail("auto"), lambda tier: "") == Jail("bwrap")
        assert choose("namespaces", Jail("auto"), lambda tier: "") == Jail("namespaces")
        with pytest.raises(UsageError, match="namespaces: a file outside can be read"):
            choose("namespaces", Jail("auto"), ask)
        with pytest.raises(UsageError, match="bwrap: no; namespaces: no; landlock: no"):
            choose("auto", Jail("auto"), lambda tier: "no")

    def test_none_is_what_was_asked_for(self) -> None:
        assert choose("off", Jail("auto", net=True)) == Jail("off", net=True)

    def test_what_is_asked_for_and_not_there_is_refused(self) -> None:
        with pytest.raises(UsageError) as caught:
            choose("none", Jail("auto"))
        told = caught.value
        assert told.what.endswith("no tier of a jail is called 'none'")
        assert told.where == "--lift-sandbox none"
        for remedy in ("install bubblewrap", "user namespaces", "--lift-sandbox=off"):
            assert remedy in told.todo

    def test_an_unknown_tier_has_a_problem(self) -> None:
        assert problem("none") == "no tier of a jail is called 'none'"
        assert problem("auto") == "no tier of a jail is called 'auto'"

    def test_another_system(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(sys, "platform", "darwin")
        assert working_tiers() == dict.fromkeys(("bwrap", "namespaces", "landlock"), "needs Linux")

    def test_a_lift_needs_a_system_with_jails(self, monkeypatch: pytest.MonkeyPatch) -> None:
        with monkeypatch.context() as patched:
            patched.setattr(os, "name", "nt")
            with pytest.raises(UsageError) as caught:
                choose("off", Jail("auto"))
        told = caught.value
        assert (told.what, told.where) == ("a lift cannot run on this system yet", "--lift")
        assert told.todo.startswith("use Linux")

    def test_a_tier_whose_program_is_not_there(self, monkeypatch: pytest.MonkeyPatch) -> None:
        with monkeypatch.context() as patched:
            patched.setattr(os, "access", lambda path, mode: False)
            assert problem("bwrap") == "bubblewrap is not installed"

    def test_an_interpreter_that_is_gone_or_ends_at_once(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        gone = str(tmp_path / "python")
        monkeypatch.setattr(sys, "executable", gone)
        assert problem("off") == f"[Errno 2] No such file or directory: '{gone}'"
        monkeypatch.setattr(sys, "executable", shutil.which("false"))
        assert problem("off") == "a process in it ends with -9: "

    def test_what_the_trial_is_told(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        told = tmp_path / "told"
        python = _python(tmp_path, f'[ $# -le 4 ] || printf "%s\\n" "$HOME" "$@" > {told}')
        monkeypatch.setattr(sys, "executable", python)
        assert len(problem("off").split("; ")) == 3
        home, *flags, loopback, own = told.read_text().replace(TRIAL, "TRIAL").splitlines()
        assert flags[:4] == ["-I", "-S", "-c", "TRIAL"]
        assert loopback == "loopback"
        assert own == f"{home}/file"
        assert Path(flags[4]).name == "victim"
        assert Path(flags[4]).parent != Path(home).parent

    def test_of_what_a_trial_says_that_fails_the_end_is_told(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        said = f"{'a' * 200}{'b' * 200}"
        python = _python(tmp_path, f"[ $# -le 4 ] || {{ printf {said}; exit 3; }}")
        monkeypatch.setattr(sys, "executable", python)
        assert problem("off") == f"a process in it ends with 3: {said[-300:]}"

    def test_an_old_kernel_leaves_signals_open(self) -> None:
        said = ("your other processes can be signalled (this kernel's Landlock is too old)",)
        assert _weaknesses("landlock") == _weaknesses("landlock", landlock_abi())
        assert _weaknesses("landlock", SCOPED_ABI - 1) == said
        assert _weaknesses("landlock", SCOPED_ABI) == ()
        assert _weaknesses("bwrap", 0) == ()


def _python(folder: Path, first: str) -> str:
    """An interpreter that does `first` before anything else; a trial has more than 4 arguments."""
    path = folder / "python"
    path.write_text(f'#!/bin/sh\n{first}\nexec {sys.executable} "$@"\n')
    path.chmod(0o755)
    return str(path)
