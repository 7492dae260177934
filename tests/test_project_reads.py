"""A name in a text opens files of the project only, and no secrets."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_lift.errors import LiftError
from pytest_lift.files.project_reads import looks_secret, read_confined

SECRET = b"outside"
PEM = b"-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0\n-----END PRIVATE KEY-----\n"


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    base = tmp_path_factory.mktemp("base")
    root = base / "project"
    (root / "src").mkdir(parents=True)
    (base / "outside.txt").write_bytes(SECRET)
    (root / "src/a.py").write_bytes(b"x = 1\n")
    (root / "inside").symlink_to("src")
    (root / "outward").symlink_to("..")
    (root / "direct.txt").symlink_to("../outside.txt")
    (root / ".env").write_bytes(SECRET)
    (root / "harmless.txt").symlink_to(".env")
    (root / "loop").symlink_to("loop")
    (root / ".git").mkdir()
    (root / ".git/config").write_bytes(SECRET)
    (root / "notes.txt").write_bytes(b"my key:\n" + PEM)
    (root / "large").write_bytes(b"x" * 200)
    os.mkfifo(root / "pipe")
    os.link(base / "outside.txt", root / "second-name.txt")
    return root


def test_files_of_the_project_are_read(root: Path) -> None:
    assert read_confined(root, "src/a.py") == b"x = 1\n"
    assert read_confined(root, "inside/a.py") == b"x = 1\n"


@pytest.mark.parametrize(
    "name",
    [
        *("../outside.txt", "outward/outside.txt", "direct.txt", "src/../../outside.txt", "/etc/passwd"),
        *("src/../src/a.py", "", ".", "src", "loop", "pipe", "missing", "a\0b", "src\\a.py", "a\nb"),
        *(".env", ".ENV", "harmless.txt", ".git/config", "src/../.env", ".env.", "notes.txt", "x" * 5000),
        *("\udcff", "/dev/zero", "/proc/self/environ", "~/.ssh/id_rsa", "large", "second-name.txt"),
    ],
)  # fmt: skip
def test_all_else_is_refused_with_what_to_do(root: Path, name: str) -> None:
    with pytest.raises(LiftError) as refused:
        read_confined(root, name, limit=100)
    assert refused.value.todo
    assert str(refused.value).isascii()


def test_the_user_may_permit_a_file_or_a_folder(root: Path) -> None:
    assert read_confined(root, ".env", (root / ".env",)) == SECRET
    assert read_confined(root, "harmless.txt", (root / ".env",)) == SECRET
    assert read_confined(root, "../outside.txt", (root.parent,)) == SECRET
    assert read_confined(root, "notes.txt", (root,)).endswith(PEM)
    with pytest.raises(LiftError):
        read_confined(root, ".git/config", (root / ".env",))


PARTS = [
    "src",
    "a.py",
    "..",
    ".",
    "",
    "inside",
    "outward",
    "direct.txt",
    ".env",
    ".git",
    "config",
    "/",
]


@given(st.lists(st.sampled_from(PARTS) | st.text(max_size=4), max_size=7).map("/".join))
@settings(deadline=None)
def test_no_name_gets_out(root: Path, name: str) -> None:
    try:
        data = read_confined(root, name)
    except LiftError:
        return
    assert data == b"x = 1\n"


@pytest.mark.parametrize(
    "path",
    [
        *(".env", "a/.env.production", "prod.env", ".envrc", ".netrc", ".npmrc", ".pypirc", "tls/server.pem"),
        *("x.key", "id_rsa", "id_ed25519_work", "a.p12", "a.pfx", "a.kdbx", "credentials.json"),
        *("my-credentials-2.json", ".aws/config", ".ssh/known_hosts", ".docker/config.json", "secrets.yml"),
        *("service-account-1.json", ".git/config", "ID_RSA", "Secrets.TOML", ".\u212aube/x", "\uff0eenv"),
    ],
)  # fmt: skip
def test_names_of_secrets(path: str) -> None:
    assert looks_secret(path)


@pytest.mark.parametrize(
    "path",
    [
        *("secrets.py", "src/credentials.py", "keys.py", ".env.example", "id_rsa.pub", "docs/secrets.md"),
        *("environment.yml", "keyboard.txt", "tests/data.json", ".github/workflows/ci.yml", ".gitignore"),
    ],
)  # fmt: skip
def test_names_of_others(path: str) -> None:
    assert not looks_secret(path)
