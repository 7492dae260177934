"""The part of a candidate that only adds tests, and single tests of it, in files as they were."""

from __future__ import annotations

from collections.abc import Collection

from pytest_lift.suite.joining import joined
from pytest_lift.suite.suite import Edit, Suite


def additions(candidate: Suite, accepted: Suite) -> Edit:
    """What `candidate` adds to `accepted`: new files, and new tests in files that stay as they are
    otherwise. Empty where it adds nothing. Pure."""
    files: dict[str, str | None] = {}
    for path, file in candidate.files.items():
        old = accepted.files.get(path)
        if old is None:
            files[path] = file.text
        elif old.text != file.text:
            names = [test.node.partition("::")[2] for test in old.tests]
            found = joined(old.text, file.text, accepted.naming, (), names)
            if found is not None and found.text != old.text:
                files[path] = found.text
    return Edit(files)


def with_tests(path: str, names: Collection[str], candidate: Suite, accepted: Suite) -> str | None:
    """A file of `accepted` with these new or changed tests of `candidate` and what they use; of
    one that is new, these tests alone. None where that cannot be done. Pure."""
    old = accepted.files.get(path)
    before = {test.node.partition("::")[2] for test in old.tests} if old else set()
    here = [test.node for test in candidate.files[path].tests]
    others = [node for node in here if node.partition("::")[2] not in {*names, *before}]
    file = candidate.without(others).files.get(path)
    if file is None or old is None:
        return file.text if file else None
    changed = before.intersection(names)
    found = joined(old.text, file.text, accepted.naming, changed, before - changed)
    return None if found is None or found.text == old.text else found.text
