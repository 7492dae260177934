"""Tests and checks that an edit must keep, and the part of the edit that only adds."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field

from pytest_lift.assertions.test_checks import held_in
from pytest_lift.source.bindings import bound_names, import_bindings, is_import
from pytest_lift.source.syntax import leaf, parse, split_lines, statements
from pytest_lift.suite.collection import Naming, definitions
from pytest_lift.suite.joining import joined
from pytest_lift.suite.splice import merge_tests, replace_test
from pytest_lift.suite.suite import Edit, Suite, path_of
from pytest_lift.suite.test_file import TestFile, parse_test_file
from pytest_lift.suite.user_code import refusals

NAMED = 5
"""Largest number of lost tests that a message names."""


@dataclass(frozen=True)
class RestoredCandidate:
    """A candidate after its losses were restored, with messages by place."""

    suite: Suite
    told: tuple[tuple[str, str], ...] = ()


@dataclass
class _Mending:
    """Restored texts of a candidate's files, and the messages about them."""

    texts: dict[str, str | None] = field(default_factory=dict)
    told: list[tuple[str, str]] = field(default_factory=list)


def keep(
    candidate: Suite, before: Suite, accepted: Suite, back: Collection[str] = ()
) -> RestoredCandidate:
    """Returns `candidate`, an edit of `before`, with all accepted tests of the tool and their
    checks.

    Lost tests are restored, and so are the tests `back`. If that is not possible within the new
    file, the whole file stays as it was. Pure.
    """
    mending = _Mending()
    for path, names in _owned(accepted).items():
        gone = dict(_lost(path, names, candidate, accepted))
        again = [name for name in names if f"{path}::{name}" in back and name not in gone]
        if gone or again:
            _mend(path, [*gone, *again], gone, mending, candidate, before, accepted)
    if not mending.texts:
        return RestoredCandidate(candidate)
    texts = {**before.edit_to(candidate).files, **mending.texts}
    changed = {p: t for p, t in texts.items() if t is None or _text(before, p) != t}
    return RestoredCandidate(before.apply(Edit(changed)), tuple(mending.told))


def as_it_was(path: str, before: Suite, accepted: Suite) -> str | None:
    """Returns the text of a file before the edit (None: no file), or the accepted text if the
    former lacks accepted tests."""
    names = _owned(accepted).get(path, [])
    if any(True for _ in _lost(path, names, before, accepted)):
        return accepted.files[path].text
    return _text(before, path)


def lost(name: str, after: TestFile | None, accepted: TestFile, naming: Naming) -> str:
    """Returns a description of what the test `name` of `accepted` lost in `after`; "" if
    nothing."""
    held = held_in(accepted.text, naming).get(name)
    now = held_in(after.text, naming).get(name) if after and after.error is None else None
    if held is None:
        return ""
    if now is None:
        return "is gone"
    if missing := sum((held.checks - now.checks).values()):
        return f"lost {missing} check{'s' * (missing > 1)}"
    return "is set aside now" if now.aside - held.aside else ""


def _mend(
    path: str,
    names: list[str],
    gone: Mapping[str, str],
    mending: _Mending,
    candidate: Suite,
    before: Suite,
    accepted: Suite,
) -> None:
    after, naming = candidate.files.get(path), accepted.naming
    text = _put_back(names, after, accepted.files[path], naming)
    if text is None and after is not None:
        others = {*_owned(accepted)[path]}.difference(names)
        text = _added_to(accepted.files[path], after, names, others, naming)
    if text is not None and not refusals(before, Edit({path: text})):
        mending.texts[path] = text
        for name, what in gone.items():
            words = f"{what}; it stays as it was: add, do not replace"
            mending.told.append((f"{path}::{name}", words))
        return
    mending.texts[path] = as_it_was(path, before, accepted)
    some = ", ".join(names[:NAMED])
    words = f"would lose {some} or checks of it; the file stays as it was: add, do not replace"
    mending.told.append((path, words))


def _put_back(
    names: list[str], after: TestFile | None, accepted: TestFile, naming: Naming
) -> str | None:
    """Returns the text of `after` with these tests as they were accepted; None if they do not
    fit in."""
    if after is None or after.error is not None or not after.tests:
        return None
    known = {test.inner_node: test for test in accepted.tests}
    lines, text = split_lines(accepted.text), after.text
    try:
        imports = _needed(names, accepted, after, naming)
        for name in names:
            source = "".join(lines[known[name].line - 1 : known[name].end_line])
            text = replace_test(text, name, source, naming)
        text = merge_tests(text, imports, "")
    except (SyntaxError, ValueError, RecursionError):
        return None
    file = parse_test_file(after.path, text, naming)
    now = {test.inner_node: test.digest for test in file.tests}
    same = all(now.get(name) == known[name].digest for name in names)
    return text if same and not any(lost(n, file, accepted, naming) for n in names) else None


def _added_to(
    accepted: TestFile,
    after: TestFile,
    names: Collection[str],
    others: Collection[str],
    naming: Naming,
) -> str | None:
    """Returns the accepted text with the additions of `after`, renamed if their names are taken;
    None if there are none or if one of `names` would be lost."""
    found = joined(accepted.text, after.text, naming, others, names)
    file = parse_test_file(accepted.path, found.text, naming) if found else accepted
    if found is None or len(file.tests) == len(accepted.tests):
        return None
    return None if any(lost(n, file, accepted, naming) for n in names) else found.text


def _needed(names: list[str], accepted: TestFile, after: TestFile, naming: Naming) -> list[str]:
    """Returns the imports that the tests `names` need and `after` lacks.

    Raises ValueError if another name that they use has changed in the file.
    """
    tree = parse(accepted.text)
    there, now = _bindings(tree), _bindings(parse(after.text))
    used = {
        leaf(node) if isinstance(node, ast.Name) else getattr(node, "arg", "")
        for found in definitions(tree, naming)
        if found.name in names
        for node in ast.walk(found.function)
        if isinstance(node, ast.Name | ast.arg)
    }
    missing = []
    for name in sorted(used & there.keys()):
        if name not in now and all(line.startswith(("import ", "from ")) for line in there[name]):
            missing += there[name]
        elif now.get(name) != there[name]:
            raise ValueError(f"{name} is another one now")
    return missing


def _bindings(tree: ast.Module) -> dict[str, list[str]]:
    """Returns names at the top level of a module -> statements that bind them; each import
    counts separately."""
    found: dict[str, list[str]] = {}
    for node in statements(tree.body):
        if is_import(node):
            for one in import_bindings(node):
                found.setdefault(one.bound, []).append(one.line)
        else:
            for name in {*bound_names(node)}:
                found.setdefault(name, []).append(ast.unparse(node))
    return found


def _owned(accepted: Suite) -> dict[str, list[str]]:
    """Returns path -> names of the tool's tests in it."""
    found: dict[str, list[str]] = {}
    for test in accepted.owned_tests():
        found.setdefault(path_of(test.node), []).append(test.inner_node)
    return found


def _lost(path: str, names: list[str], after: Suite, accepted: Suite) -> Iterator[tuple[str, str]]:
    if not names or after.files.get(path) == accepted.files[path]:
        return
    for name in names:
        if what := lost(name, after.files.get(path), accepted.files[path], accepted.naming):
            yield name, what


def _text(suite: Suite, path: str) -> str | None:
    file = suite.files.get(path)
    return file.text if file else None


def additions(candidate: Suite, accepted: Suite) -> Edit:
    """Returns the edit that adds the new tests of `candidate` to `accepted`: new files, and new
    tests in files that are otherwise unchanged. Empty if there are none. Pure."""
    files: dict[str, str | None] = {}
    for path, file in candidate.files.items():
        old = accepted.files.get(path)
        if old is None:
            files[path] = file.text
        elif old.text != file.text:
            names = [test.inner_node for test in old.tests]
            found = joined(old.text, file.text, accepted.naming, (), names)
            if found is not None and found.text != old.text:
                files[path] = found.text
    return Edit(files)


def with_tests(path: str, names: Collection[str], candidate: Suite, accepted: Suite) -> str | None:
    """Returns the text of a file of `accepted` with the given new or changed tests of
    `candidate` and the code that they use; for a new file, with these tests only. None if this
    is not possible. Pure."""
    old = accepted.files.get(path)
    before = {test.inner_node for test in old.tests} if old else set()
    kept = {*names, *before}
    others = [t.node for t in candidate.files[path].tests if t.inner_node not in kept]
    file = candidate.without(others).files.get(path)
    if file is None or old is None:
        return file.text if file else None
    changed = before.intersection(names)
    found = joined(old.text, file.text, accepted.naming, changed, before - changed)
    return None if found is None or found.text == old.text else found.text
