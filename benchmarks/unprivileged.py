"""Run a benchmark again as the user nobody, with a copy of the interpreter where it needs one."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

SOURCES = Path(__file__).resolve().parents[1]
_BULK = ("test", "tests", "idlelib", "tkinter", "__pycache__", "config-3*", "ensurepip")


def as_nobody(script: Path, arguments: list[str]) -> subprocess.CompletedProcess[str]:
    """Run `script` of this folder as nobody; what it prints is shown and returned."""
    with tempfile.TemporaryDirectory(prefix="nobody-") as folder:
        top = Path(folder)
        top.chmod(0o755)
        python, libraries = _environment(top)
        benchmarks = top / "benchmarks"
        shutil.copytree(SOURCES / "benchmarks", benchmarks)
        user = pwd.getpwnam("nobody")
        process = subprocess.Popen(
            [str(python), "-u", str(benchmarks / script.name), *arguments],
            cwd="/",
            env={"PATH": "/usr/bin:/bin", "LD_LIBRARY_PATH": libraries, "HOME": "/nonexistent"},
            user=user.pw_uid,
            group=user.pw_gid,
            extra_groups=(),
            stdout=subprocess.PIPE,
            text=True,
        )
        assert process.stdout is not None
        lines = []
        for line in process.stdout:
            print(line, end="", flush=True)
            lines.append(line)
        return subprocess.CompletedProcess([], process.wait(), "".join(lines))


def _environment(top: Path) -> tuple[Path, str]:
    """A virtual environment that nobody can read: (its python, where its libraries are)."""
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    base = top / "base"
    library = Path(sysconfig.get_path("stdlib", vars={"base": sys.base_prefix}))
    ignored = shutil.ignore_patterns(*_BULK, "site-packages")
    _copy(
        Path(sys.base_prefix) / f"lib/{version}" if not library.is_dir() else library,
        base / f"lib/{version}",
        ignored,
    )
    for shared in (Path(sys.base_prefix) / "lib").glob("libpython*"):
        _link(str(shared), str(base / "lib" / shared.name))
    (base / "bin").mkdir()
    real = os.path.realpath(sys.executable)
    _link(real, str(base / "bin" / version))
    venv = top / "venv"
    (venv / "bin").mkdir(parents=True)
    (venv / "pyvenv.cfg").write_text(f"home = {base}/bin\nversion = {sys.version.split()[0]}\n")
    python = venv / "bin/python"
    python.symlink_to(base / "bin" / version)
    packages = venv / f"lib/{version}/site-packages"
    _copy(Path(sysconfig.get_path("purelib")), packages, shutil.ignore_patterns(*_BULK[2:]))
    shutil.copytree(SOURCES / "src", top / "src")
    for old in packages.glob("*pytest_lift*.pth"):
        old.unlink()
    (packages / "pytest_lift_copy.pth").write_text(f"{top / 'src'}\n")
    return python, str(base / "lib")


def _copy(source: Path, target: Path, ignored: object) -> None:
    shutil.copytree(source, target, ignore=ignored, copy_function=_link, symlinks=True)  # type: ignore[arg-type]


def _link(source: str, target: str) -> str:
    """A hard link where that goes: nobody cannot write to what is root's."""
    try:
        os.link(source, target)
    except OSError:
        shutil.copy2(source, target)
    return target
