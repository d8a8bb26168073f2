"""How long the command line takes to show its help, beside the libraries that it cannot do without.

python benchmarks/start.py [RUNS]
"""

import os
import subprocess
import sys
import time
from statistics import median

COMMANDS = {
    "python -c pass": ["-c", "pass"],
    "import typer, rich help": ["-c", "import typer, typer.rich_utils"],
    "builder --help": ["-m", "builder", "--help"],
    "builder --version": ["-m", "builder", "--version"],
}


def measure(arguments: list[str], runs: int) -> tuple[float, float]:
    """Median wall and CPU seconds of a process."""
    walls, cpus = [], []
    for _ in range(runs):
        before, begun = os.times(), time.perf_counter()
        subprocess.run([sys.executable, *arguments], stdout=subprocess.DEVNULL, check=True)
        after = os.times()
        walls.append(time.perf_counter() - begun)
        cpus.append(after.children_user + after.children_system - before.children_user - before.children_system)
    return median(walls), median(cpus)


def main() -> None:
    """Print a row a command, and the ratio to the libraries alone."""
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 9
    rows = {name: measure(arguments, runs) for name, arguments in COMMANDS.items()}
    floor = rows["import typer, rich help"][1]
    for name, (wall, cpu) in rows.items():
        print(f"{name:26} wall {wall:.3f} s   CPU {cpu:.3f} s   x libraries {cpu / floor:.2f}")


if __name__ == "__main__":
    main()
