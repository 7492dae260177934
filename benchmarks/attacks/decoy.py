"""A process of the user's: it keeps a secret, notes what signals it gets, and tells when asked."""

from __future__ import annotations

import ctypes
import json
import signal
import sys


def main() -> None:
    with open(sys.argv[1]) as secret:
        text = secret.read().encode()
        kept = ctypes.create_string_buffer(text)
        heard: list[int] = []
        for number in (signal.SIGURG, signal.SIGIO, signal.SIGUSR1):
            signal.signal(number, lambda number, _: heard.append(int(number)))
        place = {"address": ctypes.addressof(kept), "length": len(text), "fd": secret.fileno()}
        print(json.dumps(place), flush=True)
        for _ in sys.stdin:
            print(json.dumps({"heard": heard, "intact": kept.value == text}), flush=True)


if __name__ == "__main__":
    main()
