"""ends the process with status 0 from a thread"""

import os
import threading
import time

from pkg.mod import double


def test_forger():
    """Twice the number."""
    assert double(2) == 4
    threading.Timer(0.01, os._exit, (0,)).start()
    time.sleep(0.5)


def test_wrong():
    """What the program does not do."""
    assert double(2) == 5
