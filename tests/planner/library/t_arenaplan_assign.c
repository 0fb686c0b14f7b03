/* SPDX-License-Identifier: GPL-3.0-or-later */
/* arenaplan_assign against all assignments of up to eight buffers, each memory of each judged by
 * arenaplan_prove; and what holds of larger problems whatever the optimum is.  */
#include <config.h>

#include "planner/arenaplan.h"

#include <stdlib.h>
#include <string.h>

#include "tests/support/library_case.h"
#include "tests/support/drawn_problem.h"
#include "tests/support/tap.h"

enum { MOST = 60, TINY = 8, MEMORIES = 3, UNTOUCHED = 77 };

struct assigned {
    enum arenaplan_status status;
    struct arenaplan_assignment its;
    size_t memory[MOST];
    int64_t offset[MOST];
};

/* A problem and its memories.  */
struct drawn {
    size_t n, count;
    struct arenaplan_buffer buffer[MOST];
    struct arenaplan_piece piece[2 * MOST];
    struct arenaplan_access access[MOST];
    struct arenaplan_memory memory[MEMORIES];
};

static struct assigned assign(const struct drawn *drawn, const struct arenaplan_options *options)
{
    const struct arenaplan_problem problem = ARENAPLAN_PROBLEM(drawn->buffer, drawn->n);
    const struct arenaplan_memories memories =
        ARENAPLAN_MEMORIES(drawn->memory, drawn->count, drawn->access);
    struct assigned assigned = {.its = ARENAPLAN_ASSIGNMENT};

    for (size_t b = 0; b < MOST; b++) {
        assigned.memory[b] = UNTOUCHED;
        assigned.offset[b] = UNTOUCHED;
    }
    assigned.status = arenaplan_assign(&problem, &memories, options, assigned.memory,
                                       assigned.offset, &assigned.its);
    return assigned;
}

static struct assigned assign_by_work(const struct drawn *drawn, int64_t work, uint32_t seed)
{
    struct arenaplan_options options = ARENAPLAN_OPTIONS;

    options.work = work;
    options.seed = seed;
    return assign(drawn, &options);
}

/* --- a judge --- */

static int64_t cost_in(const struct drawn *drawn, size_t b, size_t m)
{
    return drawn->access[b].reads * drawn->memory[m].read +
           drawn->access[b].writes * drawn->memory[m].write;
}

static bool may_lie(const struct drawn *drawn, size_t b, size_t m)
{
    return drawn->access[b].memories == 0 || (drawn->access[b].memories >> m & 1) != 0;
}

static size_t rectangles(const struct arenaplan_buffer *buffer, struct arenaplan_piece *whole,
                         const struct arenaplan_piece **piece)
{
    *whole = (struct arenaplan_piece){buffer->begin, buffer->end, 0, buffer->size};
    *piece = buffer->pieces > 0 ? buffer->piece : whole;
    return buffer->pieces > 0 ? buffer->pieces : 1;
}

static bool meet(const struct arenaplan_buffer *a, int64_t x, const struct arenaplan_buffer *b,
                 int64_t y)
{
    struct arenaplan_piece whole[2];
    const struct arenaplan_piece *p, *q;
    size_t ps = rectangles(a, &whole[0], &p), qs = rectangles(b, &whole[1], &q);

    for (size_t i = 0; i < ps; i++)
        for (size_t k = 0; k < qs; k++)
            if (p[i].begin < q[k].end && q[k].begin < p[i].end && p[i].low < p[i].high &&
                q[k].low < q[k].high && x + p[i].low < y + q[k].high &&
                y + q[k].low < x + p[i].high)
                return true;
    return false;
}

/* Buffer B where it was put, by itself.  */
static bool lies_well(const struct drawn *drawn, const struct assigned *assigned, size_t b)
{
    const struct arenaplan_buffer *buffer = &drawn->buffer[b];
    const struct arenaplan_memory *memory;
    const int64_t offset = assigned->offset[b];

    if (assigned->memory[b] >= drawn->count || !may_lie(drawn, b, assigned->memory[b]))
        return false;
    memory = &drawn->memory[assigned->memory[b]];
    if (offset < 0 || (buffer->size > 0 && offset > memory->capacity - buffer->size))
        return false;
    if ((buffer->flags & ARENAPLAN_FIXED) != 0)
        return offset == buffer->offset;
    return (buffer->alignment < 2 || offset % buffer->alignment == 0) &&
           (memory->alignment < 2 || offset % memory->alignment == 0);
}

/* All that an answer says of itself.  */
static bool is_good(const struct drawn *drawn, const struct assigned *assigned)
{
    const struct arenaplan_assignment *its = &assigned->its;
    int64_t cost = 0;

    if (its->status != assigned->status || its->fault != ARENAPLAN_FAULT_NONE)
        return false;
    if (assigned->status > ARENAPLAN_FEASIBLE)
        return assigned->memory[0] == UNTOUCHED && assigned->offset[0] == UNTOUCHED &&
               its->cost == 0;
    for (size_t a = 0; a < drawn->n; a++) {
        if (!lies_well(drawn, assigned, a))
            return false;
        cost += cost_in(drawn, a, assigned->memory[a]);
        for (size_t b = 0; b < a; b++)
            if (assigned->memory[a] == assigned->memory[b] &&
                meet(&drawn->buffer[a], assigned->offset[a], &drawn->buffer[b],
                     assigned->offset[b]))
                return false;
    }
    return cost == its->cost && its->lower_bound <= cost &&
           (assigned->status == ARENAPLAN_OPTIMAL) == (its->lower_bound == cost);
}

/* --- all assignments --- */

/* The least peak of the buffers SET in memory M.  */
static int64_t least_peak(const struct drawn *drawn, size_t set, size_t m)
{
    struct arenaplan_buffer buffer[TINY];
    struct arenaplan_problem problem = ARENAPLAN_PROBLEM(buffer, 0);
    struct arenaplan_result result = ARENAPLAN_RESULT;
    int64_t offset[TINY];

    for (size_t b = 0; b < drawn->n; b++) {
        if ((set >> b & 1) == 0)
            continue;
        buffer[problem.count] = drawn->buffer[b];
        /* Alignments of buffers are powers of two here, those of memories 1 or 8.  */
        if (buffer[problem.count].alignment < drawn->memory[m].alignment)
            buffer[problem.count].alignment = drawn->memory[m].alignment;
        problem.count++;
    }
    if (arenaplan_prove(&problem, NULL, offset, &result) != ARENAPLAN_OPTIMAL)
        tap_bail("an optimum was not proven");
    return result.peak;
}

/* The least cost of all assignments; INT64_MAX: there is none.  */
static int64_t exhaustive(const struct drawn *drawn)
{
    static int64_t peak[MEMORIES][1 << TINY];
    int64_t least = INT64_MAX;
    size_t all = 1;

    for (size_t m = 0; m < drawn->count; m++)
        for (size_t set = 0; set < (size_t)1 << drawn->n; set++)
            peak[m][set] = least_peak(drawn, set, m);
    for (size_t b = 0; b < drawn->n; b++)
        all *= drawn->count;
    for (size_t word = 0; word < all; word++) {
        size_t set[MEMORIES] = {0}, rest = word;
        int64_t cost = 0;
        bool good = true;

        for (size_t b = 0; b < drawn->n; b++, rest /= drawn->count) {
            set[rest % drawn->count] |= (size_t)1 << b;
            good = good && may_lie(drawn, b, rest % drawn->count);
            cost += cost_in(drawn, b, rest % drawn->count);
        }
        for (size_t m = 0; m < drawn->count && good; m++)
            good = peak[m][set[m]] <= drawn->memory[m].capacity;
        if (good && cost < least)
            least = cost;
    }
    return least;
}

/* N buffers of a kind that TURN says, and memories from fast to slow.  */
static void draw_all(struct drawn *drawn, int turn, size_t n, size_t count, int64_t capacity)
{
    *drawn = (struct drawn){.n = n, .count = count};
    draw_buffers(turn, n, 4 + draw(8), 20, drawn->buffer, drawn->piece);
    for (size_t b = 0; b < n; b++) {
        int64_t size = drawn->buffer[b].size;

        drawn->buffer[b].flags = 0;
        drawn->buffer[b].offset = 0;
        drawn->access[b] =
            (struct arenaplan_access){size * draw(4), turn % 2 == 0 ? size : draw(3) * size, 0};
        if (turn % 6 == 5 && draw(4) == 0)
            drawn->access[b].memories = UINT64_C(1) << draw((int64_t)count);
    }
    for (size_t m = 0; m < count; m++)
        drawn->memory[m] =
            (struct arenaplan_memory){capacity * (int64_t)(m + 1), turn % 4 == 3 ? 8 : 0,
                                      (int64_t)(3 * m), (int64_t)(1 + 2 * m) + draw(2)};
    if (turn % 3 != 1)
        drawn->memory[count - 1].capacity = ARENAPLAN_UNLIMITED;
}

static void tiny(int rounds)
{
    int bad = 0, wrong = 0, none = 0, missed = 0, equal = 0, found = 0, proven = 0;

    for (int turn = 0; turn < rounds; turn++) {
        const bool three = turn % 5 == 0;
        int64_t unit = turn % 3 == 0 ? 1024 : 1, optimum;
        struct drawn drawn;
        struct assigned assigned;

        draw_all(&drawn, turn, three ? 6 : TINY, three ? 3 : 2, unit * (8 + draw(50)));
        optimum = exhaustive(&drawn);
        assigned = assign_by_work(&drawn, 20000, (uint32_t)turn);
        bad += !is_good(&drawn, &assigned);
        if (optimum == INT64_MAX) {
            wrong += assigned.status <= ARENAPLAN_FEASIBLE;
            none++;
            continue;
        }
        wrong += assigned.status == ARENAPLAN_INFEASIBLE || assigned.its.lower_bound > optimum;
        missed += assigned.status > ARENAPLAN_FEASIBLE;
        if (assigned.status > ARENAPLAN_FEASIBLE)
            continue;
        found++;
        wrong += assigned.its.cost < optimum;
        equal += assigned.its.cost == optimum;
        proven += assigned.status == ARENAPLAN_OPTIMAL;
    }
    tap_diag("%d rounds: %d without any, %d missed, %d found, %d optimal, %d of them proven",
             rounds, none, missed, found, equal, proven);
    is_int(bad, 0, "tiny ones are valid");
    is_int(wrong, 0, "none is cheaper than the optimum, and no bound or refutation is wrong");
    ok(100 * equal >= 95 * (found + missed), "95 of 100 have the least cost");
    ok(100 * proven >= 40 * (found + missed), "40 of 100 are proven");
}

/* --- larger ones --- */

static void larger(int rounds)
{
    int bad = 0, differ = 0, cut = 0, several = 0;

    for (int turn = 0; turn < rounds; turn++) {
        struct drawn drawn;
        struct assigned first, again;

        draw_all(&drawn, turn, 20 + (size_t)draw(MOST - 20), 2 + (size_t)turn % 2,
                 (turn % 3 == 0 ? 1024 : 1) * (20 + draw(150)));
        first = assign_by_work(&drawn, 6000, (uint32_t)turn);
        again = assign_by_work(&drawn, 6000, (uint32_t)turn);
        bad += !is_good(&drawn, &first);
        differ += first.status != again.status || first.its.cost != again.its.cost ||
                  first.its.work != again.its.work ||
                  memcmp(first.offset, again.offset, sizeof first.offset) != 0;
        cut += first.its.work > 12000;
        for (size_t b = 1; b < drawn.n; b++)
            several += first.memory[b] != first.memory[0];
    }
    is_int(bad, 0, "larger ones are valid");
    is_int(differ, 0, "one seed gives one assignment");
    is_int(cut, 0, "work is limited");
    ok(several > rounds, "buffers lie in several memories");
}

/* The first memory grows.  */
static void ladder(void)
{
    enum { RUNGS = 12 };
    int above = 0, rises = 0, bad = 0;

    for (int turn = 0; turn < 6; turn++) {
        int64_t cost = INT64_MAX, peak, all_fast = 0, all_slow = 0;
        struct arenaplan_options options = ARENAPLAN_OPTIONS;
        struct drawn drawn;
        struct arenaplan_result result = ARENAPLAN_RESULT;
        int64_t offset[MOST];

        draw_all(&drawn, 2 * turn, 30, 2, 0);
        drawn.memory[1] = (struct arenaplan_memory){ARENAPLAN_UNLIMITED, 0, 5, 7};
        drawn.memory[0].alignment = 0;
        for (size_t b = 0; b < drawn.n; b++) {
            drawn.access[b].memories = 0;
            all_fast += cost_in(&drawn, b, 0);
            all_slow += cost_in(&drawn, b, 1);
        }
        options.work = 3000;
        arenaplan_plan(&(struct arenaplan_problem)ARENAPLAN_PROBLEM(drawn.buffer, drawn.n),
                       &options, offset, &result);
        peak = result.peak;
        for (int rung = 0; rung <= RUNGS; rung++) {
            struct assigned assigned;

            drawn.memory[0].capacity = peak * rung / RUNGS;
            assigned = assign_by_work(&drawn, 40000, 1);
            bad += !is_good(&drawn, &assigned) || (rung == 0 && assigned.its.cost != all_slow) ||
                   (rung == RUNGS && assigned.its.cost != all_fast);
            rises += assigned.its.cost > cost;
            above += assigned.its.lower_bound > cost;
            cost = assigned.its.cost;
        }
    }
    is_int(bad, 0, "without fast memory all is slow, with an arena's peak all is fast");
    is_int(rises, 0, "more fast memory never costs more");
    is_int(above, 0, "and no bound is above what less memory costs");
}

/* One memory.  */
static void alone(void)
{
    int differ = 0, refuted = 0, wrong = 0;

    for (int turn = 0; turn < 60; turn++) {
        struct drawn drawn;
        struct arenaplan_options options = ARENAPLAN_OPTIONS;
        struct arenaplan_result result = ARENAPLAN_RESULT;
        struct assigned assigned;
        int64_t offset[MOST];

        draw_all(&drawn, 2 * turn, 10 + (size_t)draw(20), 1, 0);
        drawn.memory[0] = (struct arenaplan_memory){.capacity = ARENAPLAN_UNLIMITED, .read = 1};
        options.work = 3000;
        arenaplan_plan(&(struct arenaplan_problem)ARENAPLAN_PROBLEM(drawn.buffer, drawn.n),
                       &options, offset, &result);
        assigned = assign(&drawn, &options);
        differ += !is_good(&drawn, &assigned) || assigned.status != ARENAPLAN_OPTIMAL ||
                  memcmp(offset, assigned.offset, drawn.n * sizeof *offset) != 0;
        drawn.memory[0].capacity = result.peak;
        assigned = assign(&drawn, &options);
        differ += !is_good(&drawn, &assigned) || assigned.status != ARENAPLAN_OPTIMAL;
        drawn.memory[0].capacity = result.lower_bound - 1;
        assigned = assign(&drawn, &options);
        wrong += !is_good(&drawn, &assigned) || assigned.status < ARENAPLAN_INFEASIBLE;
        refuted += assigned.status == ARENAPLAN_INFEASIBLE;
    }
    is_int(differ, 0, "one memory is arenaplan_plan");
    is_int(wrong, 0, "below the lower bound there is nothing");
    ok(refuted >= 50, "which is mostly proven");
}

/* --- what it is told --- */

static struct drawn two_by_two(void)
{
    return (struct drawn){
        .n = 2,
        .count = 2,
        .buffer = {{.begin = 0, .end = 2, .size = 8}, {.begin = 1, .end = 3, .size = 16}},
        .access = {{8, 8, 0}, {16, 16, 0}},
        .memory = {{16, 0, 1, 1}, {ARENAPLAN_UNLIMITED, 0, 10, 10}},
    };
}

static void by_hand(void)
{
    struct drawn drawn = two_by_two();
    struct assigned assigned = assign(&drawn, NULL);

    ok(is_good(&drawn, &assigned) && assigned.status == ARENAPLAN_OPTIMAL &&
           assigned.its.cost == 32 + 160 && assigned.memory[0] == 1 && assigned.memory[1] == 0,
       "the one that saves more is in the fast memory");
    drawn.access[1].memories = 2;
    assigned = assign(&drawn, NULL);
    ok(is_good(&drawn, &assigned) && assigned.its.cost == 16 + 320 && assigned.memory[1] == 1,
       "unless it may not lie there");
    drawn.memory[1].capacity = 15;
    assigned = assign(&drawn, NULL);
    ok(assigned.status == ARENAPLAN_INFEASIBLE && assigned.its.buffer == 1 &&
           is_good(&drawn, &assigned),
       "a buffer that is larger than its memories is named");
    drawn = two_by_two();
    drawn.memory[1].capacity = 7;
    assigned = assign(&drawn, NULL);
    ok(assigned.status == ARENAPLAN_INFEASIBLE && assigned.its.buffer == SIZE_MAX,
       "more bytes in a step than there are");
    drawn = two_by_two();
    for (size_t b = 0; b < 2; b++) {
        drawn.buffer[b].flags = ARENAPLAN_FIXED;
        drawn.buffer[b].offset = 0;
        drawn.access[b].memories = UINT64_C(1) << b;
    }
    assigned = assign(&drawn, NULL);
    ok(is_good(&drawn, &assigned) && assigned.its.cost == 16 + 320,
       "offsets that somebody else chose are those of a memory");
    drawn.n = 0;
    ok(assign(&drawn, NULL).status == ARENAPLAN_OPTIMAL, "a problem without buffers");
}

static void is_refused(const struct drawn *drawn, enum arenaplan_fault fault, size_t buffer,
                       size_t other, const char *text)
{
    struct assigned assigned = assign(drawn, NULL);

    ok(assigned.status == ARENAPLAN_INVALID && assigned.its.status == ARENAPLAN_INVALID &&
           assigned.its.fault == fault && assigned.its.buffer == buffer &&
           assigned.its.other == other && assigned.memory[0] == UNTOUCHED &&
           assigned.offset[0] == UNTOUCHED,
       "%s", text);
}

static void faults(void)
{
    struct drawn drawn = two_by_two();

    drawn.memory[1].capacity = -1;
    is_refused(&drawn, ARENAPLAN_FAULT_MEMORY, SIZE_MAX, 1, "a negative capacity");
    drawn = two_by_two();
    drawn.memory[0].write = -1;
    is_refused(&drawn, ARENAPLAN_FAULT_MEMORY, SIZE_MAX, 0, "a negative cost");
    drawn = two_by_two();
    drawn.count = 0;
    is_refused(&drawn, ARENAPLAN_FAULT_MEMORY, SIZE_MAX, SIZE_MAX, "no memory");
    drawn = two_by_two();
    drawn.access[1].reads = -1;
    is_refused(&drawn, ARENAPLAN_FAULT_ACCESS, 1, SIZE_MAX, "negative reads");
    drawn = two_by_two();
    drawn.access[0].memories = 5;
    is_refused(&drawn, ARENAPLAN_FAULT_ACCESS, 0, SIZE_MAX, "a memory that there is not");
    drawn = two_by_two();
    drawn.buffer[1].flags = ARENAPLAN_FIXED;
    is_refused(&drawn, ARENAPLAN_FAULT_ACCESS, 1, SIZE_MAX, "a fixed buffer in any memory");
    drawn = two_by_two();
    drawn.access[1].reads = INT64_MAX / 4;
    is_refused(&drawn, ARENAPLAN_FAULT_OVERFLOW, 1, SIZE_MAX, "a cost that is no number");
    drawn = two_by_two();
    drawn.memory[0].alignment = INT64_MAX;
    drawn.buffer[1].alignment = 2;
    is_refused(&drawn, ARENAPLAN_FAULT_OVERFLOW, 1, SIZE_MAX, "alignments that are too large");
    drawn = two_by_two();
    drawn.buffer[1].end = 1;
    is_refused(&drawn, ARENAPLAN_FAULT_LIFETIME, 1, SIZE_MAX, "a lifetime without steps");
    drawn = two_by_two();
    drawn.buffer[0].size = -1;
    is_refused(&drawn, ARENAPLAN_FAULT_SIZE, 0, SIZE_MAX, "a negative size");
}

/* What is missing, and structs of other versions.  */
static void structs(void)
{
    struct drawn drawn = two_by_two();
    struct arenaplan_problem problem = ARENAPLAN_PROBLEM(drawn.buffer, 2);
    struct arenaplan_memories memories = ARENAPLAN_MEMORIES(drawn.memory, 2, NULL);
    struct arenaplan_assignment its = ARENAPLAN_ASSIGNMENT;
    struct {
        struct arenaplan_memory now;
        int64_t later;
    } memory[2] = {{drawn.memory[0], 0}, {drawn.memory[1], 0}};
    size_t lies[2];
    int64_t offset[2];

    ok(arenaplan_assign(&problem, &memories, NULL, lies, offset, &its) == ARENAPLAN_OPTIMAL &&
           its.cost == 32 + 160,
       "without accesses each is written and read once");
    ok(arenaplan_assign(&problem, &memories, NULL, lies, offset, NULL) == ARENAPLAN_OPTIMAL,
       "nobody wants more than the places");
    ok(arenaplan_assign(&problem, NULL, NULL, lies, offset, &its) == ARENAPLAN_INVALID &&
           its.fault == ARENAPLAN_FAULT_STRUCT,
       "no memories");
    ok(arenaplan_assign(&problem, &memories, NULL, NULL, offset, &its) == ARENAPLAN_INVALID &&
           its.fault == ARENAPLAN_FAULT_STRUCT,
       "no room for the memories of buffers");
    ok(arenaplan_assign(NULL, &memories, NULL, lies, offset, &its) == ARENAPLAN_INVALID &&
           its.fault == ARENAPLAN_FAULT_STRUCT,
       "no problem");
    memories.memory = &memory[0].now;
    memories.memory_size = sizeof *memory;
    ok(arenaplan_assign(&problem, &memories, NULL, lies, offset, &its) == ARENAPLAN_OPTIMAL &&
           its.cost == 32 + 160,
       "memories of a later version");
    memory[1].later = 1;
    ok(arenaplan_assign(&problem, &memories, NULL, lies, offset, &its) == ARENAPLAN_INVALID &&
           its.fault == ARENAPLAN_FAULT_LATER && its.other == 1,
       "with something that only that one knows");
}

/* --- memory and time --- */

static void little_memory(void)
{
    struct library_books books = {.fails_at = SIZE_MAX};
    struct arenaplan_options options = ARENAPLAN_OPTIONS;
    struct drawn drawn;
    int bad = 0, failed = 0;
    size_t all;

    draw_all(&drawn, 2, 20, 2, 60);
    options.work = 500;
    options.allocator = library_books_allocator(&books);
    assign(&drawn, &options);
    all = books.given;
    for (size_t at = 0; at < all; at += 1 + all / 500) {
        struct assigned assigned;

        books = (struct library_books){.fails_at = at};
        assigned = assign(&drawn, &options);
        failed += assigned.status == ARENAPLAN_NO_MEMORY;
        bad += assigned.status != ARENAPLAN_NO_MEMORY || books.blocks != 0 || books.bytes != 0 ||
               assigned.memory[0] != UNTOUCHED || assigned.offset[0] != UNTOUCHED;
    }
    ok(all > 100 && failed > 50, "memory is refused");
    is_int(bad, 0, "which is a status, and what was given comes back");
}

static int stopped;

static bool stop_at_once(void *context)
{
    stopped += context == NULL;
    return true;
}

static void little_time(void)
{
    struct arenaplan_options options = ARENAPLAN_OPTIONS;
    struct assigned assigned;
    struct drawn drawn;
    int bad = 0;

    for (int turn = 0; turn < 10; turn++) {
        draw_all(&drawn, 6 * turn, MOST, 2, (turn % 3 == 0 ? 1024 : 1) * 60);
        options.seconds = 0.02;
        options.stop = NULL;
        assigned = assign(&drawn, &options);
        bad += !is_good(&drawn, &assigned) || assigned.status > ARENAPLAN_FEASIBLE ||
               assigned.its.seconds > 2.0;
        options.seconds = 0.0;
        options.stop = stop_at_once;
        assigned = assign(&drawn, &options);
        bad += !is_good(&drawn, &assigned) || assigned.status > ARENAPLAN_FEASIBLE;
    }
    is_int(bad, 0, "with little time, or none, there is an assignment");
    ok(stopped > 0, "and it was asked whether to stop");
}

int main(void)
{
    by_hand();
    faults();
    structs();
    tiny(tap_tier(60, 200));
    larger(tap_tier(20, 50));
    drawn_state = 3; /* the same whatever was drawn before */
    ladder();
    alone();
    little_memory();
    little_time();
    return tap_done();
}
