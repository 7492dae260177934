"""`pytest-lift check`: each rule, what is told, and the exit code."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from checked_project import INI, CheckedProject

from pytest_lift.suite.test_file import parse_test_file


@pytest.fixture
def project(tmp_path: Path) -> CheckedProject:
    return CheckedProject(tmp_path).require("ENC-1", "ENC-2", "ENC-3")


ALL = '@pytest.mark.req("ENC-1", "ENC-2", "ENC-3")\ndef test_all(): pass\n'


def own(project: CheckedProject, name: str = "tests/test_a.py") -> None:
    """Write down that the tool wrote the tests of a file."""
    text = (project.root / name).read_text("utf-8")
    digests = {test.node: test.digest for test in parse_test_file(name, text).tests}
    record = json.dumps({"version": 1, "files": {}, "tests": digests})
    project.write({"tests/.lift.json": record})


def test_a_project_without_fault(project: CheckedProject) -> None:
    found = project.tests(ALL).check()
    assert (found.code, found.err) == (0, "")
    assert found.out == (
        "1 test in 1 file (1 linked), 3 requirements (3 tested, 100.0 %), 0 errors, 0 warnings\n"
    )


def test_an_unknown_id_has_place_rule_and_proposal(project: CheckedProject) -> None:
    found = project.tests('@pytest.mark.req("ENC-1", "EMC-2")\ndef test_a(): pass\n' + ALL).check()
    assert found.code == 1
    assert found.out.splitlines()[:2] == [
        "tests/test_a.py:2:27: unknown-id: no requirement 'EMC-2'",
        "  -> did you mean 'ENC-2'?",
    ]


def test_an_id_like_no_other_has_no_proposal(project: CheckedProject) -> None:
    found = project.tests('@pytest.mark.req("WHATEVER")\ndef test_a(): pass\n' + ALL).check()
    assert "  -> correct the id, or write the requirement" in found.out


def test_a_mark_of_the_module_is_reported_once(project: CheckedProject) -> None:
    text = 'pytestmark = pytest.mark.req("X")\ndef test_a(): pass\ndef test_b(): pass\n'
    found = project.tests(text + ALL).json()
    assert found.rules == ["unknown-id"]
    assert found.data["problems"][0]["test"] == "tests/test_a.py"


def test_the_bearer_of_a_mark_is_named(project: CheckedProject) -> None:
    text = """
        @pytest.mark.req("X")
        class TestA:
            @pytest.mark.req("Y")
            def test_a(self): pass
            def test_b(self): pass
        """
    problems = project.tests(text).json().data["problems"]
    nodes = {problem["requirement"]: problem["test"] for problem in problems}
    assert (nodes["X"], nodes["Y"]) == ("tests/test_a.py::TestA", "tests/test_a.py::TestA::test_a")


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ('@pytest.mark.req("ENC-1", "ENC-1")\ndef test_a(): pass\n', [2]),
        ('@pytest.mark.req("ENC-1")\n@pytest.mark.req("ENC-1")\ndef test_a(): pass\n', [2]),
        (
            '@pytest.mark.req("ENC-1")\nclass TestA:\n'
            '    @pytest.mark.req("ENC-1")\n    def test_a(self): pass\n',
            [4],
        ),
        (
            'pytestmark = pytest.mark.req("ENC-1")\n@pytest.mark.req("ENC-1")\n'
            "class TestA:\n    def test_a(self): pass\n",
            [5],
        ),
        (
            '@pytest.mark.parametrize("x", [pytest.param(1, marks=pytest.mark.req("ENC-1")),\n'
            '    pytest.param(2, marks=pytest.mark.req("ENC-1"))])\ndef test_a(x): pass\n',
            [],
        ),
    ],
)
def test_a_repeated_id(project: CheckedProject, text: str, lines: list[int]) -> None:
    found = project.tests(text).write({"tests/test_b.py": "import pytest\n" + ALL}).json()
    assert [problem["line"] for problem in found.data["problems"]] == lines
    assert found.code == 0
    assert set(found.rules) <= {"duplicate-id"}
    assert project.json("--strict").code == (1 if lines else 0)


def test_a_malformed_mark(project: CheckedProject) -> None:
    found = project.tests("@pytest.mark.req\ndef test_a(): pass\n" + ALL).check()
    assert "tests/test_a.py:2:2: malformed-mark: req names no requirement\n" in found.out
    assert found.code == 1


def test_a_generated_test_must_be_linked(project: CheckedProject) -> None:
    project.tests("def test_a():\n    assert 1\n" + ALL)
    assert project.json().rules == []
    own(project)
    found = project.json()
    assert found.rules == ["unlinked-generated"]
    assert found.data["problems"][0]["test"] == "tests/test_a.py::test_a"
    assert found.code == 0  # it was lifted when there were no requirements
    project.tests("def test_a():\n    assert 2\n" + ALL)  # changed by hand: it is the user's
    assert project.json().rules == []


@pytest.mark.parametrize("mark", ['emergent("why")', 'req("ENC-1")', "req(imported)"])
def test_a_generated_test_with_a_mark_is_fine(project: CheckedProject, mark: str) -> None:
    project.tests(f"@pytest.mark.{mark}\ndef test_a():\n    assert 1\n" + ALL)
    own(project)
    assert project.json().rules == []


@pytest.mark.parametrize("field", [":emergent: why", ":emergent:", ":req: ENC-1"])
def test_a_generated_test_with_a_field_is_fine(project: CheckedProject, field: str) -> None:
    project.tests(f'def test_a():\n    """A.\n\n    {field}\n    """\n    assert 1\n' + ALL)
    own(project)
    assert project.json().rules == []


def test_fields_are_held_against_the_requirements(project: CheckedProject) -> None:
    text = '"""Tests.\n\n:req: ENC-1, ENC-2\n"""\n\ndef test_a():\n    """:req: ENC-8"""\n'
    more = '\ndef test_b():\n    """:req:"""\n\ndef test_c():\n    """Says :req: in a line."""\n'
    found = project.write({"tests/test_a.py": text + more}).check()
    assert "tests/test_a.py:7:14: unknown-id: no requirement 'ENC-8'" in found.out
    assert "tests/test_a.py:10:8: malformed-mark: req names no requirement\n" in found.out
    assert "write the ids behind it: :req: ID" in found.out
    assert "(3 linked)" in found.summary
    assert found.code == 1


def test_an_untested_requirement_is_a_warning_at_its_place(project: CheckedProject) -> None:
    found = project.tests('@pytest.mark.req("ENC-1", "ENC-3")\ndef test_a(): pass\n').check()
    assert found.code == 0
    assert found.out.splitlines()[0] == (
        "requirements.yml:3:1: uncovered: warning: no test names 'ENC-2' (about ENC-2)"
    )
    assert "(2 tested, 66.6 %)" in found.summary


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["--fail-under=66"], 0),
        (["--fail-under=67"], 1),
        (["--min-tested=67"], 1),
        (["--strict"], 1),
        (["--strict", "--fail-under=66"], 0),
    ],
)
def test_a_threshold_decides_of_untested_ones(
    project: CheckedProject, arguments: list[str], code: int
) -> None:
    project.tests('@pytest.mark.req("ENC-1", "ENC-3")\ndef test_a(): pass\n')
    assert project.check(*arguments).code == code


def test_exempt_requirements_need_no_test(project: CheckedProject) -> None:
    project.require("ENC-1", D_1="waived", D_2="untestable", D_3="non_goal")
    found = project.tests('@pytest.mark.req("ENC-1")\ndef test_a(): pass\n').json()
    assert (found.rules, found.data["requirements"], found.data["tested"]) == ([], 1, 1)


def test_naming_an_exempt_requirement_is_a_warning(project: CheckedProject) -> None:
    project.require("ENC-1", D_1="waived", D_2="untestable", D_3="non_goal")
    text = '@pytest.mark.req("ENC-1", "D-1", "D-2", "D-3")\ndef test_a(): pass\n'
    found = project.tests(text).json()
    assert [(p["rule"], p["requirement"]) for p in found.data["problems"]] == [
        ("retired-id", "D-1"),
        ("retired-id", "D-3"),
    ]
    assert "requirements.yml:3" in found.data["problems"][0]["todo"]


def test_a_file_that_cannot_be_parsed(project: CheckedProject) -> None:
    found = project.tests(ALL).write({"tests/test_b.py": "def test_b(:\n    pass\n"}).check()
    assert found.code == 1
    assert "tests/test_b.py:1:12: unparsable: SyntaxError: invalid syntax\n" in found.out


def test_mistakes_in_requirement_files_are_problems_at_their_places(
    project: CheckedProject,
) -> None:
    item = "  - {id: A, title: t, description: d, acceptance: a, levl: unit}\n"
    wrong = "  - {id: A, title: t, description: d}\n"
    found = project.tests(ALL).write({"requirements.yml": f"x:\n{item}{wrong}"}).check()
    places = [line for line in found.out.splitlines() if line.startswith("requirements.yml:")]
    assert [line.split(" ")[0] for line in places] == ["requirements.yml:3:5:"] * 2
    assert all("requirement-file: " in line for line in places)
    assert found.code == 1
    assert "unknown-id" not in found.out, "nothing is known while the file is broken"
    assert (
        found.summary == "1 test in 1 file (1 linked), requirements not read, 2 errors, 0 warnings"
    )
    assert project.json().data["percent"] is None
    project.write({"requirements.yml": f"x:\n{item}"})
    assert project.json().data["problems"][0]["severity"] == "warning"


def test_without_requirements_it_says_how_to_name_them(project: CheckedProject) -> None:
    found = project.write({"pytest.ini": "[pytest]\n"}).check()
    assert found.code == 4
    assert "lift_requirements" in found.err
    assert "--requirements FILE" in found.err


@pytest.mark.parametrize(
    "arguments",
    [
        ["--requirements=none.yml"],
        ["--tests=none"],
        ["--tests=.."],
        ["--fail-under=101"],
        ["--baseline=none.json"],
        ["--base=HEAD"],
        ["--output=none/x"],
        ["tests/test_a.py", "--base=HEAD"],
        ["tests/test_a.py", "--write-baseline"],
        ["--base="],
        ["--base", " "],
        ["tests/test_nosuch.py"],
        ["tests/nosuch/"],
        ["tests/test_a.py", "../outside/test_b.py"],
        ["/"],
    ],
)
def test_what_cannot_be_done_is_a_usage_error(
    project: CheckedProject, arguments: list[str]
) -> None:
    found = project.tests(ALL).check(*arguments)
    assert (found.code, found.out) == (4, "")
    assert found.err.startswith("pytest-lift: ")
    assert "\n  -> " in found.err


def test_named_files_get_the_rules_that_a_file_alone_decides(project: CheckedProject) -> None:
    project.tests('@pytest.mark.req("X")\ndef test_a(): pass\n')
    project.tests('@pytest.mark.req("Y")\ndef test_b(): pass\n', "tests/test_b.py")
    project.write({"tests/helper.py": "import nothing\n", "setup.py": ""})
    found = project.json("tests/test_b.py", "tests/helper.py", "setup.py")
    assert [problem["requirement"] for problem in found.data["problems"]] == ["Y"]
    assert (found.data["requirements"], found.data["whole"]) == (None, False)
    assert project.check("tests/helper.py").code == 0


def test_paths_are_told_from_the_working_directory(project: CheckedProject) -> None:
    project.tests('@pytest.mark.req("X")\ndef test_a(): pass\n')
    found = project.check("test_a.py", folder="tests")
    assert found.out.startswith("test_a.py:2:18: unknown-id")
    assert "../requirements.yml:2:1: uncovered" in project.check(folder="tests").out


def test_what_cannot_be_read_is_counted_and_told_only_when_asked(project: CheckedProject) -> None:
    project.tests('from x import y\n@pytest.mark.req(y, "ENC-1")\ndef test_a(): pass\n' + ALL)
    assert "cannot be read" not in project.check().out
    found = project.check("--verbose")
    assert "tests/test_a.py:3:2: an argument cannot be read without running the file" in found.out
    assert found.summary.endswith("1 cannot be read statically")
    assert found.code == 0


def test_names_of_marks_and_properties_are_the_project_s(project: CheckedProject) -> None:
    project.write({"pytest.ini": f"{INI}lift_marker = covers\nlift_property = verifies\n"})
    text = """
        @pytest.mark.covers("ENC-1")
        @pytest.mark.req("ENC-2")
        def test_a(record_property):
            record_property("verifies", "ENC-3")
        """
    assert project.tests(text).json().data["tested"] == 3


def test_tests_are_found_as_the_ini_file_says(project: CheckedProject) -> None:
    ini = f"{INI}testpaths = spec other/*\npython_files = check_*.py\npython_functions = check\n"
    text = "import pytest\n" + ALL.replace("def test", "def check")
    project.write({"pytest.ini": ini, "spec/check_a.py": text, "other/one/check_b.py": text})
    project.write({"spec/test_c.py": text, "tests/check_d.py": text, "spec/build/check_e.py": text})
    assert (project.json().data["tests"], project.json().data["files"]) == (2, 2)


def test_texts_of_the_project_cannot_forge_lines(project: CheckedProject) -> None:
    project.tests('@pytest.mark.req("X\\n\\x1b[2Jforged")\ndef test_a(): pass\n')
    found = project.check()
    assert "\x1b" not in found.out
    assert not any(line.startswith("forged") for line in found.out.splitlines())


def test_nothing_heavy_is_imported(project: CheckedProject) -> None:
    script = (
        "import sys\nfrom pytest_lift.cli import main\ncode = main(['check', '--base', 'HEAD'])\n"
        "heavy = {'pytest', '_pytest', 'pydantic', 'jinja2', 'rich', 'coverage', 'libcst', 'pluggy'}\n"
        "print(code, sorted(heavy & {name.partition('.')[0] for name in sys.modules}))\n"
    )
    project.tests(ALL).commit().tests("def test_a(): pass\n" + ALL)
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=project.root, capture_output=True, text=True
    )
    assert (done.stdout.splitlines()[-1], done.stderr) == ("0 []", "")


def test_nothing_of_the_project_is_imported(project: CheckedProject) -> None:
    project.write({"tests/conftest.py": "raise SystemExit(7)\n", "tests/__init__.py": "1 / 0\n"})
    assert project.tests("1 / 0\n" + ALL).check().code == 0


def test_a_mark_that_stands_in_several_places_is_told_once(project: CheckedProject) -> None:
    text = """
        import pytest
        named = pytest.mark.req("ENC-9")

        @named
        @pytest.mark.parametrize("n", [pytest.param(1, marks=named)])
        def test_n(n): pass

        @named
        def test_m(): pass
    """
    found = project.tests(ALL).write({"tests/test_b.py": text}).check("--format", "json")
    assert found.rules == ["unknown-id"]
