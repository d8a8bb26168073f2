"""Runs one peer over files and prints what it cost as one JSON line.

drive.py PEER WARM FILE…

CPU seconds and memory of this process and its children, the import and one small file before it not counted.
"""

import json
import resource
import sys
import time
from importlib import import_module
from pathlib import Path


def used() -> float:
    """CPU seconds so far."""
    return sum(
        usage.ru_utime + usage.ru_stime
        for usage in map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    )


def most_memory() -> float:
    """MiB of this process at its largest; getrusage would count what the process before it held."""
    status = Path("/proc/self/status").read_text(encoding="utf-8")
    return int(status.partition("VmHWM:")[2].split()[0]) / 1024


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
        "mib": most_memory(),
    }
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
