/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any bytes as a problem, memories, options and a few calls of the library: each is refused with a
 * reason or has a plan that arenaplan_check and a plain look at each two buffers accept; the same
 * call gives the same; memory that is refused is a status, and all of it comes back.  */
#include <config.h>

#include "tests/fuzz/fuzz.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "planner/arenaplan.h"
#include "planner/library/prove_with.h"

enum { MOST_BUFFERS = 24, MOST_PIECES = 3 };
#define UNTOUCHED INT64_C(-77)

struct bytes {
    const uint8_t *data;
    size_t size;
};

struct calls {
    struct arenaplan_problem problem;
    struct arenaplan_options options;
    struct prove_extras extras;
    struct arenaplan_buffer buffer[MOST_BUFFERS];
    struct arenaplan_piece piece[MOST_BUFFERS * MOST_PIECES];
    int64_t capacity;
    bool tame; /* a problem of small numbers, that all make sense */

    /* The allocator: blocks that are out, and how many more there will be.  */
    size_t blocks, bytes, left;
};

static uint8_t next(struct bytes *from)
{
    if (from->size == 0)
        return 0;
    from->size--;
    return *from->data++;
}

static uint64_t next_word(struct bytes *from)
{
    uint64_t word = 0;

    for (int i = 0; i < 8; i++)
        word = word << 8 | next(from);
    return word;
}

/* Mostly small; now and then any number, or one at the end of what there is.  */
static int64_t next_number(struct calls *calls, struct bytes *from, int64_t least, int64_t span)
{
    uint8_t byte = next(from);

    if (calls->tame || byte < 224)
        return least + byte % span;
    switch (byte % 4) {
    case 0:
        return INT64_MAX - next(from);
    case 1:
        return INT64_MIN + next(from);
    case 2:
        return (int64_t)(next_word(from) >> next(from) % 64);
    default:
        return (int64_t)next_word(from);
    }
}

static void *allocate(void *context, size_t bytes)
{
    struct calls *calls = context;
    void *block;

    if (bytes == 0 || calls->left == 0 || bytes > (size_t)1 << 28)
        return bytes == 0 ? (abort(), NULL) : NULL;
    block = malloc(bytes);
    if (block == NULL)
        return NULL;
    calls->left--;
    calls->blocks++;
    calls->bytes += bytes;
    return block;
}

static void release(void *context, void *block, size_t bytes)
{
    struct calls *calls = context;

    if (block == NULL || calls->blocks == 0 || calls->bytes < bytes)
        abort();
    calls->blocks--;
    calls->bytes -= bytes;
    free(block);
}

static void read_pieces(struct calls *calls, struct bytes *from, size_t b)
{
    struct arenaplan_buffer *buffer = &calls->buffer[b];
    struct arenaplan_piece *piece = &calls->piece[b * MOST_PIECES];
    int64_t begin = buffer->begin;

    buffer->piece = piece;
    buffer->pieces = 1 + next(from) % MOST_PIECES;
    buffer->size = calls->tame ? 0 : buffer->size;
    for (size_t i = 0; i < buffer->pieces; i++) {
        /* One after the other, unless anything goes.  */
        piece[i].begin = calls->tame ? begin : next_number(calls, from, 0, 16);
        piece[i].end = calls->tame ? begin + 1 + next(from) % 4 : next_number(calls, from, 1, 16);
        piece[i].low = next_number(calls, from, 0, 8);
        piece[i].high =
            calls->tame ? piece[i].low + 1 + next(from) % 8 : next_number(calls, from, 1, 16);
        begin = piece[i].end;
    }
}

static void read_buffer(struct calls *calls, struct bytes *from, size_t b)
{
    struct arenaplan_buffer *buffer = &calls->buffer[b];
    uint8_t kind = next(from);

    buffer->begin = next_number(calls, from, 0, 16);
    buffer->end = next_number(calls, from, 1, 16);
    if (calls->tame && buffer->end <= buffer->begin)
        buffer->end += buffer->begin;
    buffer->size = next_number(calls, from, 0, 64);
    buffer->alignment = kind % 4 == 0 ? next_number(calls, from, 0, 20) : 0;
    buffer->key = kind % 4 == 1 ? b + 1 : calls->tame ? 0 : next(from) % 32;
    if (calls->tame)
        buffer->key = b + 1;
    if (kind % 16 >= 14) {
        buffer->flags = calls->tame || next(from) < 240 ? ARENAPLAN_FIXED : next(from);
        buffer->offset = next_number(calls, from, 0, 128);
    }
    if (kind >= 192)
        read_pieces(calls, from, b);
}

static void read_options(struct calls *calls, struct bytes *from)
{
    struct arenaplan_options options = ARENAPLAN_OPTIONS;
    uint8_t kind = next(from), work = next(from);

    /* Mostly little, so that many problems are tried in the same time.  */
    options.work = 1 + (work < 224 ? work % 16 : work);
    options.seed = next(from);
    options.capacity = kind % 4 == 0 ? next_number(calls, from, 0, 200) : 0;
    options.memory = kind % 8 == 1 ? (size_t)next(from) << 6 : 0;
    calls->extras = PROVE_USUAL;
    calls->extras.without = kind % 16 == 3 ? (uint32_t)next_word(from) & 0x3f : 0;
    options.allocator = (struct arenaplan_allocator){allocate, release, calls};
    calls->left = kind % 8 == 5 ? next(from) : SIZE_MAX;
    calls->options = options;
    calls->capacity = next_number(calls, from, 0, 200);
}

static bool meet(const struct arenaplan_piece *a, int64_t x, const struct arenaplan_piece *b,
                 int64_t y)
{
    return a->begin < b->end && b->begin < a->end && a->low < a->high && b->low < b->high &&
           x + a->low < y + b->high && y + b->low < x + a->high;
}

static size_t rectangles(const struct arenaplan_buffer *buffer, struct arenaplan_piece *whole,
                         const struct arenaplan_piece **piece)
{
    *whole = (struct arenaplan_piece){buffer->begin, buffer->end, 0, buffer->size};
    *piece = buffer->pieces > 0 ? buffer->piece : whole;
    return buffer->pieces > 0 ? buffer->pieces : 1;
}

/* A second judge: each two buffers, each two of their pieces.  */
static bool any_meet(const struct calls *calls, const int64_t *offset)
{
    for (size_t a = 0; a < calls->problem.count; a++)
        for (size_t b = 0; b < a; b++) {
            struct arenaplan_piece whole[2];
            const struct arenaplan_piece *x, *y;
            size_t xs = rectangles(&calls->buffer[a], &whole[0], &x);
            size_t ys = rectangles(&calls->buffer[b], &whole[1], &y);

            for (size_t i = 0; i < xs; i++)
                for (size_t k = 0; k < ys; k++)
                    if (meet(&x[i], offset[a], &y[k], offset[b]))
                        return true;
        }
    return false;
}

/* What holds of each answer; CAPACITY < 0: there is none that must be kept.  */
static void judge(const struct calls *calls, const struct arenaplan_result *result,
                  const int64_t *offset, int64_t capacity)
{
    struct arenaplan_result judged = ARENAPLAN_RESULT;

    if (calls->blocks != 0 || calls->bytes != 0)
        abort();
    if ((result->status == ARENAPLAN_INVALID) != (result->fault != ARENAPLAN_FAULT_NONE))
        abort();
    if (calls->options.memory > 0 && result->memory > calls->options.memory)
        abort();
    if (result->status > ARENAPLAN_FEASIBLE) {
        for (size_t b = 0; b < calls->problem.count; b++)
            if (offset[b] != UNTOUCHED)
                abort();
        return;
    }
    if (arenaplan_check(&calls->problem, NULL, offset, &judged) != ARENAPLAN_FEASIBLE ||
        judged.peak != result->peak || any_meet(calls, offset))
        abort();
    if (result->lower_bound > result->peak || (capacity >= 0 && result->peak > capacity))
        abort();
    if (result->status == ARENAPLAN_OPTIMAL && capacity < 0 && result->lower_bound != result->peak)
        abort();
}

static void fill(int64_t *offset)
{
    for (size_t b = 0; b < MOST_BUFFERS; b++)
        offset[b] = UNTOUCHED;
}

/* What is asked TWICE has to be the same where one thread works and memory does.  */
static void call(struct calls *calls, uint8_t which, bool twice)
{
    int64_t offset[2][MOST_BUFFERS];
    struct arenaplan_result result[2] = {ARENAPLAN_RESULT, ARENAPLAN_RESULT};
    size_t left = calls->left;

    for (int turn = 0; turn <= twice; turn++) {
        const struct arenaplan_problem *problem = &calls->problem;

        calls->left = left;
        fill(offset[turn]);
        if (which == 0)
            arenaplan_plan(problem, &calls->options, offset[turn], &result[turn]);
        else if (which == 1)
            arenaplan_prove_with(problem, &calls->options, calls->extras, offset[turn],
                                 &result[turn]);
        else
            arenaplan_fits_with(problem, calls->capacity, &calls->options, calls->extras,
                                offset[turn], &result[turn]);
        judge(calls, &result[turn], offset[turn], which == 2 ? calls->capacity : -1);
    }
    if (twice && (result[0].status != result[1].status ||
                  memcmp(offset[0], offset[1], sizeof offset[0]) != 0))
        abort();
    if (calls->tame && left == SIZE_MAX && calls->options.memory == 0 &&
        result[0].status == ARENAPLAN_NO_MEMORY)
        abort();
}

/* A session's second call is of the same problem without its last buffer.  */
static void call_again(struct calls *calls)
{
    struct arenaplan_session *session = arenaplan_session_new(NULL);
    int64_t offset[MOST_BUFFERS];

    if (session == NULL)
        return;
    for (int turn = 0; turn < 2; turn++) {
        struct arenaplan_result result = ARENAPLAN_RESULT;

        fill(offset);
        arenaplan_plan_again(session, &calls->problem, &calls->options, offset, &result);
        judge(calls, &result, offset, -1);
        if (calls->problem.count > 0)
            calls->problem.count--;
    }
    arenaplan_session_free(session);
}

/* --- several memories --- */

enum { MOST_MEMORIES = 3 };

struct chip {
    struct arenaplan_memory memory[MOST_MEMORIES];
    struct arenaplan_access access[MOST_BUFFERS];
    size_t count;
};

static void read_chip(struct chip *chip, struct calls *calls, struct bytes *from)
{
    chip->count = next(from) % (MOST_MEMORIES + 1);
    chip->count += calls->tame && chip->count == 0;
    for (size_t m = 0; m < chip->count; m++) {
        uint8_t kind = next(from);

        chip->memory[m] = (struct arenaplan_memory){
            kind % 4 == 0 ? ARENAPLAN_UNLIMITED : next_number(calls, from, 0, 200),
            kind % 8 == 1 ? next_number(calls, from, 0, 20) : 0,
            next_number(calls, from, 0, 16),
            next_number(calls, from, 0, 16),
        };
    }
    for (size_t b = 0; b < calls->problem.count; b++) {
        struct arenaplan_access *access = &chip->access[b];

        access->reads = next_number(calls, from, 0, 200);
        access->writes = next_number(calls, from, 0, 200);
        access->memories = next(from) % 8;
        if (!calls->tame)
            continue;
        access->memories &= (UINT64_C(1) << chip->count) - 1;
        if ((calls->buffer[b].flags & ARENAPLAN_FIXED) != 0)
            access->memories = 1;
    }
}

/* One memory's part of an assignment, by the library's judge and by a plain look.  */
static void judge_memory(const struct calls *calls, const struct chip *chip, const size_t *lies,
                         const int64_t *offset, size_t m)
{
    struct calls part = {.problem = ARENAPLAN_PROBLEM(NULL, 0)};
    struct arenaplan_result judged = ARENAPLAN_RESULT;
    int64_t at[MOST_BUFFERS];

    for (size_t b = 0; b < calls->problem.count; b++) {
        const struct arenaplan_buffer *buffer = &calls->buffer[b];

        if (lies[b] != m)
            continue;
        if ((buffer->flags & ARENAPLAN_FIXED) == 0 && chip->memory[m].alignment > 1 &&
            offset[b] % chip->memory[m].alignment != 0)
            abort();
        at[part.problem.count] = offset[b];
        part.buffer[part.problem.count++] = *buffer;
    }
    part.problem.buffer = part.buffer;
    if (arenaplan_check(&part.problem, NULL, at, &judged) != ARENAPLAN_FEASIBLE ||
        judged.peak > chip->memory[m].capacity || any_meet(&part, at))
        abort();
}

static void judge_assignment(const struct calls *calls, const struct chip *chip,
                             const struct arenaplan_assignment *its, const size_t *lies,
                             const int64_t *offset)
{
    int64_t cost = 0;

    if (calls->blocks != 0 || calls->bytes != 0)
        abort();
    if ((its->status == ARENAPLAN_INVALID) != (its->fault != ARENAPLAN_FAULT_NONE))
        abort();
    for (size_t b = 0; b < calls->problem.count; b++) {
        const struct arenaplan_access *access = &chip->access[b];

        if ((offset[b] == UNTOUCHED) != (its->status > ARENAPLAN_FEASIBLE) ||
            (lies[b] == SIZE_MAX) != (its->status > ARENAPLAN_FEASIBLE))
            abort();
        if (its->status > ARENAPLAN_FEASIBLE)
            continue;
        if (lies[b] >= chip->count ||
            (access->memories != 0 && (access->memories >> lies[b] & 1) == 0))
            abort();
        cost += access->reads * chip->memory[lies[b]].read +
                access->writes * chip->memory[lies[b]].write;
    }
    if (its->status > ARENAPLAN_FEASIBLE)
        return;
    for (size_t m = 0; m < chip->count; m++)
        judge_memory(calls, chip, lies, offset, m);
    if (cost != its->cost || its->lower_bound > cost ||
        (its->status == ARENAPLAN_OPTIMAL) != (its->lower_bound == cost))
        abort();
}

static void call_assign(struct calls *calls, struct bytes *from)
{
    struct chip chip;
    struct arenaplan_memories memories = ARENAPLAN_MEMORIES(chip.memory, 0, chip.access);
    struct arenaplan_assignment its[2] = {ARENAPLAN_ASSIGNMENT, ARENAPLAN_ASSIGNMENT};
    size_t lies[2][MOST_BUFFERS], left = calls->left;
    int64_t offset[2][MOST_BUFFERS];

    read_chip(&chip, calls, from);
    memories.count = chip.count;
    for (int turn = 0; turn < 2; turn++) {
        calls->left = left;
        fill(offset[turn]);
        memset(lies[turn], 0xff, sizeof lies[turn]);
        arenaplan_assign(&calls->problem, &memories, &calls->options, lies[turn], offset[turn],
                         &its[turn]);
        judge_assignment(calls, &chip, &its[turn], lies[turn], offset[turn]);
    }
    if (its[0].status != its[1].status || memcmp(offset[0], offset[1], sizeof offset[0]) != 0 ||
        memcmp(lies[0], lies[1], sizeof lies[0]) != 0)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct bytes from = {data, size};
    struct calls calls = {.problem = ARENAPLAN_PROBLEM(NULL, 0)};
    uint8_t first = next(&from);

    calls.tame = first % 2 == 0;
    calls.problem.buffer = calls.buffer;
    calls.problem.count = next(&from) % (MOST_BUFFERS + 1);
    read_options(&calls, &from);
    for (size_t b = 0; b < calls.problem.count; b++)
        read_buffer(&calls, &from, b);
    /* Memories are read behind the rest, so that inputs of other calls mean what they did.  */
    if (first / 2 % 16 >= 12)
        call_assign(&calls, &from);
    else if (first / 2 % 4 < 3)
        call(&calls, first / 2 % 4, first < 64);
    else
        call_again(&calls);
    return 0;
}
