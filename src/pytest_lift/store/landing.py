"""Writes the accepted suite into the user's test folder, so that a crash loses nothing."""

from __future__ import annotations

import json
import os
import stat
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath

from pytest_lift.errors import LandingError
from pytest_lift.files import atomic, locks, untrusted
from pytest_lift.files.atomic import put, put_where_none_is, rescue, take_away
from pytest_lift.files.codec import encode, read
from pytest_lift.source.syntax import from_bytes, to_bytes
from pytest_lift.store import journal as journals
from pytest_lift.store.journal import FileStep, Journal, content_hash
from pytest_lift.suite.ownership import OWNERSHIP_FILE, parse_ownership
from pytest_lift.suite.suite import LARGEST_FILE, Suite, path_of, read_suite

_CHANGED = "it was changed meanwhile"
_LINKED = "it is reached through a symbolic link"
_NO_FILE = "it is not a regular file"


@dataclass(frozen=True)
class Landed:
    """Result of a landing."""

    suite: Suite
    """The suite on disk after the landing."""
    written: tuple[str, ...] = ()
    deleted: tuple[str, ...] = ()
    kept: Mapping[str, str] = field(default_factory=dict)
    """path -> reason why the user's version stayed; its tests are not owned by the tool."""


def land(project: Path, lift_dir: Path, old: Suite, new: Suite, run_id: str) -> Landed:
    """Replaces `old`, the suite as it was read from `project`, by `new`.

    If a file was changed since `old` was read, the user's version stays and is listed in
    `Landed.kept`. Raises LandingError if a file cannot be written; then the old suite is in place.
    """
    with locks.landing_lock(lift_dir):
        _finish(project, lift_dir)
        before, after = old.texts(), new.texts()
        paths = [p for p in sorted({*before, *after}) if before.get(p) != after.get(p)]
        paths = [path for path in paths if path != new.ownership_path]
        kept = {p: why for p in paths if (why := _conflict(project, p, before.get(p)))}
        kept |= _claimed(project, old, [path for path in paths if path not in kept])
        final = _final(project, old, new, kept)
        changed = [path for path in paths if path not in kept]
        late = _write(project, lift_dir, old, final, changed, run_id)
        kept |= dict.fromkeys((path for path in changed if path in late), _CHANGED)
        gone = tuple(path for path in changed if path not in after and path not in kept)
        written = tuple(path for path in changed if path in after and path not in kept)
        return Landed(read_suite(project, old.root, old.naming), written, gone, kept)


def land_settings(
    project: Path, lift_dir: Path, name: str, before: str | None, after: str | None, run_id: str
) -> str:
    """Replaces the text of pytest's configuration file `name`; None means no file.

    Returns the reason if the file no longer has the text `before` and was left as it is, otherwise
    "". Raises LandingError if it cannot be written; then the old file is in place.
    """
    with locks.landing_lock(lift_dir):
        _finish(project, lift_dir)
        if why := _conflict(project, name, before):
            return why
        texts = [None if text is None else to_bytes(text) for text in (before, after)]
        contents = {content_hash(data): data for data in texts if data is not None}
        old, new = (None if data is None else content_hash(data) for data in texts)
        plan = Journal(run_id, "", (FileStep(name, old, new),), contents)
        return _CHANGED if _begin(project, lift_dir, plan) else ""


def recover(project: Path, lift_dir: Path, test_root: str | None = None) -> bool:
    """Finishes an interrupted landing; returns whether there was one.

    With `test_root`, a landing into another folder is an error. May be called at any time and
    repeatedly. Raises LandingError if the journal is broken or about another folder, or if a file
    cannot be written.
    """
    if not lift_dir.is_dir():
        return False
    with locks.landing_lock(lift_dir):
        return _finish(project, lift_dir, test_root)


def landed_hashes(lift_dir: Path, run_id: str) -> dict[str, frozenset[str | None]]:
    """Returns path -> hashes of all contents that a run wrote there (None: it deleted the file)."""
    try:
        return read(_record(lift_dir, run_id), dict[str, frozenset[str | None]])
    except (OSError, ValueError):
        return {}


def patch(old: Suite, new: Suite) -> str:
    """Returns the change as a unified diff for ``git apply``, including the ownership file."""
    from pytest_lift.text.wording import file_diff

    before, after = old.texts(), new.texts()
    paths = sorted({*before, *after})
    return "".join(file_diff(path, before.get(path), after.get(path)) for path in paths)


def _conflict(project: Path, path: str, expected: str | None) -> str | None:
    """Returns the reason why the file on disk must not be replaced, or None."""
    if why := _conflict_of_kind(project, path):
        return why
    wanted = None if expected is None else content_hash(to_bytes(expected))
    try:
        return None if _hash_on_disk(project / path) == wanted else _CHANGED
    except OSError as error:
        return f"it cannot be read: {error.strerror}"


def _conflict_of_kind(project: Path, path: str) -> str | None:
    """Returns the reason if a symbolic link is on the path, or a folder and a file are confused."""
    place, parts = project, PurePosixPath(path).parts
    for part in parts:
        place = place / part
        if place.is_symlink():
            return _LINKED
        if not os.path.lexists(place):
            return None
        if place.is_dir() == (place == project / path):
            return _NO_FILE
    return None


def _hash_on_disk(place: Path) -> str | None:
    """Returns the hash of a file, or None if there is no file. For anything that is no regular
    file or is too large for a test, returns "", which equals no hash."""
    try:
        found = place.lstat()
    except FileNotFoundError:
        return None
    ours = stat.S_ISREG(found.st_mode) and found.st_size <= LARGEST_FILE
    return content_hash(place.read_bytes()) if ours else ""


def _claimed(project: Path, old: Suite, paths: list[str]) -> dict[str, str]:
    """Returns the files whose tests the user took over meanwhile by editing the ownership file."""
    text = _ownership_on_disk(project, old)
    now = parse_ownership(text or "")
    if now.problem and text != old.ownership:
        raise LandingError(
            f"the ownership file was changed meanwhile and {now.problem}",
            where=old.ownership_path,
            todo="correct it or delete it; without it all tests there count as yours",
        )
    before = parse_ownership(old.ownership or "")
    taken = {path_of(node) for node in before.tests if now.tests.get(node) != before.tests[node]}
    return {path: "its tests were claimed meanwhile" for path in paths if path in taken}


def _ownership_on_disk(project: Path, old: Suite) -> str | None:
    place = project / old.ownership_path
    if why := _conflict_of_kind(project, old.ownership_path):
        raise LandingError(
            f"the ownership file cannot be replaced: {why}",
            where=old.ownership_path,
            todo="make it a plain file, or delete it",
        )
    try:
        return from_bytes(untrusted.read(place, LARGEST_FILE, links=sys.maxsize))
    except FileNotFoundError:
        return None
    except OSError as error:
        raise _failed(place, error) from error


def _final(project: Path, old: Suite, new: Suite, kept: Mapping[str, str]) -> Suite:
    """Returns `new` as it will be on disk, with the user's files and changes of ownership."""
    text = _ownership_on_disk(project, old)
    now, before = parse_ownership(text or ""), parse_ownership(old.ownership or "")
    claimed = set(before.tests) - set(now.tests)
    owned = {n: d for n, d in new.owned.items() if path_of(n) not in kept and n not in claimed}
    owned |= {n: d for n, d in now.tests.items() if path_of(n) in kept}
    files = {p: d for p, d in new.owned_files.items() if p not in kept}
    files |= {p: d for p, d in now.files.items() if p in kept}
    refused = new.refused | now.refused
    links = new.refused_links | now.refused_links
    same = (now.tests, now.files, now.refused, now.refused_links) == (owned, files, refused, links)
    said = text if same else new.ownership
    return replace(
        new,
        owned=owned,
        owned_files=files,
        refused=refused,
        refused_links=links,
        ownership=said,
    )


def _write(
    project: Path, lift_dir: Path, old: Suite, final: Suite, changed: list[str], run_id: str
) -> frozenset[str]:
    """Writes the journal and applies it; after a system error everything is put back. Returns
    the paths that the user changed at the last moment and that were not replaced."""
    plan = _plan(old, final, changed, _ownership_on_disk(project, old), run_id)
    return _begin(project, lift_dir, plan) if plan.steps else frozenset()


def _begin(project: Path, lift_dir: Path, plan: Journal) -> frozenset[str]:
    try:
        journals.open_journal(lift_dir, plan)
    except OSError as error:
        raise _failed(lift_dir / journals.JOURNAL, error) from error
    return _carry_out(project, lift_dir, plan)


def _plan(
    old: Suite, final: Suite, changed: list[str], ownership: str | None, run_id: str
) -> Journal:
    """Returns the steps in order: files to write, files to delete, then the ownership file."""
    before, after, owner = old.texts(), final.texts(), final.ownership_path
    contents: dict[str, bytes] = {}

    def keep(text: str | None) -> str | None:
        if text is None:
            return None
        data = to_bytes(text)
        contents[content_hash(data)] = data
        return content_hash(data)

    ordered = sorted(changed, key=lambda path: path not in after)
    steps = [FileStep(path, keep(before.get(path)), keep(after.get(path))) for path in ordered]
    if ownership != after.get(owner):
        between = _union(final, ownership).texts().get(owner)
        steps.append(FileStep(owner, keep(ownership), keep(after.get(owner)), keep(between)))
    return Journal(run_id, old.root, tuple(steps), contents)


def _union(final: Suite, ownership: str | None) -> Suite:
    """Returns the suite with the tests that the tool owns before or after, so that no test of
    the tool looks like the user's while files change."""
    now = parse_ownership(ownership or "")
    return replace(
        final, owned={**now.tests, **final.owned}, owned_files={**now.files, **final.owned_files}
    )


def _finish(project: Path, lift_dir: Path, test_root: str | None = None) -> bool:
    plan = journals.read_journal(lift_dir)
    if plan is None:
        return False
    if test_root is not None and plan.test_root not in (
        "",
        test_root,
    ):  # "": pytest's configuration
        raise LandingError(
            f"a landing into {plan.test_root} was cut short, and this lift is about {test_root}",
            where=str(lift_dir / journals.JOURNAL),
            todo="finish it first: pytest-lift restore",
        )
    _carry_out(project, lift_dir, plan)
    return True


def _carry_out(project: Path, lift_dir: Path, plan: Journal) -> frozenset[str]:
    """Returns the paths that were not replaced because the user changed them."""
    try:
        kept = _forward(project, plan)
        _remember(lift_dir, plan)
        journals.close_journal(lift_dir)
        return kept
    except OSError as error:
        _back(project, lift_dir, plan, error)
        raise _failed(error.filename or project, error) from error


def _forward(project: Path, plan: Journal) -> frozenset[str]:
    """Continues the landing from any state to its end; repeating it has no effect. Returns the
    paths that the user changed."""
    ownership = [step for step in plan.steps if step.path.endswith(OWNERSHIP_FILE)]
    files = [step for step in plan.steps if step not in ownership]
    for step in ownership:
        if step.between is not None:
            _turn(project, plan, step.path, {step.old}, step.between)
    turned = {step.path: _turn(project, plan, step.path, {step.old}, step.new) for step in files}
    for step in ownership:
        _turn(project, plan, step.path, {step.old, step.between}, step.new)
    _sync_folders(project, plan)
    return frozenset(path for path, done in turned.items() if not done)


def _back(project: Path, lift_dir: Path, plan: Journal, cause: OSError) -> None:
    try:
        for step in reversed(plan.steps):
            _turn(project, plan, step.path, {step.new, step.between}, step.old)
        _sync_folders(project, plan)
        journals.close_journal(lift_dir)
    except OSError as error:
        raise LandingError(
            f"the suite could not be written ({cause}) nor put back ({error})",
            where=str(cause.filename or project),
            todo="make the test root writable, then run `pytest-lift restore`",
        ) from cause


def _turn(
    project: Path, plan: Journal, path: str, expected: set[str | None], wanted: str | None
) -> bool:
    """Gives a file its new content and returns whether it has that content now. A file with
    neither the old nor the new content is the user's and is left as it is, even if it changes
    meanwhile."""
    place, aside = project / path, atomic.temporary(project / path)
    if _conflict_of_kind(project, path):
        return False
    found = _hash_on_disk(place)
    if found == wanted:
        rescue(aside, place, lambda other: _hash_on_disk(other) in {*plan.contents, found})
        atomic.discard(aside)
        if _hash_on_disk(place) != wanted:
            return False
        _remove_empty_folders(project, path)
        return True
    atomic.discard(aside)
    if found not in expected:
        return False
    if wanted is None:
        done = take_away(place, aside, lambda other: _hash_on_disk(other) in expected)
        _remove_empty_folders(project, path)
        return done
    place.parent.mkdir(parents=True, exist_ok=True)
    mode = stat.S_IMODE(place.stat().st_mode) if found is not None else None
    atomic.write_beside(place, plan.contents[wanted], mode)
    if found is None:
        return put_where_none_is(aside, place)
    return put(aside, place, lambda other: _hash_on_disk(other) in expected)


def _sync_folders(project: Path, plan: Journal) -> None:
    for folder in {parent for step in plan.steps for parent in (project / step.path).parents}:
        if project in (folder, *folder.parents):
            atomic.sync(folder)


def _remove_empty_folders(project: Path, path: str) -> None:
    """Removes empty folders upwards, up to and including the test root's first folder."""
    for parent in list((project / path).parents)[: max(0, len(PurePosixPath(path).parts) - 2)]:
        try:
            parent.rmdir()
        except OSError:
            return


def _remember(lift_dir: Path, plan: Journal) -> None:
    """Stores which contents the run wrote where, for `restore`."""
    if not plan.run:
        return
    known = landed_hashes(lift_dir, plan.run)
    for step in plan.steps:
        put = {step.new} if step.between is None else {step.new, step.between}
        known[step.path] = known.get(step.path, frozenset()) | put
    data = encode(dict(sorted(known.items())))
    record = _record(lift_dir, plan.run)
    record.parent.mkdir(parents=True, exist_ok=True)
    atomic.replace_file(record, json.dumps(data, indent=1).encode())


def _record(lift_dir: Path, run_id: str) -> Path:
    return lift_dir / "history" / run_id / "landed.json"


def _failed(where: object, error: OSError) -> LandingError:
    return LandingError(
        f"the suite could not be written: {error.strerror or error}; the old one is in place",
        where=str(where),
        todo="free some space, or make the test root writable, then start again",
    )
