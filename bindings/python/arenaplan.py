# SPDX-License-Identifier: Apache-2.0
"""Offsets for buffers with known sizes and lifetimes in one arena, or in several memories:
libarenaplan for Python.

One file, to be copied or installed.  It needs the shared library libarenaplan.so.1, which is looked
for where ARENAPLAN_LIBRARY (a file) says, beside this file, and where the system has its libraries.
NumPy is used where arrays are given and not needed otherwise.

Buffers that are alive together do not overlap, and the peak is small:

>>> result = plan([Buffer(0, 3, 64), Buffer(1, 4, 128, alignment=64), Buffer(3, 5, 64)])
>>> result.peak
192
>>> check([Buffer(0, 3, 64), Buffer(1, 4, 128)], [0, 64]).peak
192
>>> fits([(0, 2, 10), (1, 3, 10)], 19).status.name
'INFEASIBLE'

>>> print(result.status)
Status.OPTIMAL

With several memories (libarenaplan 1.1) each buffer gets one of them, too, so that what is read and
written costs little:

>>> best = assign([(0, 2, 8), (1, 3, 16)], [Memory(16, read=1, write=1), Memory(read=9, write=9)])
>>> best.memories, best.cost
([1, 0], 176)

A problem that makes no sense is a ValueError that says where, what is no integer a TypeError:

>>> plan([Buffer(0, 3, 64), Buffer(4, 4, 1)])
Traceback (most recent call last):
    ...
arenaplan.InvalidProblem: buffer 1: a lifetime has no step: its end must be above its begin
>>> plan([Buffer(0, 1.5, 1)])
Traceback (most recent call last):
    ...
TypeError: buffer 0: end must be an integer, not float

The header arenaplan.h says what the functions promise.
"""

from __future__ import annotations

import ctypes
import ctypes.util
import enum
import operator
import os
from dataclasses import dataclass, field
from typing import Any, Callable, List, NamedTuple, Optional, Sequence, Tuple, Union

__all__ = ["Access", "Assignment", "Buffer", "Fault", "InvalidProblem", "Memory", "Piece", "Result",
           "Session", "Status", "assign", "check", "fits", "plan", "prove", "version"]


class _Named(enum.IntEnum):
    """A number of C that shows its name, whatever the version of Python."""

    def __str__(self) -> str:
        return f"{type(self).__name__}.{self.name}"

    __repr__ = __str__

    def __format__(self, spec: str) -> str:
        return format(str(self), spec)


class Status(_Named):
    """How a call ended; up to FEASIBLE there are offsets."""

    OPTIMAL = 1
    FEASIBLE = 2
    INFEASIBLE = 3
    INTERRUPTED = 4
    INVALID = 5
    NO_MEMORY = 6


class Fault(_Named):
    """What is wrong with a problem, a plan or options."""

    NONE = 0
    STRUCT = 1
    OPTION = 2
    LIFETIME = 3
    SIZE = 4
    ALIGNMENT = 5
    PIECE = 6
    FLAGS = 7
    OFFSET = 8
    KEY = 9
    OVERLAP = 10
    CAPACITY = 11
    OVERFLOW = 12
    LATER = 13
    MEMORY = 14
    ACCESS = 15


class Piece(NamedTuple):
    """Bytes [offset + low, offset + high) of a buffer, in use during [begin, end)."""

    begin: int
    end: int
    low: int
    high: int


class Buffer(NamedTuple):
    """Alive from step `begin` until just before step `end`; `size` and `alignment` in bytes.

    With `offset` it lies there, because somebody else said so.  `key` is who it is in the next
    call of a session (0: its index).  With `pieces` it is these, and no rectangle.
    """

    begin: int
    end: int
    size: int
    alignment: int = 1
    offset: Optional[int] = None
    key: int = 0
    pieces: Sequence[Piece] = ()


class Memory(NamedTuple):
    """So many bytes (None: as many as are wanted), and what one costs that is read or written."""

    capacity: Optional[int] = None
    read: int = 0
    write: int = 0
    alignment: int = 1


class Access(NamedTuple):
    """Bytes of a buffer that are read and written over its life.

    `memories` are the indices of those that it may lie in; None: all.
    """

    reads: int
    writes: int
    memories: Optional[Sequence[int]] = None


@dataclass(frozen=True)
class Result:
    """What a call found.  `offsets` is None where the status is above FEASIBLE."""

    status: Status
    offsets: Any  # List[int], or an array where an array was given
    peak: int
    lower_bound: int
    work: int
    seconds: float
    memory: int
    statistics: dict = field(default_factory=dict)


@dataclass(frozen=True)
class Assignment:
    """What `assign` found.  `memories` and `offsets` are None where the status is above FEASIBLE.

    `buffer` is one that is too large for all its memories where that is why there is none.
    """

    status: Status
    memories: Optional[List[int]]
    offsets: Any
    cost: int
    lower_bound: int
    buffer: Optional[int]
    work: int
    seconds: float
    memory: int


class InvalidProblem(ValueError):
    """The problem, the plan or the options are wrong.

    `fault` says what, `buffer` and `other` are indices of buffers, or None.
    """

    def __init__(self, text: str, fault: Fault, buffer: Optional[int], other: Optional[int]):
        super().__init__(text)
        self.fault = fault
        self.buffer = buffer
        self.other = other


# Rows of begin, end, size and perhaps alignment, or of Buffer; or such an array of integers.
Buffers = Union[Sequence[Union[Buffer, Tuple[int, ...]]], Any]

# --- the library, and the structs of arenaplan.h ---


def _load() -> ctypes.CDLL:
    beside = os.path.join(os.path.dirname(os.path.abspath(__file__)), "libarenaplan.so.1")
    name = os.environ.get("ARENAPLAN_LIBRARY")
    if not name:
        name = beside if os.path.exists(beside) else ctypes.util.find_library("arenaplan")
    return ctypes.CDLL(name or "libarenaplan.so.1")


_library = _load()


def _statistic_names() -> List[str]:
    """Those that this library counts, as it has them in its struct."""
    name_of = _library.arenaplan_statistic_name
    name_of.argtypes = [ctypes.c_size_t]
    name_of.restype = ctypes.c_char_p
    names: List[str] = []
    while (name := name_of(len(names))) is not None:
        names.append(name.decode())
    return names


class _Piece(ctypes.Structure):
    _fields_ = [("begin", ctypes.c_int64), ("end", ctypes.c_int64), ("low", ctypes.c_int64),
                ("high", ctypes.c_int64)]


class _Buffer(ctypes.Structure):
    _fields_ = [("begin", ctypes.c_int64), ("end", ctypes.c_int64), ("size", ctypes.c_int64),
                ("alignment", ctypes.c_int64), ("offset", ctypes.c_int64),
                ("key", ctypes.c_uint64), ("piece", ctypes.POINTER(_Piece)),
                ("pieces", ctypes.c_size_t), ("flags", ctypes.c_uint32),
                ("reserved", ctypes.c_uint32)]


class _Problem(ctypes.Structure):
    _fields_ = [("struct_size", ctypes.c_size_t), ("buffer_size", ctypes.c_size_t),
                ("buffer", ctypes.POINTER(_Buffer)), ("count", ctypes.c_size_t)]


class _Allocator(ctypes.Structure):
    _fields_ = [("allocate", ctypes.c_void_p), ("release", ctypes.c_void_p),
                ("context", ctypes.c_void_p)]


_Better = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.POINTER(ctypes.c_int64),
                           ctypes.c_size_t, ctypes.c_int64)
_Bound = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int64)
_Stop = ctypes.CFUNCTYPE(ctypes.c_bool, ctypes.c_void_p)
_Clock = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_void_p)


class _Options(ctypes.Structure):
    _fields_ = [("struct_size", ctypes.c_size_t), ("capacity", ctypes.c_int64),
                ("seconds", ctypes.c_double), ("work", ctypes.c_int64),
                ("memory", ctypes.c_size_t), ("seed", ctypes.c_uint32),
                ("allocator", _Allocator),
                ("context", ctypes.c_void_p), ("better", _Better), ("bound", _Bound),
                ("stop", _Stop), ("clock", _Clock)]


class _Statistics(ctypes.Structure):
    _fields_ = [(name, ctypes.c_int64) for name in _statistic_names()]


class _Result(ctypes.Structure):
    _fields_ = [("struct_size", ctypes.c_size_t), ("status", ctypes.c_int),
                ("fault", ctypes.c_int), ("buffer", ctypes.c_size_t),
                ("other", ctypes.c_size_t), ("peak", ctypes.c_int64),
                ("lower_bound", ctypes.c_int64), ("work", ctypes.c_int64),
                ("seconds", ctypes.c_double), ("memory", ctypes.c_size_t),
                ("statistics", _Statistics)]


class _Memory(ctypes.Structure):
    _fields_ = [("capacity", ctypes.c_int64), ("alignment", ctypes.c_int64),
                ("read", ctypes.c_int64), ("write", ctypes.c_int64)]


class _Access(ctypes.Structure):
    _fields_ = [("reads", ctypes.c_int64), ("writes", ctypes.c_int64),
                ("memories", ctypes.c_uint64)]


class _Memories(ctypes.Structure):
    _fields_ = [("struct_size", ctypes.c_size_t), ("memory_size", ctypes.c_size_t),
                ("access_size", ctypes.c_size_t), ("memory", ctypes.POINTER(_Memory)),
                ("count", ctypes.c_size_t), ("access", ctypes.POINTER(_Access))]


class _Assignment(ctypes.Structure):
    _fields_ = [("struct_size", ctypes.c_size_t), ("status", ctypes.c_int),
                ("fault", ctypes.c_int), ("buffer", ctypes.c_size_t),
                ("other", ctypes.c_size_t), ("cost", ctypes.c_int64),
                ("lower_bound", ctypes.c_int64), ("work", ctypes.c_int64),
                ("seconds", ctypes.c_double), ("memory", ctypes.c_size_t)]


_FIXED = 1
_UNLIMITED = 2**63 - 1
_MOST_MEMORIES = 64
_NOWHERE = ctypes.c_size_t(-1).value


def _declare() -> None:
    problem, options = ctypes.POINTER(_Problem), ctypes.POINTER(_Options)
    offset, result = ctypes.POINTER(ctypes.c_int64), ctypes.POINTER(_Result)
    for function in (_library.arenaplan_plan, _library.arenaplan_prove, _library.arenaplan_check):
        function.argtypes = [problem, options, offset, result]
    _library.arenaplan_fits.argtypes = [problem, ctypes.c_int64, options, offset, result]
    _library.arenaplan_session_new.argtypes = [ctypes.c_void_p]
    _library.arenaplan_session_new.restype = ctypes.c_void_p
    _library.arenaplan_session_free.argtypes = [ctypes.c_void_p]
    _library.arenaplan_session_free.restype = None
    _library.arenaplan_plan_again.argtypes = [ctypes.c_void_p, problem, options, offset, result]
    if hasattr(_library, "arenaplan_assign"):  # since 1.1
        _library.arenaplan_assign.argtypes = [problem, ctypes.POINTER(_Memories), options,
                                              ctypes.POINTER(ctypes.c_size_t), offset,
                                              ctypes.POINTER(_Assignment)]
    for function in (_library.arenaplan_status_text, _library.arenaplan_fault_text):
        function.argtypes = [ctypes.c_int]
        function.restype = ctypes.c_char_p
    _library.arenaplan_version_text.argtypes = []
    _library.arenaplan_version_text.restype = ctypes.c_char_p


_declare()


def version() -> str:
    """The library's version, such as "1.1.0"."""
    return _library.arenaplan_version_text().decode()


# --- calls ---


def _whole(value: Any, what: str, low: int = -2**63, high: int = 2**63 - 1) -> int:
    """VALUE as an integer of C: ctypes itself would cut off what does not fit."""
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{what} must be an integer, not {type(value).__name__}") from None
    if not low <= number <= high:
        raise ValueError(f"{what} must be in {low}..{high}, not {number}")
    return number


def _real(value: Any, what: str) -> float:
    try:
        return ctypes.c_double(value).value
    except TypeError:
        raise TypeError(f"{what} must be a number, not {type(value).__name__}") from None


def _row(row: Any, kind: Any, what: str, expected: str) -> Any:
    """ROW as a KIND, a tuple with names."""
    if isinstance(row, kind):
        return row
    try:
        return kind(*row)
    except TypeError:
        raise TypeError(f"{what}: expected {expected}, not {row!r}") from None


class _Call:
    """A problem with its options, as C has them, and the room for what comes back."""

    def __init__(self, buffers: Buffers, better: Optional[Callable[[List[int], int], None]] = None,
                 bound: Optional[Callable[[int], None]] = None,
                 stop: Optional[Callable[[], bool]] = None, *, capacity: int = 0,
                 seconds: float = 0.0, work: int = 0, memory: int = 0, seed: int = 0):
        self._array = None
        if hasattr(buffers, "dtype"):
            self._array = buffers
            if getattr(buffers, "ndim", 0) != 2 or buffers.shape[1] not in (3, 4):
                raise ValueError("expected rows of begin, end, size and perhaps alignment")
            buffers = buffers.tolist()
        self.count = len(buffers)
        self._kept: List[Any] = []  # what C has pointers to
        self._buffers = (_Buffer * max(self.count, 1))()
        for i, row in enumerate(buffers):
            self._fill(self._buffers[i], f"buffer {i}", row)
        self.problem = _Problem(ctypes.sizeof(_Problem), ctypes.sizeof(_Buffer), self._buffers,
                                self.count)
        self.options = _Options(struct_size=ctypes.sizeof(_Options),
                                capacity=_whole(capacity, "capacity"),
                                seconds=_real(seconds, "seconds"),
                                work=_whole(work, "work"),
                                memory=_whole(memory, "memory", 0, _NOWHERE),
                                seed=_whole(seed, "seed", 0, 2**32 - 1))
        self.result = _Result(struct_size=ctypes.sizeof(_Result))
        self.offsets = (ctypes.c_int64 * max(self.count, 1))()
        self._raised: Optional[BaseException] = None
        self._set_callbacks(better, bound, stop)

    def _fill(self, at: _Buffer, its: str, given: Any) -> None:
        row = _row(given, Buffer, its, "begin, end, size and perhaps alignment")
        at.begin = _whole(row.begin, f"{its}: begin")
        at.end = _whole(row.end, f"{its}: end")
        at.size = _whole(row.size, f"{its}: size")
        at.alignment = _whole(row.alignment, f"{its}: alignment")
        at.key = _whole(row.key, f"{its}: key", 0, 2**64 - 1)
        if row.offset is not None:
            at.offset = _whole(row.offset, f"{its}: offset")
            at.flags = _FIXED
        if len(row.pieces) > 0:
            pieces = (_Piece * len(row.pieces))()
            for i, piece in enumerate(row.pieces):
                where = f"{its}: piece {i}"
                piece = _row(piece, Piece, where, "begin, end, low and high")
                pieces[i] = tuple(_whole(x, f"{where}: {name}")
                                  for name, x in zip(Piece._fields, piece))
            self._kept.append(pieces)
            at.piece = pieces
            at.pieces = len(pieces)

    def _guarded(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """No exception can pass through C: it is kept, and ends the call."""
        if self._raised is None:
            try:
                return function(*arguments)
            except BaseException as error:  # raised again in `run`
                self._raised = error
        return None

    def _set_callbacks(self, better: Optional[Callable[[List[int], int], None]],
                       bound: Optional[Callable[[int], None]],
                       stop: Optional[Callable[[], bool]]) -> None:
        for name, function in (("better", better), ("bound", bound), ("stop", stop)):
            if function is not None and not callable(function):
                raise TypeError(f"{name} must be a function, not {type(function).__name__}")
        if better is not None:
            self.options.better = _Better(lambda _, offset, count, peak: self._guarded(
                better, offset[:count], peak))
        if bound is not None:
            self.options.bound = _Bound(lambda _, value: self._guarded(bound, value))
        if better is not None or bound is not None or stop is not None:
            self.options.stop = _Stop(lambda _: bool(
                (stop is not None and self._guarded(stop)) or self._raised is not None))

    def run(self, function: Callable[..., int], *before: Any) -> Result:
        """FUNCTION(problem, BEFORE..., options, offsets, result), as all calls of the library are."""
        function(ctypes.byref(self.problem), *before, ctypes.byref(self.options), self.offsets,
                 ctypes.byref(self.result))
        return self.answer()

    def status(self, its: Any) -> Status:
        """Of ITS, a result or an assignment; raises what went wrong."""
        if self._raised is not None:
            raise self._raised
        status = Status(its.status)
        if status == Status.INVALID:
            raise self._invalid(its)
        if status == Status.NO_MEMORY:
            raise MemoryError("arenaplan: no memory")
        return status

    def answer(self) -> Result:
        its = self.result
        status = self.status(its)
        return Result(status, self.found() if status <= Status.FEASIBLE else None, its.peak,
                      its.lower_bound, its.work, its.seconds, its.memory,
                      {name: getattr(its.statistics, name) for name, _ in _Statistics._fields_})

    def found(self) -> Any:
        if self._array is None:
            return self.offsets[:self.count]
        import numpy  # an array was given, so it is here
        return numpy.array(self.offsets[:self.count], dtype=numpy.int64)

    def _invalid(self, its: Any) -> InvalidProblem:
        fault = Fault(its.fault)
        buffer = None if its.buffer == _NOWHERE else its.buffer
        other = None if its.other == _NOWHERE else its.other
        text = _library.arenaplan_fault_text(its.fault).decode()
        if other is not None and fault == Fault.MEMORY:
            text = f"memory {other}: {text}"
        elif other is not None:
            text = f"{text} (the other: {other})"
        return InvalidProblem(text if buffer is None else f"buffer {buffer}: {text}", fault,
                              buffer, other)


def plan(buffers: Buffers, **options: Any) -> Result:
    """The best plan within the limits: at once a greedy one, then what the search finds.

    Options: capacity (a peak that is low enough), seconds, work (placements and choices), memory
    (bytes), seed, and functions that are called meanwhile: better(offsets, peak),
    bound(lower_bound), stop() -> bool.  Limits that are 0 are none.
    """
    return _Call(buffers, **options).run(_library.arenaplan_plan)


def prove(buffers: Buffers, **options: Any) -> Result:
    """The optimum, or what the limits allow.  Options as for `plan`."""
    return _Call(buffers, **options).run(_library.arenaplan_prove)


def fits(buffers: Buffers, capacity: int, **options: Any) -> Result:
    """Whether there is a plan within `capacity` bytes: FEASIBLE, INFEASIBLE or INTERRUPTED."""
    return _Call(buffers, **options).run(_library.arenaplan_fits, _whole(capacity, "capacity"))


def check(buffers: Buffers, offsets: Sequence[int], *, capacity: int = 0) -> Result:
    """Judges a plan; InvalidProblem says what is wrong with it.

    >>> check([(0, 2, 8), (1, 3, 8)], [0, 4])
    Traceback (most recent call last):
        ...
    arenaplan.InvalidProblem: buffer 1: two buffers overlap in time and in bytes (the other: 0)
    """
    call = _Call(buffers, capacity=capacity)
    if len(offsets) != call.count:
        raise ValueError(f"{len(offsets)} offsets for {call.count} buffers")
    for i, offset in enumerate(offsets):
        call.offsets[i] = _whole(offset, f"offset {i}")
    return call.run(_library.arenaplan_check)


def _mask(memories: Optional[Sequence[int]], its: str) -> int:
    mask = 0
    for m in memories if memories is not None else ():
        mask |= 1 << _whole(m, f"{its}: a memory", 0, _MOST_MEMORIES - 1)
    if memories is not None and mask == 0:
        raise ValueError(f"{its}: it may lie in no memory")
    return mask


def _memory_rows(memories: Sequence[Any]) -> Any:
    rows = (_Memory * max(len(memories), 1))()
    for i, given in enumerate(memories):
        its = f"memory {i}"
        row = _row(given, Memory, its, "capacity, read, write and perhaps alignment")
        capacity = _UNLIMITED if row.capacity is None else row.capacity
        rows[i] = (_whole(capacity, f"{its}: capacity"),
                   _whole(row.alignment, f"{its}: alignment"),
                   _whole(row.read, f"{its}: read"), _whole(row.write, f"{its}: write"))
    return rows


def _access_rows(accesses: Optional[Sequence[Any]], count: int) -> Any:
    if accesses is None:
        return None
    if len(accesses) != count:
        raise ValueError(f"{len(accesses)} accesses for {count} buffers")
    rows = (_Access * max(count, 1))()
    for i, given in enumerate(accesses):
        its = f"access {i}"
        row = _row(given, Access, its, "reads, writes and perhaps memories")
        rows[i] = (_whole(row.reads, f"{its}: reads"), _whole(row.writes, f"{its}: writes"),
                   _mask(row.memories, its))
    return rows


def assign(buffers: Buffers, memories: Sequence[Union[Memory, Tuple[int, ...]]],
           accesses: Optional[Sequence[Union[Access, Tuple[Any, ...]]]] = None,
           **options: Any) -> Assignment:
    """A memory and an offset for each buffer, at a low cost, and how low it can be at most.

    `accesses` is of each buffer; None: each is written once and read once, and lies anywhere.
    Options as for `plan`; `capacity` and `better` have no part in it.

    >>> assign([(0, 2, 8)], [Memory(4)]).buffer
    0
    """
    if not hasattr(_library, "arenaplan_assign"):
        raise NotImplementedError(f"libarenaplan {version()} has no memories: 1.1 is needed")
    call = _Call(buffers, **options)
    rows, access = _memory_rows(memories), _access_rows(accesses, call.count)
    of = _Memories(ctypes.sizeof(_Memories), ctypes.sizeof(_Memory), ctypes.sizeof(_Access), rows,
                   len(memories), access)
    its = _Assignment(struct_size=ctypes.sizeof(_Assignment))
    lies = (ctypes.c_size_t * max(call.count, 1))()
    _library.arenaplan_assign(ctypes.byref(call.problem), ctypes.byref(of),
                              ctypes.byref(call.options), lies, call.offsets, ctypes.byref(its))
    status = call.status(its)
    found = status <= Status.FEASIBLE
    return Assignment(status, lies[:call.count] if found else None,
                      call.found() if found else None, its.cost, its.lower_bound,
                      None if its.buffer == _NOWHERE else its.buffer, its.work, its.seconds,
                      its.memory)


class Session:
    """Keeps the last plan: the next call begins with it where buffers are the same by `key`.

    >>> with Session() as session:
    ...     first = session.plan([Buffer(0, 2, 8, key=7), Buffer(1, 3, 8, key=8)])
    ...     again = session.plan([Buffer(1, 3, 8, key=8), Buffer(2, 4, 8, key=9)])
    >>> again.peak
    16
    """

    def __init__(self) -> None:
        self._session = _library.arenaplan_session_new(None)
        if not self._session:
            raise MemoryError("arenaplan: no memory")

    def plan(self, buffers: Buffers, **options: Any) -> Result:
        """As the function `plan`."""
        if not self._session:
            raise ValueError("the session is closed")
        call = _Call(buffers, **options)
        _library.arenaplan_plan_again(self._session, ctypes.byref(call.problem),
                                      ctypes.byref(call.options), call.offsets,
                                      ctypes.byref(call.result))
        return call.answer()

    def close(self) -> None:
        """Gives its memory back; a second time does nothing."""
        session, self._session = self._session, None
        _library.arenaplan_session_free(session)

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def __del__(self) -> None:
        if getattr(self, "_session", None):
            self.close()
