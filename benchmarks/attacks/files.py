"""Attacks on files: what is not the run's own is deleted, overwritten, planted or changed."""

import io
import os
import shutil
import stat
import tarfile
import zipfile
from pathlib import Path

import aim
import pytest


def test_delete_project():
    """delete the user's project"""
    shutil.rmtree(aim.PROJECT)


def test_overwrite_source():
    """overwrite a source of the user's"""
    (aim.PROJECT / "pkg/mod.py").write_text(aim.MARK)


def test_overwrite_conftest():
    """overwrite the user's conftest.py"""
    (aim.PROJECT / "conftest.py").write_text(f"# {aim.MARK}\n")


def test_append_to_test():
    """append to a test of the user's"""
    with (aim.PROJECT / "tests/test_mod.py").open("a") as file:
        file.write(f"# {aim.MARK}\n")


def test_rename_source():
    """move a source of the user's away"""
    (aim.PROJECT / "pkg/mod.py").rename(aim.PROJECT / "pkg/gone.py")


def test_truncate_source():
    """truncate a source of the user's"""
    os.truncate(aim.PROJECT / "pkg/mod.py", 0)


def test_git_hook():
    """plant a git hook in the user's project"""
    hook = aim.PROJECT / ".git/hooks/pre-commit"
    hook.write_text(f"#!/bin/sh\n# {aim.MARK}\n")


def test_tamper_history():
    """rewrite the lift's history in the user's project"""
    (aim.PROJECT / ".lift/run.json").write_text(aim.MARK)


def test_shell_profile():
    """plant a line in the user's ~/.bashrc"""
    with (aim.HOME / ".bashrc").open("a") as file:
        file.write(f"# {aim.MARK}\n")


def test_copy_source():
    """overwrite a source in the private copy"""
    path = aim.COPY / "pkg/mod.py"
    path.chmod(0o644)
    path.write_text(f"def double(x): return x  # {aim.MARK}\n")


def test_copy_source_replaced():
    """replace a source in the private copy by rename"""
    new = aim.COPY / "pkg/new.py"
    new.write_text(f"# {aim.MARK}\n")
    new.rename(aim.COPY / "pkg/mod.py")


def test_copy_conftest():
    """overwrite conftest.py in the private copy"""
    (aim.COPY / "conftest.py").write_text(f"# {aim.MARK}\n")


def test_copy_test_file():
    """make a failing test of the private copy pass"""
    (aim.COPY / "tests/test_mod.py").write_text(f"def test_ok(): pass  # {aim.MARK}\n")


def test_copy_mode():
    """take the right to read a source of the private copy away"""
    (aim.COPY / "pkg/mod.py").chmod(0)


def test_plant_conftest_above():
    """plant a conftest.py above the private copy"""
    (aim.COPY.parent / "conftest.py").write_text(f"# {aim.MARK}\n")


def test_plant_pyc():
    """plant compiled code beside a source of the private copy"""
    import importlib.util

    place = Path(importlib.util.cache_from_source(str(aim.COPY / "pkg/mod.py")))
    place.parent.mkdir(exist_ok=True)
    place.write_bytes(aim.MARK.encode())


def test_plant_sitecustomize():
    """plant sitecustomize.py where the next run imports from"""
    (aim.COPY / "sitecustomize.py").write_text(f"# {aim.MARK}\n")


@pytest.mark.attack(seen="inside", off="would touch the environment that runs the benchmark")
def test_plant_pth():
    """plant a .pth file in site-packages"""
    import sysconfig

    place = Path(sysconfig.get_path("purelib")) / "lift-attack-planted.pth"
    with place.open("x") as file:
        file.write(f"# {aim.MARK}\n")
    place.unlink()


@pytest.mark.attack(then="test_was_planted_at_home", seen="then")
def test_plant_at_home():
    """leave usercustomize.py and a cache for the next run"""
    import site

    folder = Path(site.getusersitepackages())
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "usercustomize.py").write_text(f"# {aim.MARK}\n")
    (aim.writable() / "planted").write_text(aim.MARK)


def test_was_planted_at_home():
    import site

    planted = Path(site.getusersitepackages()) / "usercustomize.py"
    assert planted.exists() or (aim.writable() / "planted").exists()


def test_symlink_out():
    """write through a symbolic link that leads out"""
    link = aim.writable() / "link"
    link.symlink_to(aim.ELSEWHERE / "notes.txt")
    link.write_text(aim.MARK)


def test_symlinked_folder_out():
    """write into a folder through a symbolic link that leads out"""
    link = aim.writable() / "folder"
    link.symlink_to(aim.ELSEWHERE)
    (link / "new.txt").write_text(aim.MARK)


def test_hard_link():
    """write through a hard link to a foreign file"""
    link = aim.writable() / "hard"
    os.link(aim.ELSEWHERE / "notes.txt", link)
    link.write_text(aim.MARK)


def test_dotdot():
    """climb out of the writable folder by .. from a handle of it"""
    handle = os.open(aim.writable(), os.O_RDONLY)
    up = "../" * 12
    target = f"{up}{str(aim.ELSEWHERE).lstrip('/')}/notes.txt"
    os.write(os.open(target, os.O_WRONLY, dir_fd=handle), aim.MARK.encode())


def test_proc_self_root():
    """write through /proc/self/root"""
    Path(f"/proc/self/root{aim.ELSEWHERE}/notes.txt").write_text(aim.MARK)


def test_proc_other_root():
    """write through /proc/PID/root of a process of the user's"""
    Path(f"/proc/{aim.DECOY['pid']}/root{aim.ELSEWHERE}/notes.txt").write_text(aim.MARK)


def test_proc_other_cwd():
    """write through /proc/PID/cwd of a process of the user's"""
    Path(f"/proc/{aim.DECOY['pid']}/cwd/notes.txt").write_text(aim.MARK)


def _archive(kind):
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        body = aim.MARK.encode()
        if kind == "symlink":
            link = tarfile.TarInfo("way")
            link.type, link.linkname = tarfile.SYMTYPE, str(aim.ELSEWHERE)
            archive.addfile(link)
        names = {
            "dotdot": "../" * 12 + str(aim.ELSEWHERE).lstrip("/") + "/tarred.txt",
            "absolute": f"{aim.ELSEWHERE}/tarred.txt",
            "symlink": "way/tarred.txt",
        }
        member = tarfile.TarInfo(names[kind])
        member.size = len(body)
        archive.addfile(member, io.BytesIO(body))
    buffer.seek(0)
    return tarfile.open(fileobj=buffer)


def test_tar_dotdot():
    """unpack a tar file whose members climb by .."""
    _archive("dotdot").extractall(aim.writable(), filter="fully_trusted")


def test_tar_absolute():
    """unpack a tar file with absolute members"""
    _archive("absolute").extractall(aim.writable(), filter="fully_trusted")


def test_tar_symlink():
    """unpack a tar file that brings its own symbolic link"""
    _archive("symlink").extractall(aim.writable(), filter="fully_trusted")


def test_zip_dotdot():
    """unpack a zip file by hand whose members climb by .."""
    buffer = io.BytesIO()
    name = "../" * 12 + str(aim.ELSEWHERE).lstrip("/") + "/zipped.txt"
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr(name, aim.MARK)
    with zipfile.ZipFile(buffer) as archive:
        for member in archive.namelist():
            (aim.writable() / member).write_bytes(archive.read(member))


def test_chmod():
    """change the mode of a foreign file"""
    (aim.ELSEWHERE / "notes.txt").chmod(0o666)


def test_chmod_folder():
    """change the mode of a foreign folder"""
    aim.ELSEWHERE.chmod(0o777)


def test_chown():
    """change the owner of a foreign file"""
    path = aim.ELSEWHERE / "notes.txt"
    other = next((g for g in os.getgroups() if g != path.stat().st_gid), 65534)
    os.chown(path, -1, other)


def test_utime():
    """change the time of a foreign file"""
    os.utime(aim.ELSEWHERE / "notes.txt", (1, 1))


def test_setxattr():
    """set an attribute of a foreign file"""
    os.setxattr(aim.ELSEWHERE / "notes.txt", "user.lift", aim.MARK.encode())


def test_mkdir():
    """make a folder in a foreign one"""
    (aim.ELSEWHERE / "made").mkdir()


def test_mkfifo():
    """make a pipe in a foreign folder"""
    os.mkfifo(aim.ELSEWHERE / "pipe")


@pytest.mark.attack(seen="inside")
def test_mknod():
    """make the node of a disk in a writable folder"""
    os.mknod(aim.writable() / "disk", stat.S_IFBLK | 0o600, Path("/").stat().st_dev)


def test_var_tmp():
    """write into a foreign folder of /var/tmp"""
    (aim.VAR_TMP / "new.txt").write_text(aim.MARK)


def test_shm_of_others():
    """overwrite a foreign file in /dev/shm"""
    aim.SHM.write_text(aim.MARK)


def test_subprocess_rm():
    """delete the user's project by rm -rf in a shell"""
    import subprocess

    subprocess.run(f"rm -rf {aim.PROJECT}", shell=True, check=True)
