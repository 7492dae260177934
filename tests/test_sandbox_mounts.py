"""What a jail mounts, as plain values: what is seen, what is hidden, what is left out."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from jail_job import job

from pytest_lift.sandbox import mounts


class TestMounts:
    def test_what_is_nearer_to_the_root_comes_first(self, tmp_path: Path) -> None:
        told = job(reads=[str(tmp_path)], throwaway="/a/b/c/d/e")
        made = [mount for mount in mounts.plan(told) if mount[0] != "link"]
        depths = [target.count("/") for _, target, _ in made]
        assert depths == sorted(depths)
        assert mounts.plan(told)[-1] == ("empty", "/a/b/c/d/e", "") or depths[-1] >= 5
        assert ("empty", "/a/b/c/d/e", "") in made

    def test_temporary_folders_are_empty_and_the_system_is_read(self) -> None:
        found = mounts.plan(job())
        assert {("empty", "/tmp", ""), ("empty", "/var/tmp", "")} <= {*found}
        assert ("read", "/usr", "/usr") in found
        assert ("read", "/etc", "/etc") in found
        assert not [mount for mount in found if mount[0] == "write"]
        assert not [mount for mount in found if mount[1] == ""]

    def test_secrets_that_are_there_are_hidden(self) -> None:
        hidden = {target for kind, target, _ in mounts.plan(job()) if kind == "hide"}
        assert hidden == {path for path in mounts.SECRETS if os.path.lexists(path)}
        assert all(
            source == target for kind, target, source in mounts.plan(job()) if kind == "hide"
        )

    def test_what_is_not_there_is_not_mounted(self, tmp_path: Path) -> None:
        gone = str(tmp_path / "gone")
        found = mounts.plan(job(reads=[gone], writes=[gone]))
        assert gone not in {target for _, target, _ in found}

    def test_links_on_the_way_are_followed_as_well(self, tmp_path: Path) -> None:
        (tmp_path / "real").mkdir()
        (tmp_path / "link").symlink_to(tmp_path / "real")
        found = [*mounts.readable(job(reads=[str(tmp_path / "link")]))]
        assert found[-2:] == [str(tmp_path / "link"), str(tmp_path / "real")]
        straight = [*mounts.readable(job(reads=[str(tmp_path / "real")]))]
        assert straight.count(str(tmp_path / "real")) == 1

    def test_short_names_are_links_or_folders(self) -> None:
        links = {target: source for kind, target, source in mounts.plan(job()) if kind == "link"}
        for place in mounts.SHORT_NAMES:
            if os.path.islink(place):
                assert links[place] == os.readlink(place)
            else:
                assert place not in links
                assert (place in mounts.readable(job())) == os.path.isdir(place)

    def test_the_resolver_is_read_with_the_network_only(self, tmp_path: Path) -> None:
        (tmp_path / "real.conf").write_text("")
        (tmp_path / "link.conf").symlink_to(tmp_path / "real.conf")
        real, link = str(tmp_path / "real.conf"), str(tmp_path / "link.conf")
        assert real in mounts.readable(job(net=True), link)
        assert real not in mounts.readable(job(), link)
        assert real not in mounts.readable(job(net=True), real)

    def test_a_folder_without_its_secrets(self, tmp_path: Path) -> None:
        for name in ("etc/ssl/private", "etc/ssl/certs", "etc/plain"):
            (tmp_path / name).mkdir(parents=True)
        root = f"{tmp_path}/etc"
        secrets = (f"{root}/ssl/private",)
        found = {*mounts.without_secrets(root, secrets)}
        assert found == {f"{root}/ssl/certs", f"{root}/plain"}
        assert [*mounts.without_secrets(f"{root}/plain", secrets)] == [f"{root}/plain"]
        assert [*mounts.without_secrets(f"{root}/ssl/private", secrets)] == []
        assert "/etc/shadow" not in mounts.without_secrets("/etc")


def pairs(words: list[str]) -> list[tuple[str, ...]]:
    """An option and what follows it."""
    found: list[tuple[str, ...]] = []
    for word in words:
        found = [*found, (word,)] if word.startswith("--") else [*found[:-1], (*found[-1], word)]
    return found


class TestBwrap:
    def test_the_frame_of_its_command_line(self) -> None:
        words = mounts.bwrap_command(job(), "/usr/bin/bwrap", 7, 8)
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
        assert "--unshare-net" in mounts.bwrap_command(job(), "bwrap", 7, 8)
        assert "--unshare-net" not in mounts.bwrap_command(job(net=True), "bwrap", 7, 8)

    def test_switches_of_the_machine_are_read_only(self) -> None:
        there = [f"/proc/{n}" for n in mounts.SWITCHES if Path("/proc", n).exists()]
        found = pairs(mounts.bwrap_command(job(), "bwrap", 7, 8)[1:])
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
        found = pairs(mounts.bwrap_command(told, "bwrap", 7, 8)[1:])
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
        assert [*mounts._words(("hide", file, file), job())] == ["--ro-bind", "/dev/null", file]
        assert [*mounts._words(("hide", folder, folder), job())] == [
            *("--size", "4096", "--tmpfs", folder, "--remount-ro", folder)
        ]
        assert [*mounts._words(("link", "/bin", "usr/bin"), job())] == [
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
        assert mounts.bwrap_status(said) == status

    def test_it_is_looked_for_at_fixed_places_only(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        (tmp_path / "bwrap").write_text("#!/bin/sh\n")
        (tmp_path / "bwrap").chmod(0o755)
        monkeypatch.setenv("PATH", str(tmp_path))
        assert mounts.find_bwrap() in (None, *(f"{place}/bwrap" for place in mounts.BWRAP_PLACES))
        assert mounts.find_bwrap(("/nowhere", str(tmp_path))) == str(tmp_path / "bwrap")
        (tmp_path / "bwrap").chmod(0o600)
        assert mounts.find_bwrap((str(tmp_path),)) is None
