"""Runs one peer over files and prints what it cost as one JSON line.

drive.py PEER WARM FILE…

CPU seconds and memory of this process and its children, the import and one small file before it not counted.
"""

import json
import resource
import sys
import time
from importlib import import_module


def used() -> float:
    """CPU seconds so far."""
    return sum(
        usage.ru_utime + usage.ru_stime
        for usage in map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    )


def main() -> None:
    """Warm up on the first file, then measure all."""
    peer = import_module(f"peers.{sys.argv[1]}")
    warm, *files = sys.argv[2:]
    peer.run([warm])
    cpu, wall = used(), time.perf_counter()
    pages = peer.run(files)
    figures = {
        "pages": pages,
        "cpu": used() - cpu,
        "wall": time.perf_counter() - wall,
        "mib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
