"""`pytest-lift check --fix`: only what is safe, and every other byte kept."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from checked_project import CheckedProject
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_lift.source import hashes
from pytest_lift.source.syntax import digest
from pytest_lift.suite.ownership import parse_ownership
from pytest_lift.suite.test_file import parse_test_file

KNOWN = ("ENC-1", "ENC-2", "DEC-11", "010")


@pytest.fixture
def project(tmp_path: Path) -> CheckedProject:
    return CheckedProject(tmp_path).require(*KNOWN)


def fixed(project: CheckedProject, data: bytes, name: str = "tests/test_a.py") -> bytes:
    path = project.root / name
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(data)
    project.check("--fix=ids")
    return path.read_bytes()


@pytest.mark.parametrize(
    ("written", "corrected"),
    [
        ('req("EMC-1")', 'req("ENC-1")'),
        ("req('enc-1')", "req('ENC-1')"),
        ('req("ENC_1", "ENC-2")', 'req("ENC-1", "ENC-2")'),
        ('req(r"ENC-01")', 'req(r"ENC-1")'),
        ('req("""DCE-11""")', 'req("""DEC-11""")'),
        ('req("ENC-2", "ENC-1", "ENC-2")', 'req("ENC-2", "ENC-1")'),
        ('req(["ENC-2",\n    "ENC-2"])', 'req(["ENC-2"])'),
        ('req("ENC-2" ,  "ENC-2",)', 'req("ENC-2" ,)'),
        ('req("EMC-1", "EMC-1")', 'req("ENC-1")'),
        ('req("EMC-1", "ENC-3")', 'req("ENC-1", "ENC-3")'),
    ],
)
def test_what_is_corrected(project: CheckedProject, written: str, corrected: str) -> None:
    text = "import pytest\n@pytest.mark.{}\ndef test_a(): pass\n"
    expected = text.format(corrected).encode()
    assert fixed(project, text.format(written).encode()) == expected


@pytest.mark.parametrize(
    "mark",
    [
        'req("ENC-3")',  # another number is another requirement
        'req("ENC-11")',  # neither ENC-1 nor DEC-11
        'req("X")',
        'req("EN" "C-01")',
        'req("EMC\\x2d1")',
        'req("ENC-2",  # once,\n    "ENC-2")',
        'req(("ENC-2"), ("ENC-2"))',
        "req(NAMED)",
    ],
)
def test_what_is_left_alone(project: CheckedProject, mark: str) -> None:
    text = f'import pytest\nNAMED = "EMC-1"\n@pytest.mark.{mark}\ndef test_a(): assert NAMED\n'
    assert fixed(project, text.encode()) == text.encode()


@pytest.mark.parametrize(
    "data",
    [
        b'import pytest\r\n@pytest.mark.req("EMC-1")  \r\ndef test_a(): pass\r\n\r\n\r\n',
        b'\xef\xbb\xbfimport pytest\n@pytest.mark.req("EMC-1")\ndef test_a(): pass',
        b'\xef\xbb\xbfx = pytest.mark.req("EMC-1")\n@x\ndef test_a(): pass',
        b'# -*- coding: latin-1 -*-\n@pytest.mark.req("EMC-1")  # \xe9\xff\ndef test_a(): pass\n',
        '@a("é")\n@pytest.mark.param("é", pytest.mark.req("EMC-1"))\ndef test_a(): pass\n'.encode(),
        b'import pytest\n\x0c\n@pytest.mark.req("EMC-1")\ndef test_a():\n\tx = "\\\n"\n',
        b'x = 1\r@pytest.mark.req("EMC-1")\rdef test_a(): pass\r',
    ],
)
def test_every_other_byte_stays(project: CheckedProject, data: bytes) -> None:
    assert fixed(project, data) == data.replace(b"EMC-1", b"ENC-1")


@pytest.mark.parametrize(
    ("data", "after"),
    [
        (b'def test_a():\n    """Does.\n\n    :req: EMC-1\n    """\n', b"    :req: ENC-1\n"),
        (b'def test_a():\r\n  """\r\n  :req: ENC-2,\r\n  \tEMC-1"""\r\n', b"\r\n  \tENC-1"),
        (b'\xef\xbb\xbf":req: EMC-1"\ndef test_a(): pass\n', b'":req: ENC-1"'),
        (b'def test_a():\n    """:req: ENC-2, ENC-1, ENC-2"""\n', b':req: ENC-2, ENC-1"'),
        (b'class TestA:\n  ":req: EMC-1"\n  def test_a(self): pass\n', b":req: ENC-1"),
    ],
)
def test_an_id_in_a_docstring_is_corrected(
    project: CheckedProject, data: bytes, after: bytes
) -> None:
    found = fixed(project, data)
    assert after in found
    assert b"EMC" not in found
    assert found.split(b":req:")[0] == data.split(b":req:")[0]


def test_marks_and_fields_of_one_file_are_corrected(project: CheckedProject) -> None:
    text = '''"""Tests.

:req: ENC-2
"""
@pytest.mark.req("EMC-1")
def test_a():
    """A."""
def test_b():
    """:req: EMC-1"""
'''
    assert fixed(project, text.encode()) == text.replace("EMC-1", "ENC-1").encode()


@pytest.mark.parametrize(
    "text",
    [
        'def test_a():\n    "Does.\\n\\n:req: EMC-1"\n',
        'def test_a():\n    ":req: EMC-" "1"\n',
        'def test_a():\n    ":req: EMC\\x2d1"\n',
        'def test_a():\n    """Says :req: EMC-1 here."""\n',
        'def test_a():\n "A\\n\\n:req: EMC-1"\n\n# :req: EMC-1\n',
        'def test_a():\n """A\\n\\n:req: EMC-1\nb.\nSays :req: EMC-1 here.\nc \\\nd \\\ne."""\n',
    ],
)
def test_docstrings_that_are_left_alone(project: CheckedProject, text: str) -> None:
    assert fixed(project, text.encode()) == text.encode()


@pytest.mark.parametrize(
    ("written", "corrected"),
    [
        ("enc-1", "ENC-1"),
        ("ENC-01", "ENC-1"),
        ("ENC-1 ", "ENC-1"),
        ("ENC- 1", "ENC-1"),
        ("EMC-1", "EMC-1"),  # another letter may be another requirement
        ("ENC_1", "ENC_1"),
    ],
)
def test_letters_are_corrected_only_where_that_is_asked_for(
    project: CheckedProject, written: str, corrected: str
) -> None:
    text = '@pytest.mark.req("{}")\ndef test_a(): pass\n'
    project.tests(text.format(written)).check("--fix")
    assert text.format(corrected) in (project.root / "tests/test_a.py").read_text("utf-8")


def test_an_id_that_was_one_once_is_no_slip(project: CheckedProject) -> None:
    """The requirement EMC-1 is gone, and its test is not one of ENC-1."""
    project.require(*KNOWN, "EMC-1", "enc-2")
    project.commit("all")
    project.require(*KNOWN)
    project.commit("EMC-1 is gone, enc-2 has another name")
    text = '@pytest.mark.req("EMC-1", "enc-2", "DCE-11")\ndef test_a(): pass\n'
    found = project.tests(text).check("--fix=ids")
    assert text.replace("DCE-11", "DEC-11") in (project.root / "tests/test_a.py").read_text("utf-8")
    assert "no requirement 'EMC-1'" in found.out
    assert "no requirement 'enc-2'" in found.out


def test_it_tells_what_it_changed_and_fails(project: CheckedProject) -> None:
    project.require("ENC-1").tests('@pytest.mark.req("enc-1", "ENC-1")\ndef test_a(): pass\n')
    found = project.check("--fix")
    assert found.code == 1
    assert "fixed: tests/test_a.py:2: 'enc-1' -> 'ENC-1'\n" in found.out
    again = project.check("--fix")
    assert (again.code, "the second 'ENC-1' is removed" in again.out) == (1, True)
    assert project.check("--fix").code == 0


def test_without_fix_nothing_is_written(project: CheckedProject) -> None:
    project.tests('@pytest.mark.req("EMC-1")\ndef test_a(): pass\n')
    before = (project.root / "tests/test_a.py").stat()
    assert project.check().code == 1
    assert (project.root / "tests/test_a.py").stat() == before


def test_the_mode_of_the_file_stays_and_nothing_is_left_beside_it(project: CheckedProject) -> None:
    path = project.root / "tests/test_a.py"
    project.tests('@pytest.mark.req("EMC-1")\ndef test_a(): pass\n')
    path.chmod(0o750)
    project.check("--fix=ids")
    assert b"ENC-1" in path.read_bytes()
    assert path.stat().st_mode & 0o777 == 0o750
    assert os.listdir(path.parent) == ["test_a.py"]


def test_a_link_is_followed_only_inside_of_the_project(project: CheckedProject) -> None:
    text = 'import pytest\n@pytest.mark.req("EMC-1")\ndef test_a(): pass\n'
    outside = project.root.parent / "outside.py"
    outside.write_text(text, "utf-8")
    project.write({"shared/inside.py": text, "tests/test_c.py": ""})
    (project.root / "tests/test_a.py").symlink_to(outside)
    (project.root / "tests/test_b.py").symlink_to(project.root / "shared/inside.py")
    project.check("--fix=ids")
    assert outside.read_text("utf-8") == text
    assert "ENC-1" in (project.root / "shared/inside.py").read_text("utf-8")
    assert (project.root / "tests/test_b.py").is_symlink()


def test_a_test_of_the_tool_s_stays_its_own(project: CheckedProject) -> None:
    name = "tests/test_a.py"
    project.tests('@pytest.mark.req("EMC-1")\ndef test_a(): pass\n\ndef test_b(): pass\n')
    text = (project.root / name).read_text("utf-8")
    digests = {test.node: test.digest for test in parse_test_file(name, text).tests}
    digests[f"{name}::test_b"] = "0" * 16  # changed by hand since
    record = {"version": 1, "files": {name: digest(text)}, "tests": digests}
    record |= {"refused": ["1" * 16], "refused_links": ["2" * 8]}  # type: ignore[dict-item]
    project.write({"tests/.lift.json": json.dumps(record)})
    project.check("--fix=ids")
    after = (project.root / name).read_text("utf-8")
    said = parse_ownership((project.root / "tests/.lift.json").read_text("utf-8"))
    (first, second) = parse_test_file(name, after).tests
    assert first.requirements == ("ENC-1",)
    assert said.tests == {
        first.node: hashes.of_functions(after)[first.line],
        second.node: "0" * 16,
    }
    assert said.files == {name: hashes.of_file(after)}
    assert (said.refused, said.refused_links) == ({"1" * 16}, {"2" * 8})


def test_ownership_of_other_files_is_not_rewritten(project: CheckedProject) -> None:
    record = '{"version": 1, "tests":   {}}'
    project.tests('@pytest.mark.req("EMC-1")\ndef test_a(): pass\n')
    project.write({"tests/.lift.json": record}).check("--fix=ids")
    assert (project.root / "tests/.lift.json").read_text("utf-8") == record


NAMES = st.lists(
    st.sampled_from(["ENC-1", "ENC-2", "EMC-1", "enc-2", "DEC-11", "NONE-7"]),
    min_size=1,
    max_size=4,
)


@given(marks=st.lists(NAMES, min_size=1, max_size=4), comment=st.sampled_from(["", "  # é, 'x'"]))
@settings(max_examples=60, deadline=None)
def test_fixing_ends_and_leaves_the_same_links(
    tmp_path_factory: pytest.TempPathFactory, marks: list[list[str]], comment: str
) -> None:
    project = CheckedProject(tmp_path_factory.mktemp("p")).require(*KNOWN)
    meant = {"EMC-1": "ENC-1", "enc-2": "ENC-2"}
    tests = [
        f"@pytest.mark.req({', '.join(map(repr, names))}){comment}\ndef test_{n}(): pass\n"
        for n, names in enumerate(marks)
    ]
    project.tests("\n".join(tests))
    for _ in range(5):
        if not project.json("--fix=ids").data["fixed"]:
            break
    text = (project.root / "tests/test_a.py").read_text("utf-8")
    found = [list(t.requirements) for t in parse_test_file("tests/test_a.py", text).tests]
    assert found == [[*dict.fromkeys(meant.get(n, n) for n in names)] for names in marks]
    assert text.count("é") == (len(marks) if comment else 0)
