"""`pytest-lift schema`: print the JSON Schema of a file format."""

from __future__ import annotations

import argparse

from pytest_lift.schemas import NAMES, schema_text


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", nargs="?", default=NAMES[0], choices=NAMES, help="of which file")


def run(options: argparse.Namespace) -> int:
    print(schema_text(options.name), end="")
    return 0
