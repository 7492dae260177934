"""Effects of an edit on the user's code, or outside the test root, in words."""

from __future__ import annotations

import ast
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import PurePosixPath

from pytest_lift.source.bindings import (
    bound_names,
    import_bindings,
    imports_in,
    is_future,
    is_import,
)
from pytest_lift.source.syntax import FunctionNode, parse, split_lines, statements
from pytest_lift.suite.joining import global_uses
from pytest_lift.suite.ownership import OWNERSHIP_FILE
from pytest_lift.suite.splice import cut_tests, is_idle
from pytest_lift.suite.suite import Edit, Suite, in_the_manner_of, is_suite_path
from pytest_lift.suite.test_file import TestFile, parse_test_file
from pytest_lift.text.wording import some

_XUNIT = {
    *("setup_module", "teardown_module", "setup_function", "teardown_function", "pytestmark"),
    *("setUpModule", "tearDownModule", "load_tests", "setup_class", "teardown_class"),
    *("setup_method", "teardown_method", "setUp", "tearDown", "setUpClass", "tearDownClass"),
    *("asyncSetUp", "asyncTearDown", "__test__", "pytest_plugins"),
}
"""Names that pytest and unittest act upon for every test of their module or class."""


def refusals(suite: Suite, edit: Edit) -> tuple[str, ...]:
    """Returns why `edit` must not be applied to `suite`, one sentence each; empty when it may.

    Refused are: paths that are no Python file of the suite, unparsable texts, a change of the
    user's tests and of what else the user wrote beside them, new names that reach into them, and
    conftest files that act on tests unasked.
    """
    found: list[str] = []
    for path, text in edit.files.items():
        problem = _path_problem(suite, path)
        if problem is None and text is not None:
            problem = parse_test_file(path, text, suite.naming).error
        reasons = [problem] if problem else _checked(suite, path, text)
        shown = path if path.isprintable() else repr(path)
        found += [f"{shown}: {why}" for why in reasons]
    return tuple(dict.fromkeys(found))


def _checked(suite: Suite, path: str, text: str | None) -> list[str]:
    try:
        return list(_file_refusals(suite, path, text))
    except RecursionError:
        return ["is nested too deeply to be checked"]


def _path_problem(suite: Suite, path: str) -> str | None:
    pure = PurePosixPath(path)
    if pure.is_absolute() or "\\" in path or ":" in path or not path.isprintable():
        return "is not a plain relative path"
    if ".." in pure.parts or str(pure) != path or any(len(p.encode()) > 200 for p in pure.parts):
        return "is not a plain relative path"
    if pure.name == OWNERSHIP_FILE or pure.suffix != ".py":
        return "is not a Python file"
    if not is_suite_path(suite.root, path):
        return f"is outside the test root {suite.root}"
    if any(str(parent) in suite.files for parent in pure.parents):
        return "has a file where it needs a folder"
    return None


def _file_refusals(suite: Suite, path: str, text: str | None) -> Iterator[str]:
    before = suite.files.get(path)
    if before is None:
        if text is not None:
            yield from _new_file_refusals(suite, path)
    elif text is None:
        yield from _deletion_refusals(suite, before)
        return
    elif text != before.text and not suite.is_owned_file(path):
        yield from _change_refusals(suite, before, text)
    if text is not None and (before is None or text != before.text):
        yield from _unasked_refusals(suite, path, text)


def _new_file_refusals(suite: Suite, path: str) -> Iterator[str]:
    pure = PurePosixPath(path)
    if pure.stem == "__init__":
        if any(test.node.startswith(_below(path)) for test in suite.user_tests()):
            yield "makes a package of a folder with your tests, which changes how they are imported"
    elif pure.stem in sys.stdlib_module_names:
        yield f"hides the standard library's module {pure.stem}"


def _deletion_refusals(suite: Suite, before: TestFile) -> Iterator[str]:
    theirs = [test.name for test in before.tests if not suite.is_owned(test)]
    if theirs:
        yield f"deletes your {_listed(theirs)}"
    elif before.error is not None or not (
        suite.is_owned_file(before.path) or (before.tests and is_idle(_users_part(suite, before)))
    ):
        yield "deletes a file of yours"


def _users_part(suite: Suite, before: TestFile) -> str:
    """Returns the file without the tool's tests: what counts as written by the user."""
    owned = {test.inner_node for test in before.tests if suite.is_owned(test)}
    return cut_tests(before.text, owned, suite.naming) if owned else before.text


def _change_refusals(suite: Suite, before: TestFile, text: str) -> Iterator[str]:
    if before.error is not None:
        yield "replaces a file of yours that cannot be parsed"
        return
    after = {test.node: test for test in parse_test_file(before.path, text, suite.naming).tests}
    if suite.is_for_unittest(before.text) and not suite.is_for_unittest(text):
        yield "brings tests for pytest into a file of yours that unittest runs"
    theirs = [test for test in before.tests if not suite.is_owned(test)]
    gone = [test.name for test in theirs if test.node not in after]
    changed = [t.name for t in theirs if t.node in after and after[t.node].digest != t.digest]
    if gone:
        yield f"deletes your {_listed(gone)}"
    if changed:
        yield f"changes your {_listed(changed)}"
    if not gone and not changed:
        owned = {test.inner_node for test in before.tests if suite.is_owned(test)}
        users = _users_part(suite, before)
        around = list(_around_refusals(users, text, owned))
        yield from around
        if not around and (line := _lost_line(users, in_the_manner_of(before, text))):
            yield f"changes or removes your line {line!r}"


def adds_only(suite: Suite, path: str, text: str) -> bool:
    """Whether every line of the user's in a file that is there is in `text` as it was."""
    before = suite.files.get(path)
    if before is None or before.error is not None or not before.text.strip():
        return False
    return _lost_line(_users_part(suite, before), in_the_manner_of(before, text)) is None


def _lost_line(users: str, text: str) -> str | None:
    """Returns the first line of the user, comments included, that `text` does not have unchanged
    and in order; imports may be merged, blank lines do not count."""
    imports = {
        number
        for node in statements(parse(users).body)
        if is_import(node)
        for number in range(node.lineno, (node.end_lineno or node.lineno) + 1)
    }
    there = iter(split_lines(text.removeprefix("\ufeff")))
    for number, line in enumerate(split_lines(users.removeprefix("\ufeff")), start=1):
        if line.strip() and number not in imports and not _comes(line, there):
            return line.strip()
    return None


def _comes(line: str, there: Iterator[str]) -> bool:
    """Whether `line` is still to come; the last one of a file may have got its line end."""
    whole = line.endswith(("\r", "\n"))
    return any(line == (found if whole else found.rstrip("\r\n")) for found in there)


def _around_refusals(users: str, text: str, owned: set[str]) -> Iterator[str]:
    """Effects of the edit on fixtures, helpers, classes and names around the tests."""
    old, new = parse(users), parse(text)
    yield from _scope_refusals(old.body, new.body, owned, "")
    uses = global_uses(old)
    known = {(found.bound, found.origin) for found in imports_in(old.body)}
    found = imports_in(new.body)
    imported = {one.bound for one in found if (one.bound, one.origin) not in known}
    futures = [any(is_future(node) for node in tree.body) for tree in (old, new)]
    if futures == [False, True] and _annotates(old):
        yield "imports from __future__, which turns the annotations of your code into texts"
    added = imported | (_bound(new.body) - _bound(old.body))
    taken = sorted(added & uses)
    if taken:
        yield f"gives {_listed(taken, 'name')} a meaning that your code does not expect"


def _annotates(tree: ast.Module) -> bool:
    return any(
        isinstance(node, ast.AnnAssign)
        or (getattr(node, "annotation", None) or getattr(node, "returns", None)) is not None
        for node in ast.walk(tree)
    )


def _scope_refusals(
    old: list[ast.stmt], new: list[ast.stmt], owned: set[str], prefix: str
) -> Iterator[str]:
    lost = _pieces(old) - _pieces(new)
    for (what, _), _count in lost.items():
        yield f"changes or removes what you wrote outside tests: {prefix}{what}"
    known = _bound(old)
    more = _defined_count(new) - _defined_count(old)
    if again := [name for name in more if name in known]:
        yield f"defines {_listed([prefix + n for n in again], 'name')} again"
    special = sorted((more.keys() - known) & _XUNIT)
    if special:
        yield f"adds {_listed([prefix + n for n in special], 'name')}, which acts on your tests"
    classes = {n.name: n for n in new if isinstance(n, ast.ClassDef)}
    for node in old:
        if isinstance(node, ast.ClassDef) and node.name in classes:
            inner = {n.partition("::")[2] for n in owned if n.startswith(f"{node.name}::")}
            body = classes[node.name].body
            yield from _scope_refusals(node.body, body, inner, f"{prefix}{node.name}.")


def _pieces(body: list[ast.stmt]) -> Counter[tuple[str, str]]:
    """Returns the statements of a block: imports by binding, classes by their head."""
    found: Counter[tuple[str, str]] = Counter()
    for node in body:
        if is_import(node):
            found.update((f"import of {one.bound}", repr(one)) for one in import_bindings(node))
        elif isinstance(node, ast.ClassDef):
            head = [*node.decorator_list, *node.bases, *node.keywords]
            found[f"class {node.name}", repr([ast.dump(part) for part in head])] += 1
        else:
            found[_title(node), ast.dump(node)] += 1
    return found


def _title(node: ast.stmt) -> str:
    if isinstance(node, FunctionNode):
        return f"def {node.name}"
    text = ast.unparse(node).partition("\n")[0]
    return text if len(text) <= 60 else text[:57] + "..."


def _defined_count(body: list[ast.stmt]) -> Counter[str]:
    return Counter(name for node in body if not is_import(node) for name in bound_names(node))


def _bound(body: list[ast.stmt]) -> set[str]:
    return {name for node in body for name in bound_names(node)}


def _unasked_refusals(suite: Suite, path: str, text: str) -> Iterator[str]:
    """Yields code that would act on the user's tests without being asked for by them."""
    tree, name = parse(text), PurePosixPath(path).name
    before = suite.files.get(path)
    old = parse(before.text) if before and not before.error else ast.Module([], [])
    if name == "conftest.py":
        yield from _conftest_refusals(tree, old)
        yield from _overridden(suite, path, _fixtures(tree) - _fixtures(old))
    theirs = before is not None and any(not suite.is_owned(test) for test in before.tests)
    if (theirs or not suite.naming.is_test_file(path)) and _autouse(tree) - _autouse(old):
        yield "has an autouse fixture, which would act on tests unasked"


def _conftest_refusals(tree: ast.Module, old: ast.Module) -> Iterator[str]:
    for bound in sorted(_bound(tree.body) - _bound(old.body)):
        if bound.startswith("pytest_"):
            yield f"{bound} is a hook of pytest's: a conftest written by the tool has none"
        elif bound == "*":
            yield "imports * into a conftest: what it brings in is not to be seen"


def _fixtures(tree: ast.Module) -> set[str]:
    return {
        node.name
        for node in statements(tree.body)
        if isinstance(node, FunctionNode)
        and any("fixture" in ast.unparse(decorator) for decorator in node.decorator_list)
    }


def _overridden(suite: Suite, path: str, fixtures: set[str]) -> Iterator[str]:
    """Fixtures that the user's tests below ask for by these names come from elsewhere today."""
    if not fixtures:
        return
    for test in suite.user_tests():
        if test.node.startswith(_below(path)):
            asked = sorted(fixtures & _parameters(test.source))
            if asked:
                yield f"{_listed(asked, 'fixture')} would be another one for your {test.node}"
                return


def _below(path: str) -> str:
    """Returns the beginning of all paths in the folder of a file; empty for the project itself."""
    return f"{PurePosixPath(path).parent}/".removeprefix("./")


def _parameters(source: str) -> set[str]:
    return {node.arg for node in ast.walk(parse(source)) if isinstance(node, ast.arg)}


def _autouse(tree: ast.Module) -> Counter[str]:
    return Counter(
        ast.dump(node)
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and any(_is_autouse(node, k) for k in node.keywords)
    )


def _is_autouse(call: ast.Call, keyword: ast.keyword) -> bool:
    """Whether a fixture may be autouse: any `autouse=` except a plain False, and keywords that
    cannot be read."""
    if keyword.arg is None:
        return "fixture" in ast.unparse(call.func)
    off = isinstance(keyword.value, ast.Constant) and not keyword.value.value
    return keyword.arg == "autouse" and not off


def _listed(names: list[str], noun: str = "test") -> str:
    return f"{noun if len(names) == 1 else noun + 's'} {some(names)}"
