"""Files that a text names: read only inside the project, and never what looks like a secret."""

from __future__ import annotations

import os
import re
import stat
import sys
import unicodedata
from fnmatch import translate
from pathlib import Path, PurePosixPath

from pytest_lift.errors import LiftError
from pytest_lift.text.printable import has_private_key

LARGEST = 8 * 1024 * 1024
"""Bytes of one file that are read."""

SECRET_NAMES = (
    *(".env", ".env.*", "*.env", ".envrc", ".netrc", "_netrc", ".npmrc", ".pypirc", ".pgpass"),
    *(".my.cnf", ".git-credentials", ".htpasswd", ".dockercfg", ".vault-token", ".boto", ".s3cfg"),
    *("*.pem", "*.key", "*.p12", "*.pfx", "*.kdbx", "*.jks", "*.keystore", "*.ppk", "*.tfvars"),
    *("id_rsa*", "id_dsa*", "id_ecdsa*", "id_ed25519*", "credentials", "*credentials*.json"),
    *("credentials.*", "service-account*.json", "service_account*.json", "client_secret*.json"),
    *("secret.*", "secrets.*", ".secret*", "kubeconfig", "terraform.tfstate*"),
)
SECRET_FOLDERS = frozenset(
    {".git", ".hg", ".svn", ".aws", ".ssh", ".gnupg", ".docker", ".kube", ".azure", ".gcloud"}
)
HARMLESS_NAMES = (
    *("*.pub", "*.py", "*.pyi", "*.pyx", "*.pxd", "*.c", "*.h", "*.md", "*.rst"),
    *("*.example", "*.sample", "*.template", "*.dist", "*.example.*", "*.sample.*", "*.template.*"),
)
"""Public halves, templates, and code: a module may well be called ``secrets.py``."""

_SECRET = re.compile("|".join(map(translate, SECRET_NAMES)))
_HARMLESS = re.compile("|".join(map(translate, HARMLESS_NAMES)))
_OPTION = "--lift-allow-read"
_FLAGS = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)


def looks_secret(path: str | PurePosixPath) -> bool:
    """Whether a file of this name (POSIX, relative to the project) usually holds secrets.

    Upper and lower case, and look-alike characters that fold to the same, make no difference.
    """
    parts = [_folded(part) for part in PurePosixPath(path).parts]
    if not parts:
        return False
    if not SECRET_FOLDERS.isdisjoint(parts[:-1]):
        return True
    name = parts[-1]
    return bool(_SECRET.match(name)) and not _HARMLESS.match(name)


def is_allowed(path: Path, allowed: tuple[Path, ...]) -> bool:
    """Whether `path` is one of `allowed` or below one; both are followed to where they lead."""
    real = Path(os.path.realpath(path))
    return any(real.is_relative_to(os.path.realpath(place)) for place in allowed)


def read_confined(
    root: Path, name: str, allowed: tuple[Path, ...] = (), *, limit: int = LARGEST
) -> bytes:
    """Returns the content of the file `name` below `root`.

    Raises `LiftError` for a path that leads out of `root`, is not a regular file, is larger than
    `limit` bytes, has a second name, or looks like a secret by its name or content. A file of
    `allowed` (paths that the user permitted, folders with their content) may be secret, and outside
    `root`.
    """
    path = _resolved(root, name, allowed)
    free = is_allowed(path, allowed)
    try:
        data = _content(path, limit, links=sys.maxsize if free else 1)
    except OSError as error:
        why = f"cannot be opened: {error.strerror}" if error.strerror else str(error)
        raise _refused(name, why, "name another file") from error
    if not free and has_private_key(data):
        raise _refused(name, "holds a private key", f"permit it with {_OPTION}={name}")
    return data


def _resolved(root: Path, name: str, allowed: tuple[Path, ...]) -> Path:
    """Returns the real path of `name`, links followed; raises LiftError when it may not be read."""
    if not name or not name.isprintable() or "\\" in name or len(os.fsencode(name)) > 4096:
        raise _refused(name, "is not a plain path", "name a file of the project")
    given = PurePosixPath(name)
    path = Path(os.path.realpath(root / given))
    if is_allowed(path, allowed):
        return path
    top = Path(os.path.realpath(root))
    if given.is_absolute() or ".." in given.parts or not path.is_relative_to(top) or path == top:
        raise _refused(name, "leads out of the project", f"permit it with {_OPTION}={name}")
    if looks_secret(given) or looks_secret(path.relative_to(top).as_posix()):
        raise _refused(name, "looks like a secret", f"permit it with {_OPTION}={name}")
    return path


def _content(path: Path, limit: int, links: int) -> bytes:
    """Returns the regular file at a resolved `path`: each folder is opened in the one before, so
    that none can be exchanged for a link meanwhile. Raises OSError."""
    handle = _open_below(path)
    with open(handle, "rb") as file:
        found = os.fstat(handle)
        if not stat.S_ISREG(found.st_mode):
            raise OSError("is no regular file")
        if found.st_nlink > links:
            raise OSError("has a second name (hard link), which may be outside the project")
        data = file.read(limit + 1)
    if len(data) > limit:
        raise OSError(f"is larger than {limit} bytes")
    return data


def _open_below(path: Path) -> int:
    if os.open not in os.supports_dir_fd:
        return os.open(path, _FLAGS)
    folder = os.open(path.anchor, os.O_RDONLY | os.O_DIRECTORY)
    for part in path.parts[1:-1]:
        try:
            inner = os.open(part, _FLAGS | os.O_DIRECTORY, dir_fd=folder)
        finally:
            os.close(folder)
        folder = inner
    try:
        return os.open(path.name, _FLAGS, dir_fd=folder)
    finally:
        os.close(folder)


def _refused(name: str, why: str, todo: str) -> LiftError:
    return LiftError(f"this file is not read: it {why}", where=ascii(name)[1:-1], todo=todo)


def _folded(part: str) -> str:
    return unicodedata.normalize("NFKC", part).casefold().rstrip(". ")
