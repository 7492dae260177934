"""What honest tests do with files."""

import dbm
import fcntl
import importlib
import logging
import mmap
import os
import pickle
import shelve
import shutil
import sqlite3
import stat
import subprocess
import sys
import tarfile
import tempfile
import venv
import zipfile
from pathlib import Path

import pytest


def test_tmp_path(tmp_path):
    """tmp_path and tmp_path_factory"""
    (tmp_path / "a").write_text("x")
    assert (tmp_path / "a").read_text() == "x"


def test_tempfile():
    """tempfile: TemporaryDirectory, TemporaryFile, mkstemp"""
    with tempfile.TemporaryDirectory() as folder:
        handle, name = tempfile.mkstemp(dir=folder)
        os.write(handle, b"x")
        os.close(handle)
        assert Path(name).read_bytes() == b"x"
    with tempfile.TemporaryFile() as file:
        file.write(b"x")


def test_named_temporary_file():
    """NamedTemporaryFile"""
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
        file.write("hello")
        file.flush()
        assert Path(file.name).read_text() == "hello"


def test_home():
    """a file in the home folder"""
    place = Path.home() / ".config/tool/settings.ini"
    place.parent.mkdir(parents=True)
    place.write_text("[a]")
    assert Path("~/.config/tool/settings.ini").expanduser().read_text() == "[a]"


def test_sqlite_file(tmp_path):
    """sqlite in a file, with a write-ahead log"""
    with sqlite3.connect(tmp_path / "a.db") as database:
        database.execute("pragma journal_mode=wal")
        database.execute("create table t (x)")
        database.execute("insert into t values (1)")
        assert database.execute("select x from t").fetchall() == [(1,)]


def test_sqlite_memory():
    """sqlite in memory"""
    database = sqlite3.connect(":memory:")
    database.execute("create table t (x)")
    assert database.execute("select * from t").fetchall() == []


def test_dbm_and_shelve(tmp_path):
    """dbm and shelve"""
    with dbm.open(str(tmp_path / "d"), "c") as base:
        base["a"] = "1"
        assert base["a"] == b"1"
    with shelve.open(str(tmp_path / "s")) as shelf:
        shelf["a"] = [1]
        assert shelf["a"] == [1]


def test_links(tmp_path):
    """symbolic and hard links"""
    (tmp_path / "a").write_text("x")
    (tmp_path / "soft").symlink_to("a")
    (tmp_path / "hard").hardlink_to(tmp_path / "a")
    assert (tmp_path / "soft").read_text() == (tmp_path / "hard").read_text() == "x"


def test_modes(tmp_path):
    """chmod, utime, rename, umask"""
    place = tmp_path / "a"
    place.touch()
    place.chmod(0o600)
    assert stat.S_IMODE(place.stat().st_mode) == 0o600
    os.utime(place, (1, 1))
    assert place.stat().st_mtime == 1
    place.rename(tmp_path / "b")


def test_moved_between_folders(tmp_path):
    """shutil.move and copytree between two folders"""
    (tmp_path / "one/two").mkdir(parents=True)
    (tmp_path / "one/two/a").write_text("x")
    shutil.copytree(tmp_path / "one", tmp_path / "copy")
    shutil.move(tmp_path / "copy/two/a", tmp_path / "a")
    with tempfile.TemporaryDirectory() as folder:
        os.rename(tmp_path / "a", Path(folder) / "a")


def test_mmap(tmp_path):
    """mmap of a file"""
    place = tmp_path / "a"
    place.write_bytes(b"x" * 4096)
    with place.open("r+b") as file, mmap.mmap(file.fileno(), 0) as memory:
        memory[0:1] = b"y"
    assert place.read_bytes()[:1] == b"y"


def test_locks(tmp_path):
    """flock and fcntl locks"""
    with (tmp_path / "lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def test_fifo(tmp_path):
    """a named pipe"""
    os.mkfifo(tmp_path / "pipe")
    reader = os.open(tmp_path / "pipe", os.O_RDONLY | os.O_NONBLOCK)
    writer = os.open(tmp_path / "pipe", os.O_WRONLY)
    os.write(writer, b"x")
    assert os.read(reader, 1) == b"x"


def test_zip_and_tar(tmp_path):
    """zip and tar files"""
    (tmp_path / "a.txt").write_text("x")
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.write(tmp_path / "a.txt", "a.txt")
    with tarfile.open(tmp_path / "a.tgz", "w:gz") as archive:
        archive.add(tmp_path / "a.txt", "a.txt")
    with tarfile.open(tmp_path / "a.tgz") as archive:
        archive.extractall(tmp_path / "out", filter="data")
    zipfile.ZipFile(tmp_path / "a.zip").extractall(tmp_path / "out2")
    assert (tmp_path / "out/a.txt").read_text() == (tmp_path / "out2/a.txt").read_text()


def test_git(tmp_path):
    """git init and commit"""
    settings = ["-c", "user.name=x", "-c", "user.email=x@x.invalid"]
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    (tmp_path / "a").write_text("x")
    subprocess.run(["git", "add", "."], cwd=tmp_path, check=True)
    subprocess.run(["git", *settings, "commit", "-qm", "a"], cwd=tmp_path, check=True)
    log = subprocess.check_output(["git", "log", "--oneline"], cwd=tmp_path, text=True)
    assert log.endswith(" a\n")


def test_venv(tmp_path):
    """a virtual environment without pip"""
    venv.create(tmp_path / "venv", with_pip=False, symlinks=True)
    command = [tmp_path / "venv/bin/python", "-c", "import sys; print(sys.prefix)"]
    assert subprocess.check_output(command, text=True).strip() == str(tmp_path / "venv")


def test_imported_module(tmp_path, monkeypatch):
    """a module written and imported by the test"""
    (tmp_path / "made_here.py").write_text("X = 3\n")
    monkeypatch.syspath_prepend(tmp_path)
    assert importlib.import_module("made_here").X == 3


def test_pickle(tmp_path):
    """pickle to a file"""
    with (tmp_path / "a").open("wb") as file:
        pickle.dump({"a": [1]}, file)
    with (tmp_path / "a").open("rb") as file:
        assert pickle.load(file) == {"a": [1]}


def test_log_file(tmp_path):
    """logging to a file"""
    logger = logging.getLogger("ordinary")
    handler = logging.FileHandler(tmp_path / "log")
    logger.addHandler(handler)
    logger.warning("hello")
    handler.close()
    assert "hello" in (tmp_path / "log").read_text()


def test_own_data():
    """a data file of the project is read"""
    assert (Path(__file__).parent / "data.txt").read_text() == "data\n"


def test_chdir(tmp_path, monkeypatch):
    """monkeypatch.chdir, then writing there"""
    monkeypatch.chdir(tmp_path)
    Path("a").write_text("x")
    assert (tmp_path / "a").exists()


def test_pytest_cache(pytestconfig):
    """pytest's cache"""
    pytestconfig.cache.set("ordinary/value", 3)
    assert pytestconfig.cache.get("ordinary/value", None) == 3


def test_inner_pytest(tmp_path):
    """pytest in a child, on a suite that the test wrote"""
    (tmp_path / "test_a.py").write_text("def test_a(): pass\n")
    command = [sys.executable, "-m", "pytest", "-q", str(tmp_path)]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


def test_bare_tmp():
    """a file right below /tmp"""
    place = Path("/tmp/ordinary-file")
    place.write_text("x")
    place.unlink()


def test_working_folder():
    """a file in the working folder, which is the project"""
    Path("made-by-test.txt").write_text("x")


def test_beside_the_test():
    """a file beside the test"""
    (Path(__file__).parent / "made-by-test.txt").write_text("x")


def test_doctest():
    """doctest of the program's module"""
    import doctest

    import pkg.mod

    assert doctest.testmod(pkg.mod).failed == 0


def test_capfd(capfd):
    """capfd, capsys and what a child prints"""
    subprocess.run(["echo", "hi"], check=True)
    assert capfd.readouterr().out == "hi\n"


def test_monkeypatch_environment(monkeypatch):
    """monkeypatch.setenv"""
    monkeypatch.setenv("ORDINARY", "1")
    assert subprocess.check_output("echo $ORDINARY", shell=True, text=True) == "1\n"


@pytest.mark.skipif(not shutil.which("cc"), reason="no compiler here")
def test_compile(tmp_path):
    """a C program compiled and run"""
    (tmp_path / "a.c").write_text("int main(void) { return 3; }\n")
    subprocess.run(["cc", "a.c", "-o", "a"], cwd=tmp_path, check=True)
    assert subprocess.run([tmp_path / "a"]).returncode == 3
