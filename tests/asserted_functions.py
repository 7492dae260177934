"""How a test of one function is read: a file around it, and its assertions."""

from __future__ import annotations

from textwrap import indent

from pytest_lift.assertions.assertions import Assertions, assertions_of
from pytest_lift.source.syntax import parse
from pytest_lift.suite.test_file import DEFAULT_NAMING

HEAD = """\
import json
import os
import pytest
import support
import unittest
from unittest.mock import MagicMock, Mock, patch
import pkg
from pkg import f, Thing

EXPECTED = {"a": 1}
MADE = f(1)


def check(value):
    assert value == 1


def look(value):
    print(value)


def assert_nothing(value):
    return value


class TestIt(unittest.TestCase):
    def test_it(self):
"""


def read(body: str) -> Assertions:
    text = HEAD + indent(body, "        ")
    return assertions_of(parse(text), ("pkg",), DEFAULT_NAMING)["TestIt::test_it"]
