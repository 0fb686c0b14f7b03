# SPDX-License-Identifier: GPL-3.0-or-later
"""A planner in Python for arenabench: a template (PROGRAMS.md is the contract).

    arenabench compare resnet50 --solvers 'greedy-by-size,exec:mine=python3 first-fit.py'

The largest buffer comes first, each into the lowest gap; then pairs of buffers change places
in that order as long as it does no harm.  Each better plan is written at once.

    first-fit.py [ROUNDS]    how often a pair changes places, 1000 times unless a limit
                             comes first; 0: first fit alone
"""

import os
import sys
import time

START = time.monotonic()


class Random:
    """The same numbers for the same seed, in each of the templates."""

    def __init__(self, seed):
        self.state = seed

    def below(self, n):
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) % 2**64
        return (self.state >> 33) % n


class Buffer:
    def __init__(self, cell):
        self.id = cell["id"]
        self.lower = int(cell["lower"])
        self.upper = int(cell["upper"])
        self.size = int(cell["size"])
        self.alignment = int(cell.get("alignment", 1))
        self.offset = 0


def read_buffers(lines):
    """The buffers that take up memory, in the order of the rows."""
    header = next(lines).rstrip("\n").split(",")
    rows = (dict(zip(header, line.rstrip("\n").split(","))) for line in lines)
    return [buffer for buffer in map(Buffer, rows) if buffer.size > 0]


def place(order):
    """Each buffer of ORDER into the lowest gap; returns the peak."""
    placed, peak = [], 0  # by offset
    for buffer in order:
        at = 0
        for other in placed:
            if other.upper <= buffer.lower or buffer.upper <= other.lower:
                continue
            if at + buffer.size <= other.offset:
                break
            top = other.offset + other.size
            at = max(at, -(-top // buffer.alignment) * buffer.alignment)
        buffer.offset = at
        peak = max(peak, at + buffer.size)
        index = len(placed)
        while index > 0 and placed[index - 1].offset > at:
            index -= 1
        placed.insert(index, buffer)
    return peak


def write_plan(buffers):
    rows = "".join(f"{buffer.id},{buffer.offset}\n" for buffer in buffers)
    print("id,offset\n" + rows, end="", flush=True)


def main():
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    rounds = min(rounds, int(os.environ.get("ARENABENCH_WORK_LIMIT", rounds)))
    limit = float(os.environ.get("ARENABENCH_TIME_LIMIT", "inf"))
    random = Random(int(os.environ.get("ARENABENCH_SEED", "1")))
    buffers = read_buffers(sys.stdin)
    # Python's sort is stable: the first row comes first where sizes and lengths are equal.
    order = sorted(buffers, key=lambda b: (-b.size, b.lower - b.upper))
    best = place(order)
    write_plan(buffers)
    for _ in range(rounds if len(order) > 1 else 0):
        if time.monotonic() - START > 0.9 * limit:
            break
        one, other = random.below(len(order)), random.below(len(order))
        order[one], order[other] = order[other], order[one]
        peak = place(order)
        if peak > best:
            order[one], order[other] = order[other], order[one]
        elif peak < best:
            best = peak
            write_plan(buffers)


main()
