"""Fixtures of healthy tests: what `make bench-diagnostics` must not call broken."""

from collections.abc import Iterator

import click
import pytest
from click.testing import CliRunner


@pytest.fixture
def runner() -> CliRunner:
    return CliRunner()


@pytest.fixture(params=["a", "b"], ids=str.upper)
def letter(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture(name="greeter")
def make_greeter() -> Iterator[click.Command]:
    @click.command()
    @click.option("--name", default="you")
    def greet(name):
        click.echo(f"hello {name}")

    yield greet


@pytest.fixture(scope="module", autouse=True)
def _prepared() -> None:
    pass
