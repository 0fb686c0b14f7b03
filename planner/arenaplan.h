/* SPDX-License-Identifier: Apache-2.0
 *
 * libarenaplan: offsets for buffers with known sizes and lifetimes in one arena, or in several
 * memories.
 *
 * Buffers that are alive together must not overlap, and the peak, the largest end of a buffer,
 * shall be small.  Times are steps, any int64_t numbers in whose order things happen; a buffer is
 * alive from `begin` until just before `end`.  Sizes and offsets are bytes.
 *
 *     struct arenaplan_buffer buffer[] = {{.begin = 0, .end = 3, .size = 64},
 *                                         {.begin = 1, .end = 4, .size = 128, .alignment = 64}};
 *     struct arenaplan_problem problem = ARENAPLAN_PROBLEM(buffer, 2);
 *     struct arenaplan_options options = ARENAPLAN_OPTIONS;
 *     struct arenaplan_result result = ARENAPLAN_RESULT;
 *     int64_t offset[2];
 *
 *     options.seconds = 0.01;
 *     if (arenaplan_plan(&problem, &options, offset, &result) <= ARENAPLAN_FEASIBLE)
 *         use(offset, result.peak);
 *
 * The library prints nothing, installs no handler, ends no process and keeps nothing between calls
 * but in a session.  All that can go wrong is a status: no input, no lack of memory and no
 * overflow is fatal.  Functions may be called by several threads at once; a session is one
 * thread's at a time.  All memory is the caller's allocator's, and is given back before a
 * call returns.
 *
 * One seed and one limit of work (and no limit of time) give the same offsets on every platform.
 *
 * Structs begin with their size, which the initialisers below fill in.  A program that was compiled
 * with an earlier header goes on working: members that its structs lack are 0, which means the
 * default.  So does one with a later header as long as it leaves at 0 what this library does not
 * know; else the answer is ARENAPLAN_FAULT_LATER.  Pieces and allocators stay as they are.
 *
 * What 1.1 has and 1.0 lacks says so.  */
#ifndef ARENAPLAN_H
#define ARENAPLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifndef ARENAPLAN_API
#if defined __GNUC__ && !defined _WIN32
#define ARENAPLAN_API __attribute__((visibility("default")))
#else
#define ARENAPLAN_API
#endif
#endif

#define ARENAPLAN_VERSION_MAJOR 1
#define ARENAPLAN_VERSION_MINOR 1
#define ARENAPLAN_VERSION_PATCH 0

/* How a call ended.  Up to ARENAPLAN_FEASIBLE there are offsets.  None is 0: what was zeroed says
 * nothing.  */
enum arenaplan_status {
    ARENAPLAN_OPTIMAL = 1, /* a plan, and none has a lower peak */
    ARENAPLAN_FEASIBLE,    /* a plan; within the capacity where one was given */
    ARENAPLAN_INFEASIBLE,  /* proven: there is no plan within the capacity */
    ARENAPLAN_INTERRUPTED, /* a limit or `stop` ended it before there was an answer */
    ARENAPLAN_INVALID,     /* the problem or the options are wrong: result.fault */
    ARENAPLAN_NO_MEMORY    /* the allocator gave none, or more than options.memory was needed */
};

/* Bytes [offset + low, offset + high) of a buffer that are in use during [begin, end).  */
struct arenaplan_piece {
    int64_t begin, end;
    int64_t low, high; /* 0 <= low < high */
};

/* Bits of arenaplan_buffer.flags.  */
#define ARENAPLAN_FIXED UINT32_C(1) /* lies at `offset`, which somebody else chose */

struct arenaplan_buffer {
    int64_t begin, end; /* begin < end; not looked at where there are pieces */
    int64_t size;       /* 0 or more; with pieces at least the largest high, or 0: just that */
    int64_t alignment;  /* of the offset, any number above 0; 0: 1 */
    int64_t offset;     /* with ARENAPLAN_FIXED; need not be aligned */
    uint64_t key;       /* who this is in the next call of a session; 0: by its index */
    const struct arenaplan_piece *piece; /* NULL: one rectangle */
    size_t pieces;
    uint32_t flags;
    uint32_t reserved; /* 0 */
};

struct arenaplan_problem {
    size_t struct_size, buffer_size; /* in bytes: of this, of one buffer, whose size that tells */
    const struct arenaplan_buffer *buffer;
    size_t count;
};

#define ARENAPLAN_PROBLEM(buffers, number)                                                      \
    {                                                                                           \
        sizeof(struct arenaplan_problem), sizeof(struct arenaplan_buffer), (buffers), (number), \
    }

/* Where memory comes from.  `allocate` returns BYTES (above 0) aligned for anything, or NULL;
 * `release` takes them back, with the same number.  */
struct arenaplan_allocator {
    void *(*allocate)(void *context, size_t bytes);
    void (*release)(void *context, void *block, size_t bytes);
    void *context;
};

struct arenaplan_options {
    size_t struct_size;
    int64_t capacity; /* a peak that is low enough: plan and prove end there; 0: none is */
    double seconds;   /* of wall clock; 0: no limit */
    int64_t work;     /* placements and choices; 0: as many as suit the size (plan), no limit */
    size_t memory;    /* bytes at once; 0: no limit */
    uint32_t seed;    /* 0: 1 */

    struct arenaplan_allocator allocator; /* allocate NULL: malloc and free */

    /* Called from within the call, with `context`.  Each may be NULL.
     * They must return, and may not call with the same session.  */
    void *context;
    void (*better)(void *context, const int64_t *offset, size_t count, int64_t peak);
    void (*bound)(void *context, int64_t lower_bound); /* a higher one is proven */
    bool (*stop)(void *context);    /* asked now and then: true ends the call with what there is */
    double (*clock)(void *context); /* seconds, never backwards; NULL: the system's */
};

#define ARENAPLAN_OPTIONS                                                                        \
    {                                                                                            \
        sizeof(struct arenaplan_options), 0, 0.0, 0, 0, 0, {NULL, NULL, NULL}, NULL, NULL, NULL, \
            NULL, NULL,                                                                          \
    }

/* What is wrong with a problem, a plan or options.  */
enum arenaplan_fault {
    ARENAPLAN_FAULT_NONE,
    ARENAPLAN_FAULT_STRUCT,    /* a struct is NULL, or its size none that a version has */
    ARENAPLAN_FAULT_OPTION,    /* an option is negative or not a number */
    ARENAPLAN_FAULT_LIFETIME,  /* begin >= end */
    ARENAPLAN_FAULT_SIZE,      /* negative, or less than a piece's high */
    ARENAPLAN_FAULT_ALIGNMENT, /* negative; of a plan: the offset is no multiple of it */
    ARENAPLAN_FAULT_PIECE,     /* low < 0, low >= high, or two pieces of the buffer overlap */
    ARENAPLAN_FAULT_FLAGS,     /* bits that mean nothing to this version */
    ARENAPLAN_FAULT_OFFSET,    /* negative; of a plan: not the one that is fixed */
    ARENAPLAN_FAULT_KEY,       /* a key that `other` has, too */
    ARENAPLAN_FAULT_OVERLAP,   /* overlaps `other`, in time and in bytes */
    ARENAPLAN_FAULT_CAPACITY,  /* of a plan: ends above the capacity */
    ARENAPLAN_FAULT_OVERFLOW,  /* sums of sizes, or differences of times, exceed int64_t */
    ARENAPLAN_FAULT_LATER,     /* a member that only a later version knows is not 0 */
    ARENAPLAN_FAULT_MEMORY, /* since 1.1: of memory `other` a number is negative; or there are none,
                             * or more than ARENAPLAN_MOST_MEMORIES */
    ARENAPLAN_FAULT_ACCESS  /* since 1.1: bytes read or written are negative, a memory is named that
                             * there is not, or a fixed buffer may lie in several */
};

/* What the searches counted.  */
struct arenaplan_statistics {
    int64_t placements, conflicts, restarts, nogoods, nogood_hits, capacities;
    int64_t dives, dive_placements, dive_failures;
    int64_t pair_choices, pair_conflicts, pair_restarts, pair_nogoods;
};

/* One whose size is 0 gets status and fault alone, ARENAPLAN_INVALID and ARENAPLAN_FAULT_STRUCT.
 * Members that only a later header has are left as they are.  */
struct arenaplan_result {
    size_t struct_size;
    enum arenaplan_status status;
    enum arenaplan_fault fault;
    size_t buffer, other; /* of the fault, by their indices; SIZE_MAX: none */
    int64_t peak;         /* of the offsets; 0 where there are none */
    int64_t lower_bound;  /* proven: no plan has a lower peak */
    int64_t work;         /* placements and choices that were spent */
    double seconds;       /* of wall clock */
    size_t memory;        /* the most bytes that were allocated at once */
    struct arenaplan_statistics statistics;
};

#define ARENAPLAN_RESULT                                                                        \
    {                                                                                           \
        sizeof(struct arenaplan_result), ARENAPLAN_INTERRUPTED, ARENAPLAN_FAULT_NONE, SIZE_MAX, \
            SIZE_MAX, 0, 0, 0, 0.0, 0, {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0},                 \
    }

/* In what follows OFFSET has room for as many numbers as the problem has buffers, and holds a plan
 * where the status says so; else it is left alone.  OPTIONS may be NULL: all defaults.  RESULT may
 * be NULL.  The status is returned, too.  */

/* The best plan within the limits: at once a greedy one, then what the section search finds.
 * Without limits it spends what suits the number of buffers, some milliseconds to seconds.
 * ARENAPLAN_OPTIMAL where the peak is the load, which is a lower bound, or a better one that
 * alignments give.  A greedy plan is always made, whatever the limits: ARENAPLAN_INTERRUPTED says
 * that options.capacity was not reached.  */
ARENAPLAN_API enum arenaplan_status arenaplan_plan(const struct arenaplan_problem *problem,
                                                   const struct arenaplan_options *options,
                                                   int64_t *offset,
                                                   struct arenaplan_result *result);

/* The optimum, or what the limits allow: then ARENAPLAN_FEASIBLE and the bracket from
 * result.lower_bound to result.peak.  With options.work alone the peak is never above that of
 * arenaplan_plan, whose placements count less here.  Exponential in the worst case.  */
ARENAPLAN_API enum arenaplan_status arenaplan_prove(const struct arenaplan_problem *problem,
                                                    const struct arenaplan_options *options,
                                                    int64_t *offset,
                                                    struct arenaplan_result *result);

/* Whether there is a plan within CAPACITY bytes: ARENAPLAN_FEASIBLE (or _OPTIMAL) with one,
 * ARENAPLAN_INFEASIBLE, or ARENAPLAN_INTERRUPTED.  options.capacity is not looked at.  */
ARENAPLAN_API enum arenaplan_status arenaplan_fits(const struct arenaplan_problem *problem,
                                                   int64_t capacity,
                                                   const struct arenaplan_options *options,
                                                   int64_t *offset,
                                                   struct arenaplan_result *result);

/* Judges a plan by code that no planner uses: ARENAPLAN_FEASIBLE with its peak, or
 * ARENAPLAN_INVALID with the first fault.  options.capacity, if any, is the most that the
 * peak may be.  O(n log n) for rectangles.  */
ARENAPLAN_API enum arenaplan_status arenaplan_check(const struct arenaplan_problem *problem,
                                                    const struct arenaplan_options *options,
                                                    const int64_t *offset,
                                                    struct arenaplan_result *result);

/* A session keeps the last plan.  A call of arenaplan_plan_again for a problem in which a few
 * buffers changed, came or went begins with that: buffers that are the same by `key` keep their
 * offsets, unless a plan with a lower peak is found within the limits, for which the search follows
 * that one.  Its first call is arenaplan_plan.  NULL: no memory.  ALLOCATOR, which is copied, is
 * the session's own; NULL: malloc and free.  */
struct arenaplan_session;
ARENAPLAN_API struct arenaplan_session *
arenaplan_session_new(const struct arenaplan_allocator *allocator);
ARENAPLAN_API void arenaplan_session_free(struct arenaplan_session *session); /* NULL: nothing */
ARENAPLAN_API enum arenaplan_status arenaplan_plan_again(struct arenaplan_session *session,
                                                         const struct arenaplan_problem *problem,
                                                         const struct arenaplan_options *options,
                                                         int64_t *offset,
                                                         struct arenaplan_result *result);

/* --- several memories, since 1.1 --- */

/* Memories at most.  */
#define ARENAPLAN_MOST_MEMORIES 64

/* A capacity: as many bytes as are wanted.  */
#define ARENAPLAN_UNLIMITED INT64_MAX

struct arenaplan_memory {
    int64_t capacity;    /* bytes, 0 or more */
    int64_t alignment;   /* offsets there are multiples of it and of the buffer's; 0: 1 */
    int64_t read, write; /* what a byte costs, 0 or more, in any unit */
};

/* Of one buffer.  */
struct arenaplan_access {
    int64_t reads, writes; /* bytes over its life, 0 or more */
    uint64_t memories;     /* bit m: it may lie in memory m; 0: in any */
};

struct arenaplan_memories {
    size_t struct_size, memory_size, access_size; /* in bytes: of this, one memory, one access */
    const struct arenaplan_memory *memory;
    size_t count;
    const struct arenaplan_access *access; /* of each buffer of the problem; NULL: each is written
                                            * once and read once, as a whole, wherever it lies */
};

#define ARENAPLAN_MEMORIES(memories, number, accesses)                         \
    {                                                                          \
        sizeof(struct arenaplan_memories), sizeof(struct arenaplan_memory),    \
            sizeof(struct arenaplan_access), (memories), (number), (accesses), \
    }

/* Rules are those of arenaplan_result.  */
struct arenaplan_assignment {
    size_t struct_size;
    enum arenaplan_status status;
    enum arenaplan_fault fault;
    size_t buffer, other; /* of the fault; of ARENAPLAN_INFEASIBLE `buffer` is one that is too large
                           * for each memory that it may lie in; SIZE_MAX: none */
    int64_t cost;         /* of all bytes that are read and written; 0 where there is no plan */
    int64_t lower_bound;  /* proven: nothing costs less */
    int64_t work;
    double seconds;
    size_t memory; /* the most bytes that were allocated at once */
};

#define ARENAPLAN_ASSIGNMENT                                                              \
    {                                                                                     \
        sizeof(struct arenaplan_assignment), ARENAPLAN_INTERRUPTED, ARENAPLAN_FAULT_NONE, \
            SIZE_MAX, SIZE_MAX, 0, 0, 0, 0.0, 0,                                          \
    }

/* A memory, by its index, and an offset there for each buffer, at a low cost: buffers that are
 * alive together and lie in the same memory do not overlap, and all is within the capacities.
 * ARENAPLAN_OPTIMAL: none costs less.  ARENAPLAN_FEASIBLE: the least cost is between lower_bound
 * and cost.  ARENAPLAN_INFEASIBLE: a buffer is too large for all its memories, or the bytes that
 * are alive in a step do not fit.  ARENAPLAN_INTERRUPTED: neither was found.
 *
 * A buffer that is fixed lies at its offset in the one memory that it may lie in: so are ranges of
 * a memory reserved.  With one memory this is arenaplan_plan with that capacity, or, where that
 * finds no plan, arenaplan_fits.  Else the search goes on until the bound is reached or a limit;
 * without limits it spends what suits the number of buffers.  options.capacity is not looked at,
 * options.better not called; options.bound is told bounds of the cost.  In memories without a
 * limit the peak is low, too.  MEMORY has room for as many numbers as OFFSET, and is left alone
 * where that is.  ASSIGNMENT may be NULL.  */
ARENAPLAN_API enum arenaplan_status arenaplan_assign(const struct arenaplan_problem *problem,
                                                     const struct arenaplan_memories *memories,
                                                     const struct arenaplan_options *options,
                                                     size_t *memory, int64_t *offset,
                                                     struct arenaplan_assignment *assignment);

/* Short English texts for people; never NULL, "unknown" for any other number.  */
ARENAPLAN_API const char *arenaplan_status_text(enum arenaplan_status status);
ARENAPLAN_API const char *arenaplan_fault_text(enum arenaplan_fault fault);

/* The name of a member of arenaplan_statistics, from 0; NULL behind the last one that this library
 * counts.  */
ARENAPLAN_API const char *arenaplan_statistic_name(size_t member);

/* The library's own version, "1.1.0"; and as a number, 10000 MAJOR + 100 MINOR + PATCH.  */
ARENAPLAN_API const char *arenaplan_version_text(void);
ARENAPLAN_API uint32_t arenaplan_version(void);

#ifdef __cplusplus
}
#endif

#endif
