# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks a certificate (lib/judge/certificate.h) of the instance in a CSV file, slowly and
plainly: bytes are numbers, what a buffer uses is a set of them, and what is known of two
offsets is an entry of a table.  It shares nothing with the program but the text.

    python3 check_certificate.py INSTANCE.csv CERTIFICATE [INSTANCE.csv CERTIFICATE]...

INSTANCE.csv:fixed=on has fixed offsets in its column `offset`, as for the program.  Says of each
which peak no plan is below, or which line does not follow: then the status is 1.
The checksums, of the instance and at the end, are not looked at.
"""

import csv
import sys


COUNTS = {"sum": 3, "overload": 3, "above": 9, "below": 9, "pile": 5, "hang": 5, "not-low": 6,
          "not-high": 6, "use": 1, "nogood": 0, "if": 3, "learned": 0, "forget": 1, "fixed": 2,
          "twins": 2, "mirror": 2}
HEAD = ("fixed", "twins", "mirror")


class Refused(Exception):
    pass


def refuse(line, why):
    raise Refused(f"line {line}: {why}")


def require(fits, why="the unit does not fit"):
    if not fits:
        raise ValueError(why)


def numbers_of(words):
    if any(word != str(int(word)) for word in words):
        raise ValueError("a number is written otherwise")
    return [int(word) for word in words]


def read_instance(path):
    """Of each buffer: its size, alignment, first and last step, the bytes it uses at one, and where
    it is fixed."""
    path, _, fixed = path.partition(":")
    require(fixed in ("", "fixed", "fixed=on"), "expected FILE or FILE:fixed=on")
    buffers = [None]
    for row in csv.DictReader(open(path, newline="")):
        size, begin, end = int(row["size"]), int(row["lower"]), int(row["upper"])
        used = {step: set(range(size)) for step in range(begin, end)}
        for gap in (row.get("gaps") or "").split():
            steps, _, part = gap.partition("@")
            low, high = map(int, part.split(":")) if part else (0, 0)
            at = steps.index("-", 1)
            for step in range(int(steps[:at]), int(steps[at + 1:])):
                used[step] = set(range(low, high))
        if size > 0:
            offset = int(row["offset"]) if fixed and row["offset"] else None
            alignment = int(row.get("alignment") or 1) if offset is None else 1
            buffers.append((size, alignment, begin, end,
                            {step: bytes_ for step, bytes_ in used.items() if bytes_}, offset))
    return buffers


class Checker:
    def __init__(self, buffers, capacity, begin, end, unit):
        self.nogoods, self.broken, self.twins, self.turned = {}, False, set(), False
        self.inside = [b for b in range(1, len(buffers))
                       if begin <= buffers[b][2] and buffers[b][3] <= end]
        self.size, self.align, self.used, self.fixed = {}, {}, {}, {}
        self.capacity, self.unit = capacity // unit, unit
        for b in self.inside:
            size, alignment, _, _, used, self.fixed[b] = buffers[b]
            require(size % unit == 0 and (alignment % unit == 0 or unit % alignment == 0))
            self.size[b], self.align[b] = size // unit, max(1, alignment // unit)
            self.used[b] = {step: {i // unit for i in bytes_} for step, bytes_ in used.items()}
            require(all(len(self.used[b][step]) * unit == len(used[step]) for step in used))
        self.forbidden, self.known = {}, {}
        for b in self.inside:
            self.known[0, b], self.known[b, 0] = 0, -self.capacity
            self.forbidden[0, b] = self.forbidden[b, 0] = set()
            for a in self.inside:
                if a != b and buffers[a][2] < buffers[b][3] and buffers[b][2] < buffers[a][3]:
                    self.known[a, b] = -self.capacity
                    self.forbidden[a, b] = {
                        x - y for step in self.used[a].keys() & self.used[b].keys()
                        for x in self.used[a][step] for y in self.used[b][step]}
        for b in self.inside:
            self.put(b, 0, self.size[b] - self.capacity)

    def put(self, a, b, least):
        """x_b - x_a >= least, or the next value that is possible."""
        least = max(least, self.known[a, b])
        while least in self.forbidden[a, b] or (0 in (a, b) and least % self.align[a or b]):
            least += 1
        self.known[a, b] = least
        self.broken = self.broken or least > -self.known[b, a]

    def runs(self, step, own=None):
        """Each stretch of bytes that is used at a step, without those of OWN = (buffer, lo, hi)."""
        for b in self.inside:
            left = set(self.used[b].get(step, ()))
            if own and own[0] == b:
                left -= set(range(own[1], own[2]))
            for lo in sorted(left):
                if lo - 1 not in left:
                    hi = lo
                    while hi in left:
                        hi += 1
                    yield b, lo, hi

    def within(self, stretch, low, high):
        """The bytes of a stretch that lie between LOW and HIGH wherever it is."""
        b, lo, hi = stretch
        return sum(self.known[0, b] + i >= low and i + 1 - self.known[b, 0] <= high
                   for i in range(lo, hi))

    def task(self, numbers, step):
        b, lo, hi = numbers
        return lo < hi and b in self.used and set(range(lo, hi)) <= self.used[b].get(step, set())

    def rule(self, word, n):
        """Whether what the line says follows; then it is known."""
        known = self.known
        if word == "sum":
            if not {(n[0], n[1]), (n[1], n[2]), (n[0], n[2])} <= known.keys():
                return False
            self.put(n[0], n[2], known[n[0], n[1]] + known[n[1], n[2]])
            return True
        if word == "cycle":
            sides = list(zip(n, n[1:] + n[:1]))
            self.broken = all(side in known for side in sides) and sum(map(known.get, sides)) > 0
            return self.broken
        if word == "overload":
            room = n[2] - n[1]
            self.broken = 0 <= room < sum(self.within(s, n[1], n[2]) for s in self.runs(n[0]))
            return self.broken
        step, own = n[0], tuple(n[2:5] if word in ("pile", "hang") else n[3:6])
        if not self.task(own, step):
            return False
        k, lo, hi = own
        others = list(self.runs(step, own))
        if word in ("above", "below"):
            low, high, other = n[1], n[2], tuple(n[6:9])
            starts = known[0, k] + lo >= low if word == "above" else hi - known[k, 0] <= high
            if (not self.task(other, step) or (k, other[0]) not in known or not starts
                    or self.within(other, low, high) < other[2] - other[1]
                    or sum(self.within(s, low, high) for s in others) + hi - lo <= high - low):
                return False
            if word == "above":
                self.put(other[0], k, other[2] - lo)
            else:
                self.put(k, other[0], hi - other[1])
            return True
        distance = lambda a, b: 0 if a == b else known[a, b]
        if word == "pile":
            count = sum(known[0, b] + i >= n[1] for b, x, y in others
                        if distance(b, k) + lo >= y for i in range(x, y))
            self.put(0, k, n[1] + count - lo if count else known[0, k])
        elif word == "hang":
            count = sum(i + 1 - known[b, 0] <= n[1] for b, x, y in others
                        if distance(k, b) + x >= hi for i in range(x, y))
            self.put(k, 0, hi - (n[1] - count) if count else known[k, 0])
        elif word == "not-low":
            count = sum(i + 1 - known[b, 0] <= n[2] for b, x, y in others
                        if known[0, b] + y >= n[1] for i in range(x, y))
            if count and known[0, k] + hi + count > n[2]:
                self.put(0, k, n[1] - lo)
            else:
                count = 0
        else:
            count = sum(known[0, b] + i >= n[1] for b, x, y in others
                        if x - known[b, 0] <= n[2] for i in range(x, y))
            if count and lo - known[k, 0] - count < n[1]:
                self.put(k, 0, hi - n[2])
            else:
                count = 0
        return count > 0

    def use(self, name):
        open_ = [(a, b, t) for a, b, t in self.nogoods[name] if self.known[a, b] < t]
        if len(open_) == 1:
            self.put(open_[0][1], open_[0][0], 1 - open_[0][2])
        self.broken = self.broken or not open_
        return len(open_) < 2

    def fix(self, b, offset):
        if self.fixed[b] != offset * self.unit:
            return False
        self.put(0, b, offset)
        self.put(b, 0, -offset)
        return True

    def twin(self, a, b):
        self.twins |= {a, b}
        same = a < b and self.fixed[a] is None and all(
            of[a] == of[b] for of in (self.size, self.align, self.used, self.fixed))
        if same:
            self.put(a, b, 0)
        return same and not self.turned

    def mirror(self, a, b):
        upright = all(self.align[c] == 1 and self.fixed[c] is None
                      and bytes_ == {self.size[c] - 1 - i for i in bytes_}
                      for c in self.inside for bytes_ in self.used[c].values())
        if not upright or {a, b} & self.twins or self.turned or (a, b) not in self.known:
            return False
        self.turned = True
        self.put(a, b, -((self.size[b] - self.size[a]) // 2))
        return True


def check(instance, path):
    lines = [line.split() for line in open(path)]
    if " ".join(lines[0]) != "arenabench certificate 2":
        refuse(1, "no certificate")
    head = {line[0]: numbers_of(line[1:]) for line in lines[2:5]}
    capacity = head["capacity"][0]
    checker = Checker(read_instance(instance), capacity, *head["steps"], head["unit"][0])
    before, conditions, learned, begun = None, [], 0, False
    for number, (word, *rest) in enumerate(lines[5:], 6):
        if word == "end":
            if before is not None or not checker.broken:
                refuse(number, "there is no contradiction")
            return capacity + 1
        n = numbers_of(rest)
        good = True
        if len(n) < 2 if word == "cycle" else len(n) != COUNTS[word]:
            refuse(number, "not as many numbers as expected")
        if word in HEAD:
            add = {"fixed": checker.fix, "twins": checker.twin, "mirror": checker.mirror}[word]
            good = not begun and add(*n)
        elif word == "nogood":
            good = before is None
            before, conditions = (dict(checker.known), checker.broken), []
        elif word == "if":
            good = before is not None and (n[0], n[1]) in checker.known
            conditions.append(n)
            checker.put(*n)
        elif word == "learned":
            good = before is not None and checker.broken
            checker.known, checker.broken = before
            before, learned = None, learned + 1
            checker.nogoods[learned] = conditions
            if len(conditions) < 2:
                checker.use(learned)
        elif word == "forget":
            good = checker.nogoods.pop(n[0], None) is not None
        elif word == "use":
            good = n[0] in checker.nogoods and (checker.broken or checker.use(*n))
        elif not checker.broken:
            good = checker.rule(word, n)
        if not good:
            refuse(number, "does not follow: " + " ".join([word] + rest))
        begun = begun or word not in HEAD
    refuse(len(lines), "the certificate ends")


status = 0
for instance, path in zip(sys.argv[1::2], sys.argv[2::2]):
    try:
        print(path, "no plan has a peak below", check(instance, path))
    except (Refused, ValueError, KeyError, TypeError, IndexError, ZeroDivisionError) as error:
        print(path, "refused:", error)
        status = 1
sys.exit(status)
