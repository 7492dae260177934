"""What others wrote cannot steer a terminal: one line stays one line, without control."""

from __future__ import annotations

import base64
import html
import json
from urllib.parse import quote

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from steering_texts import BAD, texts

from pytest_lift.text import printable
from pytest_lift.text.printable import redacted, redacted_bytes, redacted_data, secrets_in

NAMES = [
    "OPENAI_API_KEY",
    "GITHUB_TOKEN",
    "DB_PASSWORD",
    "AWS_SECRET_ACCESS_KEY",
    "PGPASSWD",
    "MY_CREDENTIALS",
]
secrets = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=8, max_size=40)
around = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)
WAYS = [
    str,
    lambda s: repr(s),
    lambda s: json.dumps({"a": s}),
    lambda s: html.escape(s),
    lambda s: quote(s, safe=""),
    lambda s: base64.b64encode(s.encode()).decode(),
]


@given(texts)
@settings(max_examples=300, deadline=None)
def test_a_line_stays_one_line_without_control(text: str) -> None:
    line = printable.line(text)
    assert not any(bad in line for bad in BAD)
    assert "\n" not in line
    assert printable.line(line) == line


def test_ordinary_text_stays() -> None:
    text = "Größe 5 µm, 漢字 🎉\tfin\n"
    assert printable.lines(text) == text
    assert printable.line("\x1b[31mred") == "\\x1b[31mred"


@given(st.sampled_from(NAMES), secrets, around, around, st.sampled_from(WAYS))
@settings(max_examples=300, deadline=None)
def test_no_value_of_the_environment_survives(name, secret, before, after, way) -> None:  # type: ignore[no-untyped-def]
    assume(secret.strip() == secret)
    assume(secret not in f"[redacted {name}]")
    text = redacted(before + way(secret) + after, {name: secret})
    assert f"[redacted {name}]" in text
    assert secret not in text.replace(f"[redacted {name}]", "")


@given(around, around)
@settings(max_examples=200, deadline=None)
def test_what_holds_no_secret_stays_as_it_is(before: str, after: str) -> None:
    environ = {
        "KEYBOARD": "layout-of-it",
        "TOKENIZERS": "parallel-ones",
        "API_KEY": "short",
        "PATH": "/usr/bin/things",
    }
    text = f"{before}layout-of-it parallel-ones short /usr/bin/things{after}"
    assert redacted(text, environ) == text
    data = text.encode("utf-8", "surrogateescape") + b"\xff\xfe"
    assert redacted_bytes(data, environ) == data


KEYS = [
    "sk-proj-abcdefGHIJKL0123456789mnop",
    "ghp_" + "a1B2" * 9,
    "github_pat_" + "a1B2_" * 8,
    "AKIAQWERTYUIOPASDFGH",
    "xoxb-123456789012-abcdef",
    "AIza" + "a1B2c" * 7,
    "hf_" + "a1B2c" * 7,
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abcdefghijklmno",
]
PEM = (
    "-----BEGIN RSA PRIVATE KEY-----\n"
    + "MIIEpAIBAAKCAQEA7\n" * 20
    + "-----END RSA PRIVATE KEY-----\n"
)


@pytest.mark.parametrize("key", KEYS)
def test_keys_are_known_by_their_shape(key: str) -> None:
    assert redacted(f"failed with {key}, sorry", {}) == "failed with [redacted key], sorry"
    assert secrets_in(f"KEY = {key!r}\n", {})


@pytest.mark.parametrize(
    ("text", "safe"),
    [
        (f"a{PEM}b", "a[redacted private key]\nb"),
        (PEM[:120], "[redacted private key]"),
        (repr(PEM), "'[redacted private key]\\n'"),
        ("Authorization: Bearer abcdefghijklmnop123", "Authorization: Bearer [redacted]"),
        ("postgres://me:pa55@db/x and http://x/y", "postgres://[redacted]@db/x and http://x/y"),
        ("task-management-of-everything-2024", "task-management-of-everything-2024"),
        ("see https://example.org:80/a@b", "see https://example.org:80/a@b"),
    ],
)
def test_shapes(text: str, safe: str) -> None:
    assert redacted(text, {}) == safe
    assert redacted(safe, {}) == safe


def test_a_secret_of_several_lines_is_found_by_line() -> None:
    environ = {"DEPLOY_KEY": "-----BEGIN X-----\nfirstline0123\nsecondline4567\n-----END X-----"}
    assert redacted("E  secondline4567", environ) == "E  [redacted DEPLOY_KEY]"


def test_data_is_cleaned_to_its_leaves() -> None:
    environ = {"A_TOKEN": "0123456789"}
    data = {"x0123456789": [("0123456789", 1, None), {"a": True}]}
    clean = {"x[redacted A_TOKEN]": [["[redacted A_TOKEN]", 1, None], {"a": True}]}
    assert redacted_data(data, environ) == clean


@pytest.mark.parametrize(
    "text",
    [
        "URL = 'http://user:password@example.org'",
        "HEADERS = {'Authorization': 'Bearer abcdefghijklmnopqrst'}",
        "KEY = 'AKIAIOSFODNN7EXAMPLE'",
        "BEGIN = '-----BEGIN PRIVATE KEY-----'",
    ],
)
def test_tests_may_hold_invented_ones(text: str) -> None:
    assert secrets_in(text, {}) == ()


def test_what_identifies_something_is_left_as_it_is() -> None:
    environ = {"SHOP_PASSWORD": "test_cart"}
    data = {"test": "tests/test_cart.py::t", "rows": [{"test": "test_cart", "why": "test_cart"}]}
    assert redacted_data(data, environ, identifying={"test"}) == {
        "test": "tests/test_cart.py::t",
        "rows": [{"test": "test_cart", "why": "[redacted SHOP_PASSWORD]"}],
    }
