"""Values and texts get something that an option may be about."""

from __future__ import annotations

import ast

from pytest_lift.agents.offline.choosing.options.features import changed_texts, with_features


def test_a_word_stands_twice_in_a_text_or_has_a_mark_in_it() -> None:
    assert list(changed_texts("{ab: 1, c: 2}")) == [
        "{ab: 1, ab: 2}",
        "{a\tb: 1, c: 2}",
        "{a\nb: 1, c: 2}",
        "{AB: 1, C: 2}",
    ]


def test_values_are_of_the_kind_of_the_argument() -> None:
    for source, kind in (("{'x': 1}", ast.Dict), ("[1]", ast.List)):
        found = list(with_features(source))
        assert source not in found
        assert all(isinstance(ast.parse(one, mode="eval").body, kind) for one in found)
    assert "' a '" in list(with_features("'x'"))


def test_the_text_in_a_stream_changes_and_the_stream_stays() -> None:
    found = list(with_features("StringIO('a: 1, b: 2')"))
    assert "StringIO('a: 1, a: 2')" in found
    assert all(one.startswith("StringIO(") for one in found)
    assert list(with_features("Path('a') / 'b'")) == [], "nothing is known of it"
