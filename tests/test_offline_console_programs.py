"""What a console script runs gets the command lines that documents show of it."""

from __future__ import annotations

import random
from dataclasses import replace
from functools import partial
from pathlib import Path

from offline_program import write_program

from pytest_lift.agents.offline.arguments.inputs import Inputs
from pytest_lift.agents.offline.examples.shown_data import blocks_of
from pytest_lift.agents.offline.search.commands import CommandLines
from pytest_lift.agents.offline.stories.console_programs import with_console_scripts
from pytest_lift.agents.offline.stories.typed_commands import typed_commands
from pytest_lift.agents.offline.texts.contents import Contents
from pytest_lift.calls.names import Resolver
from pytest_lift.calls.noted.declared import CommandLine, DeclaredArgument
from pytest_lift.calls.targets.finding import find_targets
from pytest_lift.project.console_scripts import ConsoleScript

GUIDE = """
Use it::

    $ honey gather --from flowers.json \\
        --to=/var/hive | sort  # all of them
    $ pip install honey
    $ honey FORMAT <place>
    # honey gathers all flowers
    3 flowers

.. code-block:: console

    (env) $ python -m honey --version
    $ wax melt
"""
HONEY = """
    import sys


    class Program:
        def run(self, argv=None):
            return len(argv or sys.argv)


    program = Program()


    def start(loud=False):
        return Program().run()


    def needs(name):
        return name
    """


def test_command_lines_are_read_as_they_are_typed() -> None:
    assert typed_commands([GUIDE], {"honey", "wax"}) == {
        "honey": [("gather", "--from", "flowers.json", "--to=/var/hive"), ("--version",)],
        "wax": [("melt",)],
    }


def test_paths_elsewhere_are_names_in_the_working_directory() -> None:
    found = typed_commands(["::\n\n    $ honey /etc/init ../x.txt .. ~/.rc a/b"], {"honey"})
    assert found == {"honey": [("init", "x.txt", "data", "rc", "a/b")]}


def test_what_a_script_runs_is_a_main_with_the_lines_that_are_shown(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"honey.py": HONEY})
    own = find_targets(program, Resolver(program))
    scripts = [
        ConsoleScript("honey", "honey", "program.run"),
        ConsoleScript("wax", "honey", "start"),
        ConsoleScript("bee", "honey", "needs"),
        ConsoleScript("gone", "honey", "gone.run"),
    ]
    found = with_console_scripts(own, program, scripts, partial(typed_commands, [GUIDE]))
    mains = {target.symbol: target for target in found if target.kind == "main"}
    assert sorted(mains) == ["program.run", "start"]
    assert mains["start"].shown == (("melt",),)
    assert mains["program.run"].imports == ("from honey import program",)
    assert len(found) == len(own) + 1
    inputs = Inputs(program, random.Random(1))
    lines = CommandLines(inputs, Contents(program, random.Random(1)), random.Random(1))
    call = lines.given(mains["program.run"], mains["program.run"].shown[0])
    assert call.text == "program.run()"
    assert call.argv[1:] == ("gather", "--from", "flowers.json", "--to=/var/hive")
    assert list(call.files) == ["flowers.json"]


def test_a_file_that_is_read_where_none_is_named_is_there(tmp_path: Path) -> None:
    program = write_program(tmp_path, {"honey.py": HONEY})
    help_ = "path of the hive file (default: Hivefile)"
    declared = CommandLine(
        (
            DeclaredArgument(("--hive",), "hive", help=help_, metavar="FILE"),
            DeclaredArgument(("--out",), "out", help="file to write (default: x.txt)"),
            DeclaredArgument(("--form",), "form", help="default: json"),
            DeclaredArgument(("--rules",), "rules", help="file of rules. Defaults to none."),
            DeclaredArgument(("--settings",), "settings", help="the default config file"),
        )
    )
    inputs = Inputs(program, random.Random(1))
    shown = {"hivefile": ["bees: 3\n"]}
    lines = CommandLines(inputs, Contents(program, random.Random(1), shown), random.Random(1))
    assert lines.words.default_files(declared) == ["Hivefile"]
    main = replace(find_targets(program, Resolver(program))[0], kind="main", parameters=())
    texts = [lines.given(main, ("go",), declared).files.get("Hivefile") for _ in range(40)]
    assert {"bees: 3\n", None} <= {*texts}


def test_what_a_shell_writes_to_a_file_is_data_of_its_name() -> None:
    typed = "$ cat >Hivefile <<EOM", "bees: 3", "EOM", "$ cat <<'END' > a.ini", "[b]", "END"
    text = "::\n\n" + "".join(f"    {line}\n" for line in typed)
    assert [*blocks_of(text)][:2] == [("hivefile", "bees: 3\n"), ("ini", "[b]\n")]


def test_an_option_that_is_not_given_has_its_default(tmp_path: Path) -> None:
    source = """
        import argparse

        def build(level):
            parser = argparse.ArgumentParser()
            parser.add_argument("--port", default="5000", metavar="N")
            parser.add_argument("--level", default=level, choices=["low", "high"])
            parser.add_argument("--quiet", help="names of what is silent")
            parser.add_argument("words", nargs=argparse.REMAINDER)
            return parser

        def run(args):
            return args.port, args.level, args.quiet, args.words
        """
    program = write_program(tmp_path, {"parsed.py": source})
    inputs = Inputs(program, random.Random(1))
    lines = CommandLines(inputs, Contents(program, random.Random(1)), random.Random(1))
    run = next(one for one in find_targets(program, Resolver(program)) if one.symbol == "run")
    declared = lines.namespaces.declared
    assert [declared[name].default for name in ("port", "level", "quiet")] == ["'5000'", "", "None"]
    drawn = [lines.namespace(run, ("port", "level", "quiet", "words")) for _ in range(40)]
    given = [one.expression for one in drawn]
    assert any("port='5000'" in one for one in given)
    assert not any("level=None" in one or "quiet=True" in one for one in given)
    assert all("words=[" in one for one in given)
