/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What programs that were compiled with version 1 of the library's header rely on: sizes and places
 * of members, numbers of constants.  A change here is a new major version.  And how programs fare
 * that were compiled with a later header; library.sh has an earlier one.  */
#include <config.h>

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "planner/arenaplan.h"
#include "tests/support/tap.h"

struct place {
    const char *name;
    size_t is, was;
};

#define MEMBER(type, member, was)                                         \
    {                                                                     \
#type "." #member, offsetof(struct arenaplan_##type, member), was \
    }
#define SIZE(type, was)                             \
    {                                               \
#type, sizeof(struct arenaplan_##type), was \
    }

/* With pointers and size_t of 8 bytes.  */
static const struct place places[] = {
    MEMBER(piece, begin, 0),
    MEMBER(piece, end, 8),
    MEMBER(piece, low, 16),
    MEMBER(piece, high, 24),
    SIZE(piece, 32),
    MEMBER(buffer, begin, 0),
    MEMBER(buffer, end, 8),
    MEMBER(buffer, size, 16),
    MEMBER(buffer, alignment, 24),
    MEMBER(buffer, offset, 32),
    MEMBER(buffer, key, 40),
    MEMBER(buffer, piece, 48),
    MEMBER(buffer, pieces, 56),
    MEMBER(buffer, flags, 64),
    MEMBER(buffer, reserved, 68),
    SIZE(buffer, 72),
    MEMBER(problem, struct_size, 0),
    MEMBER(problem, buffer_size, 8),
    MEMBER(problem, buffer, 16),
    MEMBER(problem, count, 24),
    SIZE(problem, 32),
    MEMBER(allocator, allocate, 0),
    MEMBER(allocator, release, 8),
    MEMBER(allocator, context, 16),
    SIZE(allocator, 24),
    MEMBER(options, struct_size, 0),
    MEMBER(options, capacity, 8),
    MEMBER(options, seconds, 16),
    MEMBER(options, work, 24),
    MEMBER(options, memory, 32),
    MEMBER(options, seed, 40),
    MEMBER(options, allocator, 48),
    MEMBER(options, context, 72),
    MEMBER(options, better, 80),
    MEMBER(options, bound, 88),
    MEMBER(options, stop, 96),
    MEMBER(options, clock, 104),
    SIZE(options, 112),
    MEMBER(result, struct_size, 0),
    MEMBER(result, status, 8),
    MEMBER(result, fault, 12),
    MEMBER(result, buffer, 16),
    MEMBER(result, other, 24),
    MEMBER(result, peak, 32),
    MEMBER(result, lower_bound, 40),
    MEMBER(result, work, 48),
    MEMBER(result, seconds, 56),
    MEMBER(result, memory, 64),
    MEMBER(result, statistics, 72),
    SIZE(result, 176),
    MEMBER(statistics, placements, 0),
    MEMBER(statistics, conflicts, 8),
    MEMBER(statistics, restarts, 16),
    MEMBER(statistics, nogoods, 24),
    MEMBER(statistics, nogood_hits, 32),
    MEMBER(statistics, capacities, 40),
    MEMBER(statistics, dives, 48),
    MEMBER(statistics, dive_placements, 56),
    MEMBER(statistics, dive_failures, 64),
    MEMBER(statistics, pair_choices, 72),
    MEMBER(statistics, pair_conflicts, 80),
    MEMBER(statistics, pair_restarts, 88),
    MEMBER(statistics, pair_nogoods, 96),
    SIZE(statistics, 104),
    /* Since 1.1.  */
    MEMBER(memory, capacity, 0),
    MEMBER(memory, alignment, 8),
    MEMBER(memory, read, 16),
    MEMBER(memory, write, 24),
    SIZE(memory, 32),
    MEMBER(access, reads, 0),
    MEMBER(access, writes, 8),
    MEMBER(access, memories, 16),
    SIZE(access, 24),
    MEMBER(memories, struct_size, 0),
    MEMBER(memories, memory_size, 8),
    MEMBER(memories, access_size, 16),
    MEMBER(memories, memory, 24),
    MEMBER(memories, count, 32),
    MEMBER(memories, access, 40),
    SIZE(memories, 48),
    MEMBER(assignment, struct_size, 0),
    MEMBER(assignment, status, 8),
    MEMBER(assignment, fault, 12),
    MEMBER(assignment, buffer, 16),
    MEMBER(assignment, other, 24),
    MEMBER(assignment, cost, 32),
    MEMBER(assignment, lower_bound, 40),
    MEMBER(assignment, work, 48),
    MEMBER(assignment, seconds, 56),
    MEMBER(assignment, memory, 64),
    SIZE(assignment, 72),
};

#define CONSTANT(name, was)        \
    {                              \
#name, (size_t)(name), was \
    }

static const struct place constants[] = {
    CONSTANT(ARENAPLAN_OPTIMAL, 1),         CONSTANT(ARENAPLAN_FEASIBLE, 2),
    CONSTANT(ARENAPLAN_INFEASIBLE, 3),      CONSTANT(ARENAPLAN_INTERRUPTED, 4),
    CONSTANT(ARENAPLAN_INVALID, 5),         CONSTANT(ARENAPLAN_NO_MEMORY, 6),
    CONSTANT(ARENAPLAN_FIXED, 1),           CONSTANT(ARENAPLAN_FAULT_NONE, 0),
    CONSTANT(ARENAPLAN_FAULT_STRUCT, 1),    CONSTANT(ARENAPLAN_FAULT_OPTION, 2),
    CONSTANT(ARENAPLAN_FAULT_LIFETIME, 3),  CONSTANT(ARENAPLAN_FAULT_SIZE, 4),
    CONSTANT(ARENAPLAN_FAULT_ALIGNMENT, 5), CONSTANT(ARENAPLAN_FAULT_PIECE, 6),
    CONSTANT(ARENAPLAN_FAULT_FLAGS, 7),     CONSTANT(ARENAPLAN_FAULT_OFFSET, 8),
    CONSTANT(ARENAPLAN_FAULT_KEY, 9),       CONSTANT(ARENAPLAN_FAULT_OVERLAP, 10),
    CONSTANT(ARENAPLAN_FAULT_CAPACITY, 11), CONSTANT(ARENAPLAN_FAULT_OVERFLOW, 12),
    CONSTANT(ARENAPLAN_FAULT_LATER, 13),    CONSTANT(ARENAPLAN_VERSION_MAJOR, 1),
    CONSTANT(ARENAPLAN_FAULT_MEMORY, 14),   CONSTANT(ARENAPLAN_FAULT_ACCESS, 15),
    CONSTANT(ARENAPLAN_MOST_MEMORIES, 64),
};

static void judge(const struct place *place, size_t count)
{
    for (size_t i = 0; i < count; i++)
        is_int((int64_t)place[i].is, (int64_t)place[i].was, "%s", place[i].name);
}

/* What the initialisers say of themselves.  */
static void initialisers(void)
{
    struct arenaplan_problem problem = ARENAPLAN_PROBLEM(NULL, 7);
    struct arenaplan_options options = ARENAPLAN_OPTIONS;
    struct arenaplan_result result = ARENAPLAN_RESULT;

    ok(problem.struct_size == sizeof problem && problem.count == 7 &&
           problem.buffer_size == sizeof *problem.buffer,
       "a problem knows its sizes");
    ok(options.struct_size == sizeof options && options.clock == NULL && options.work == 0,
       "options are all defaults");
    ok(result.struct_size == sizeof result && result.status == ARENAPLAN_INTERRUPTED &&
           result.other == SIZE_MAX && result.statistics.pair_nogoods == 0,
       "a result says that nothing has been done");
}

/* --- other headers --- */

/* What was zeroed says so.  */
static void zeroes(void)
{
    struct arenaplan_buffer buffer = {.begin = 0, .end = 1, .size = 8};
    struct arenaplan_problem problem = ARENAPLAN_PROBLEM(&buffer, 1);
    struct arenaplan_result result;
    int64_t offset;

    memset(&result, 0, sizeof result);
    ok(result.status != ARENAPLAN_OPTIMAL &&
           arenaplan_plan(&problem, NULL, &offset, &result) == ARENAPLAN_INVALID &&
           result.status == ARENAPLAN_INVALID && result.fault == ARENAPLAN_FAULT_STRUCT &&
           result.struct_size == 0,
       "a result of zeroes is told that it has no size");
}

#define UNTOUCHED INT64_C(77)

/* Structs of a later version's header, with a member more.  */
struct later {
    struct {
        struct arenaplan_problem now;
        int64_t more;
    } problem;
    struct {
        struct arenaplan_buffer now;
        int64_t more;
    } buffer[3];
    struct {
        struct arenaplan_options now;
        int64_t more;
    } options;
    struct {
        struct arenaplan_result now;
        int64_t more;
    } result;
};

static struct later later_structs(void)
{
    struct later later = {.problem = {.now = ARENAPLAN_PROBLEM(NULL, 3)},
                          .options = {.now = ARENAPLAN_OPTIONS},
                          .result = {.now = ARENAPLAN_RESULT, .more = UNTOUCHED}};

    later.problem.now.struct_size = sizeof later.problem;
    later.problem.now.buffer_size = sizeof *later.buffer;
    later.options.now.struct_size = sizeof later.options;
    later.result.now.struct_size = sizeof later.result;
    for (int b = 0; b < 3; b++)
        later.buffer[b].now =
            (struct arenaplan_buffer){.begin = b, .end = b + 2, .size = 8, .key = 9 - (uint64_t)b};
    return later;
}

enum { CALLS = 5 };

static enum arenaplan_status call_later(int call, struct later *later, int64_t *offset)
{
    struct arenaplan_session *session;
    enum arenaplan_status status;

    later->problem.now.buffer = &later->buffer[0].now;
    if (call == 0)
        return arenaplan_plan(&later->problem.now, &later->options.now, offset, &later->result.now);
    if (call == 1)
        return arenaplan_prove(&later->problem.now, &later->options.now, offset,
                               &later->result.now);
    if (call == 2)
        return arenaplan_fits(&later->problem.now, 16, &later->options.now, offset,
                              &later->result.now);
    if (call == 3)
        return arenaplan_check(&later->problem.now, &later->options.now, offset,
                               &later->result.now);
    session = arenaplan_session_new(NULL);
    status = arenaplan_plan_again(session, &later->problem.now, &later->options.now, offset,
                                  &later->result.now);
    if (status <= ARENAPLAN_FEASIBLE)
        status = arenaplan_plan_again(session, &later->problem.now, &later->options.now, offset,
                                      &later->result.now);
    arenaplan_session_free(session);
    return status;
}

static void later_header(void)
{
    bool good = true, refused[3] = {true, true, true};

    for (int call = 0; call < CALLS; call++) {
        struct later later = later_structs();
        int64_t offset[] = {0, 8, 0};

        good = good && call_later(call, &later, offset) <= ARENAPLAN_FEASIBLE &&
               later.result.now.peak == 16 && offset[0] != offset[1] && offset[1] != offset[2] &&
               later.result.now.struct_size == sizeof later.result &&
               later.result.more == UNTOUCHED;
        for (int which = 0; which < 3; which++) {
            later = later_structs();
            *(which == 0   ? &later.problem.more
              : which == 1 ? &later.options.more
                           : &later.buffer[1].more) = 1;
            offset[0] = UNTOUCHED;
            refused[which] =
                refused[which] && call_later(call, &later, offset) == ARENAPLAN_INVALID &&
                later.result.now.fault == ARENAPLAN_FAULT_LATER &&
                later.result.now.buffer == (which == 2 ? 1 : SIZE_MAX) && offset[0] == UNTOUCHED;
        }
    }
    ok(good, "a later header's structs, with members of 0 that are not known");
    ok(refused[0], "a problem with one that is not 0");
    ok(refused[1], "options with one");
    ok(refused[2], "a buffer with one, which is named");
}

int main(void)
{
    if (sizeof(void *) == 8 && sizeof(size_t) == 8)
        judge(places, sizeof places / sizeof *places);
    else
        tap_skip(1, "places of members: pointers are not of 8 bytes");
    judge(constants, sizeof constants / sizeof *constants);
    initialisers();
    zeroes();
    later_header();
    return tap_done();
}
