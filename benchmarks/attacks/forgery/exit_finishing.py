"""says by the recorder that all is well, then ends with status 0"""

import os

from pkg.mod import double


def test_forger(request):
    """Twice the number."""
    assert double(2) == 4
    recorder = request.config.pluginmanager.get_plugin("lift-recorder")
    if recorder is not None:
        recorder.pytest_runtest_logfinish(request.node.nodeid)
        for item in request.session.items:
            phase = {"event": "phase", "node": item.nodeid, "outcome": "passed", "seconds": 0.0}
            for when in ("setup", "call", "teardown"):
                recorder._sink({**phase, "when": when, "reason": "", "output": "", "subtest": None})
        recorder._sink({"event": "finish", "status": 0})
    os._exit(0)


def test_wrong():
    """What the program does not do."""
    assert double(2) == 5
