"""What a jail mounts, as plain values: what is seen, what is hidden, what is left out."""

from __future__ import annotations

import os
from pathlib import Path

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
