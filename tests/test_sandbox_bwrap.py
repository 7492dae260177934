"""Bubblewrap's command line, as a value: what is mounted where, and in which order."""

from __future__ import annotations

from pathlib import Path

import pytest
from jail_job import job

from pytest_lift.sandbox import bwrap, mounts


def pairs(words: list[str]) -> list[tuple[str, ...]]:
    """An option and what follows it."""
    found: list[tuple[str, ...]] = []
    for word in words:
        found = [*found, (word,)] if word.startswith("--") else [*found[:-1], (*found[-1], word)]
    return found


class TestBwrap:
    def test_the_frame_of_its_command_line(self) -> None:
        words = bwrap.command(job(), "/usr/bin/bwrap", 7, 8)
        end = words.index("--remount-ro", words.index("--remount-ro") + 1)
        while words[end + 1] != "/":
            end = words.index("--remount-ro", end + 1)
        assert words[0] == "/usr/bin/bwrap"
        assert pairs(words[1:])[:15] == [
            ("--unshare-user",),
            ("--unshare-pid",),
            ("--unshare-ipc",),
            ("--die-with-parent",),
            ("--unshare-net",),
            ("--cap-drop", "ALL"),
            ("--new-session",),
            ("--seccomp", "7"),
            ("--json-status-fd", "8"),
            ("--proc", "/proc"),
            ("--dev", "/dev"),
            ("--size", "268435456"),
            ("--tmpfs", "/dev/shm"),
            ("--remount-ro", "/dev"),
            ("--ro-bind", "/proc/sys", "/proc/sys"),
        ]
        assert words[end:] == [
            *("--remount-ro", "/", "--chdir", "/work", "--", "python", "-c", "pass")
        ]

    def test_the_network_is_its_own_unless_allowed(self) -> None:
        assert "--unshare-net" in bwrap.command(job(), "bwrap", 7, 8)
        assert "--unshare-net" not in bwrap.command(job(net=True), "bwrap", 7, 8)

    def test_switches_of_the_machine_are_read_only(self) -> None:
        there = [f"/proc/{n}" for n in mounts.SWITCHES if Path("/proc", n).exists()]
        found = pairs(bwrap.command(job(), "bwrap", 7, 8)[1:])
        assert there
        assert all(("--ro-bind", place, place) in found for place in there)

    def test_what_is_read_written_hidden_and_thrown_away(self, tmp_path: Path) -> None:
        reads, writes = tmp_path / "reads", tmp_path / "writes"
        reads.mkdir()
        writes.mkdir()
        told = job(
            reads=[str(reads)],
            writes=[str(writes)],
            throwaway="/scratch/own",
            folders=["home", "tmp"],
        )
        found = pairs(bwrap.command(told, "bwrap", 7, 8)[1:])
        assert ("--ro-bind", str(reads), str(reads)) in found
        assert ("--bind", str(writes), str(writes)) in found
        place = found.index(("--tmpfs", "/scratch/own"))
        assert found[place - 2 : place] == [("--perms", "1777"), ("--size", "4096")]
        ending = [("--dir", f"/scratch/own/{name}") for name in ("home", "tmp")]
        assert found[found.index(("--remount-ro", "/")) - 2 :][:2] == ending

    def test_a_secret_is_nothing_and_a_folder_of_them_is_empty(self, tmp_path: Path) -> None:
        (tmp_path / "keys").mkdir()
        (tmp_path / "shadow").write_text("")
        file, folder = str(tmp_path / "shadow"), str(tmp_path / "keys")
        assert [*bwrap._words(("hide", file, file), job())] == ["--ro-bind", "/dev/null", file]
        assert [*bwrap._words(("hide", folder, folder), job())] == [
            *("--size", "4096", "--tmpfs", folder, "--remount-ro", folder)
        ]
        assert [*bwrap._words(("link", "/bin", "usr/bin"), job())] == [
            *("--symlink", "usr/bin", "/bin")
        ]

    @pytest.mark.parametrize(
        ("said", "status"),
        [
            (b'{ "child-pid": 5 }\n{ "exit-code": 0 }\n', 0),
            (b'{ "exit-code": 3 }', 3),
            (b'{ "exit-code": 128 }', 128),
            (b'{ "exit-code": 129 }', -1),
            (b'{ "exit-code": 137 }', -9),
            (b'{ "child-pid": 5 }', None),
            (b'{ "exit-code": x }', None),
            (b"", None),
        ],
    )
    def test_how_the_child_ended(self, said: bytes, status: int | None) -> None:
        assert bwrap.exit_status(said) == status

    def test_it_is_looked_for_at_fixed_places_only(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        (tmp_path / "bwrap").write_text("#!/bin/sh\n")
        (tmp_path / "bwrap").chmod(0o755)
        monkeypatch.setenv("PATH", str(tmp_path))
        assert bwrap.find() in (None, *(f"{place}/bwrap" for place in bwrap.PLACES))
        assert bwrap.find(("/nowhere", str(tmp_path))) == str(tmp_path / "bwrap")
        (tmp_path / "bwrap").chmod(0o600)
        assert bwrap.find((str(tmp_path),)) is None
