"""The part of a candidate that only adds tests: what is left of one that would lose something."""

from __future__ import annotations

from pytest_lift.joining import joined
from pytest_lift.suite import Edit, Suite


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
