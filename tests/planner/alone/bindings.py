# SPDX-License-Identifier: GPL-3.0-or-later
"""The binding for Python against properties on random problems: run by python.sh, speaks TAP."""

import random
import sys

import arenaplan
from arenaplan import Buffer, Fault, InvalidProblem, Piece, Status

tests = failures = 0


def ok(holds, text):
    global tests, failures
    tests += 1
    failures += not holds
    print(f"{'ok' if holds else 'not ok'} {tests} - {text}")


def raises(kind, function, *arguments, **options):
    try:
        function(*arguments, **options)
    except kind as error:
        return error
    return None


def draw(rng):
    n = rng.randint(1, 20)
    result = []
    for i in range(n):
        begin = rng.randint(-5, 10)
        result.append(Buffer(begin, begin + rng.randint(1, 6), rng.randint(0, 50),
                             rng.choice([1, 1, 4, 6]), key=i + 1))
    return result


def overlaps(buffers, offsets):
    """By definition, pair by pair."""
    for a, x in zip(buffers, offsets):
        for b, y in zip(buffers, offsets):
            if (a is not b and a.begin < b.end and b.begin < a.end and x < y + b.size
                    and y < x + a.size and a.size and b.size):
                return True
    return False


def random_problems():
    rng = random.Random(1)
    wrong = worse = 0
    with arenaplan.Session() as session:
        for _ in range(200):
            buffers = draw(rng)
            plans = [arenaplan.plan(buffers, work=1000), arenaplan.prove(buffers, work=1000),
                     session.plan(buffers, work=1000)]
            for plan in plans:
                peak = max(x + b.size for b, x in zip(buffers, plan.offsets))
                wrong += overlaps(buffers, plan.offsets) or peak != plan.peak
                wrong += any(x % b.alignment for b, x in zip(buffers, plan.offsets))
                wrong += arenaplan.check(buffers, plan.offsets).peak != plan.peak
                wrong += plan.lower_bound > plan.peak
            worse += plans[1].status == Status.OPTIMAL and plans[1].peak > plans[0].peak
    ok(wrong == 0, "plans of random problems hold by definition")
    ok(worse == 0, "no plan is better than a proven one")


def answers():
    two = [(0, 2, 10), (1, 3, 10)]
    ok(arenaplan.prove(two).status == Status.OPTIMAL, "tuples are buffers, too")
    answer = arenaplan.fits(two, 19)
    ok(answer.status == Status.INFEASIBLE and answer.offsets is None, "no plan, no offsets")
    ok(arenaplan.fits(two, 20).peak == 20, "a plan within the capacity")
    ok(arenaplan.plan([]).offsets == [], "a problem without buffers")
    steps = [Piece(0, 2, 0, 8), Piece(2, 4, 0, 2)]
    pieces = [Buffer(0, 4, 8, pieces=steps), Buffer(2, 4, 6)]
    ok(arenaplan.prove(pieces).peak == 8, "pieces leave room above each other")
    pinned = arenaplan.prove([Buffer(0, 2, 4, offset=6), Buffer(0, 2, 6)])
    ok(pinned.offsets == [6, 0], "an offset that somebody else chose")


def faults():
    error = raises(InvalidProblem, arenaplan.plan, [(0, 1, 1), (3, 3, 1)])
    ok(error is not None and error.fault == Fault.LIFETIME and error.buffer == 1 and
       error.other is None, "a fault names its buffer")
    error = raises(InvalidProblem, arenaplan.check, [(0, 2, 4), (1, 2, 4)], [0, 3])
    ok(error is not None and error.fault == Fault.OVERLAP and {error.buffer, error.other} == {0, 1},
       "an overlap names both")
    ok(raises(InvalidProblem, arenaplan.plan, [(0, 1, 1)], seconds=-1.0).fault == Fault.OPTION,
       "an option that is negative")
    ok(raises(OverflowError, arenaplan.plan, [(0, 1, 2**63)]), "numbers beyond 64 bits")
    ok(raises(OverflowError, arenaplan.plan, [(0, 1, 1)], seed=-1), "a seed below 0")
    ok(raises(ValueError, arenaplan.check, [(0, 1, 1)], [0, 0]), "too many offsets")
    ok(raises(TypeError, arenaplan.plan, [(0, 1, 1)], nothing=1), "an option that there is none of")
    ok(raises(AttributeError, arenaplan.plan, [(0, 1, 1.5)]), "a size that is no integer")
    ok(raises(MemoryError, arenaplan.plan, [(0, 1, 1)] * 5000, memory=1000), "too little memory")
    session = arenaplan.Session()
    session.close()
    session.close()
    ok(raises(ValueError, session.plan, [(0, 1, 1)]), "a session that is closed")


def callbacks():
    rng = random.Random(2)
    buffers = [Buffer(b, b + rng.randint(1, 30), rng.randint(1, 100)) for b in range(60)]
    seen = []
    last = arenaplan.prove(buffers, better=lambda offsets, peak: seen.append((offsets, peak)),
                           work=5000)
    ok(seen and seen[-1][1] == last.peak, "better plans are told")
    ok(all(arenaplan.check(buffers, offsets).peak == peak for offsets, peak in seen),
       "and are plans")
    ok([peak for _, peak in seen] == sorted({peak for _, peak in seen}, reverse=True),
       "each better than the one before")

    def fail(*_):
        raise KeyError("mine")
    ok(raises(KeyError, arenaplan.prove, buffers, better=fail, work=5000), "an exception comes through")
    asked = []
    arenaplan.prove(buffers, stop=lambda: asked.append(1) or True)
    ok(True, "stop ends a search without limits")


def arrays():
    try:
        import numpy
    except ImportError:
        print(f"ok {tests + 1} # SKIP NumPy is not here")
        return tests + 1
    rows = numpy.array([[0, 2, 10], [1, 3, 20]], dtype=numpy.int64)
    result = arenaplan.plan(rows)
    ok(isinstance(result.offsets, numpy.ndarray) and result.peak == 30, "an array gives an array")
    ok(raises(ValueError, arenaplan.plan, rows[:, :2]), "an array with too few columns")
    return tests


random_problems()
answers()
faults()
callbacks()
print(f"1..{arrays()}")
sys.exit(failures > 0)
