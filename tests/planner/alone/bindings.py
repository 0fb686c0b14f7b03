# SPDX-License-Identifier: GPL-3.0-or-later
"""The binding for Python against properties on random problems: run by python.sh, speaks TAP."""

import random
import sys

import arenaplan
from arenaplan import Access, Buffer, Fault, InvalidProblem, Memory, Piece, Status

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


def several_memories():
    """Each memory's buffers are a plan, and the cost is that of where they lie."""
    rng = random.Random(2)
    wrong = 0
    for _ in range(50):
        buffers = draw(rng)
        chip = [Memory(rng.randint(0, 150), 1, 2, rng.choice([1, 8])), Memory(None, 5, 7)]
        accesses = [Access(rng.randint(0, 99), rng.randint(0, 99), rng.choice([None, [1]]))
                    for _ in buffers]
        best = arenaplan.assign(buffers, chip, accesses, work=2000)
        cost = sum(a.reads * chip[m].read + a.writes * chip[m].write
                   for a, m in zip(accesses, best.memories))
        wrong += cost != best.cost or best.lower_bound > cost
        for m, memory in enumerate(chip):
            here = [i for i in range(len(buffers)) if best.memories[i] == m]
            offsets = [best.offsets[i] for i in here]
            wrong += overlaps([buffers[i] for i in here], offsets)
            wrong += any(x % memory.alignment or x % buffers[i].alignment
                         for i, x in zip(here, offsets))
            wrong += m == 0 and any(x + buffers[i].size > memory.capacity
                                    for i, x in zip(here, offsets) if buffers[i].size)
        wrong += any(a.memories == [1] and m == 0 for a, m in zip(accesses, best.memories))
    ok(wrong == 0, "assignments of random problems hold by definition")
    two = [(0, 2, 8), (1, 3, 16)]
    none = arenaplan.assign(two, [(15, 1, 1)])
    ok(none.status == Status.INFEASIBLE and none.buffer == 1 and none.memories is None and
       none.offsets is None, "a buffer that fits nowhere is named")
    error = raises(InvalidProblem, arenaplan.assign, two, [Memory(), Memory(-1)])
    ok(error is not None and error.fault == Fault.MEMORY and error.other == 1 and
       str(error).startswith("memory 1: "), "a memory that makes no sense is named")
    ok(raises(ValueError, arenaplan.assign, two, [Memory()], [(1, 1)]), "too few accesses")
    says(ValueError, "access 1: it may lie in no memory", arenaplan.assign, two, [Memory()],
         [(1, 1), (1, 1, [])])
    says(ValueError, "access 0: a memory must be in 0..63, not 64", arenaplan.assign, two,
         [Memory()], [(1, 1, [64]), (1, 1)])
    says(TypeError, "memory 0: read must be an integer, not float", arenaplan.assign, two,
         [(1, 0.5)])


def faults():
    error = raises(InvalidProblem, arenaplan.plan, [(0, 1, 1), (3, 3, 1)])
    ok(error is not None and error.fault == Fault.LIFETIME and error.buffer == 1 and
       error.other is None, "a fault names its buffer")
    error = raises(InvalidProblem, arenaplan.check, [(0, 2, 4), (1, 2, 4)], [0, 3])
    ok(error is not None and error.fault == Fault.OVERLAP and {error.buffer, error.other} == {0, 1},
       "an overlap names both")
    ok(raises(InvalidProblem, arenaplan.plan, [(0, 1, 1)], seconds=-1.0).fault == Fault.OPTION,
       "an option that is negative")
    ok(raises(ValueError, arenaplan.check, [(0, 1, 1)], [0, 0]), "too many offsets")
    ok(raises(TypeError, arenaplan.plan, [(0, 1, 1)], nothing=1), "an option that there is none of")
    ok(raises(MemoryError, arenaplan.plan, [(0, 1, 1)] * 5000, memory=1000), "too little memory")
    session = arenaplan.Session()
    session.close()
    session.close()
    ok(raises(ValueError, session.plan, [(0, 1, 1)]), "a session that is closed")


def says(kind, text, function, *arguments, **options):
    """An error of exactly this kind, which begins so."""
    error = raises(Exception, function, *arguments, **options)
    ok(type(error) is kind and str(error).startswith(text), f"{text} ({error!r})")


def types():
    """What C can't take is told with its place."""
    class Number:
        def __index__(self):
            return 3

    plan = arenaplan.plan
    ok(plan([(False, True, Number())]).peak == 3, "whatever is an integer to Python is one")
    says(TypeError, "buffer 0: end must be an integer, not float", plan, [Buffer(0, 1.5, 1)])
    says(TypeError, "buffer 1: begin must be an integer, not str", plan, [(0, 1, 1), ("0", 1, 1)])
    says(TypeError, "buffer 0: size must be an integer, not NoneType", plan, [(0, 1, None)])
    says(TypeError, "buffer 0: alignment must", plan, [(0, 1, 1, 0.5)])
    says(TypeError, "buffer 0: offset must", plan, [Buffer(0, 1, 1, offset=1.0)])
    says(TypeError, "buffer 0: key must", plan, [Buffer(0, 1, 1, key="a")])
    says(ValueError, "buffer 0: size must be in -9223372036854775808..9223372036854775807, not "
         "9223372036854775808", plan, [(0, 1, 2**63)])
    says(ValueError, "buffer 0: key must be in 0..", plan, [Buffer(0, 1, 1, key=-1)])
    says(TypeError, "buffer 1: expected begin, end, size", plan, [(0, 1, 1), (0, 1)])
    says(TypeError, "buffer 0: expected begin, end, size", plan, [7])
    says(TypeError, "buffer 0: piece 1: expected begin, end, low and high, not (1, 2, 4)", plan,
         [Buffer(0, 2, 4, pieces=[(0, 1, 0, 4), (1, 2, 4)])])
    says(TypeError, "buffer 0: piece 0: high must be an integer, not float", plan,
         [Buffer(0, 2, 4, pieces=[(0, 1, 0, 4.0)])])
    says(ValueError, "seed must be in 0..4294967295, not -1", plan, [(0, 1, 1)], seed=-1)
    says(TypeError, "work must be an integer, not float", plan, [(0, 1, 1)], work=1e6)
    says(TypeError, "seconds must be a number, not str", plan, [(0, 1, 1)], seconds="1")
    says(TypeError, "stop must be a function, not bool", plan, [(0, 1, 1)], stop=True)
    says(TypeError, "capacity must be an integer, not float", arenaplan.fits, [(0, 1, 1)], 1.0)
    says(TypeError, "offset 1 must be an integer, not float", arenaplan.check,
         [(0, 1, 1), (1, 2, 1)], [0, 0.0])


def names():
    result = arenaplan.plan([(0, 1, 1)])
    ok([str(result.status), f"{result.status}", f"{result.status:>16}", repr(result.status)] ==
       ["Status.OPTIMAL", "Status.OPTIMAL", "  Status.OPTIMAL", "Status.OPTIMAL"],
       "a status shows its name")
    ok("status=Status.OPTIMAL," in repr(result), "in a result, too")
    ok(all(status for status in Status), "none is 0")
    error = raises(InvalidProblem, arenaplan.plan, [(0, 0, 1)])
    ok(f"{error.fault}" == "Fault.LIFETIME" and "ends before" not in str(error),
       "a life of no step is no life backwards")


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
    says(TypeError, "buffer 0: begin must be an integer, not float", arenaplan.plan, rows / 2)
    small = [Buffer(numpy.int8(0), numpy.uint16(2), numpy.int64(10), offset=numpy.int32(5))]
    ok(arenaplan.prove(small, work=numpy.int64(100)).offsets == [5], "NumPy's numbers are integers")
    return tests


random_problems()
answers()
faults()
several_memories()
types()
names()
callbacks()
print(f"1..{arrays()}")
sys.exit(failures > 0)
