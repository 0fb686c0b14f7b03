/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sessions: problems that change a little from call to call.  */
#include <config.h>

#include "planner/arenaplan.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/checked.h"
#include "lib/base/rng.h"
#include "tests/support/library_case.h"
#include "tests/support/tap.h"

enum { MOST = 60 };

/* Buffers with keys, and where they were; KEY is 0 where there is none.  */
struct world {
    struct arenaplan_buffer buffer[MOST];
    struct arenaplan_piece piece[MOST][2];
    int64_t offset[MOST];
    bool changed[MOST];
    size_t count;
    uint64_t next_key;
};

static void draw(struct rng *rng, struct world *world, size_t b)
{
    struct arenaplan_buffer *buffer = &world->buffer[b];
    int64_t begin = rng_range(rng, 0, 40), size = 8 * rng_range(rng, 0, 20);

    *buffer = (struct arenaplan_buffer){
        .begin = begin,
        .end = begin + rng_range(rng, 1, 12),
        .size = size,
        .alignment = rng_range(rng, 0, 2) * 8,
        .key = buffer->key,
    };
    if (size > 8 && rng_range(rng, 0, 3) == 0) {
        world->piece[b][0] = (struct arenaplan_piece){begin, begin + 3, 0, size};
        world->piece[b][1] = (struct arenaplan_piece){begin + 3, begin + 5, 0, size / 2};
        buffer->piece = world->piece[b];
        buffer->pieces = 2;
    }
    world->changed[b] = true;
}

static void swap(struct world *world, size_t a, size_t b)
{
    struct world copy = *world;

    world->buffer[a] = copy.buffer[b];
    world->buffer[b] = copy.buffer[a];
    memcpy(world->piece[a], copy.piece[b], sizeof copy.piece[b]);
    memcpy(world->piece[b], copy.piece[a], sizeof copy.piece[a]);
    world->offset[a] = copy.offset[b];
    world->offset[b] = copy.offset[a];
    world->changed[a] = copy.changed[b];
    world->changed[b] = copy.changed[a];
    for (size_t i = 0; i < world->count; i++)
        if (world->buffer[i].pieces > 0)
            world->buffer[i].piece = world->piece[i];
}

/* Some buffers change, one comes, one goes, and all are given in another order.  */
static void change(struct rng *rng, struct world *world)
{
    for (size_t b = 0; b < world->count; b++)
        world->changed[b] = false;
    for (int64_t i = rng_range(rng, 0, 3); i > 0; i--)
        draw(rng, world, (size_t)rng_range(rng, 0, (int64_t)world->count - 1));
    if (world->count < MOST && rng_range(rng, 0, 1) == 1) {
        world->buffer[world->count].key = ++world->next_key;
        draw(rng, world, world->count++);
    }
    if (world->count > 10 && rng_range(rng, 0, 1) == 1)
        world->count--;
    for (size_t b = world->count - 1; b > 0; b--)
        swap(world, b, (size_t)rng_range(rng, 0, (int64_t)b));
}

static struct world *world_new(struct rng *rng, size_t count)
{
    struct world *world = calloc(1, sizeof *world);

    for (world->count = 0; world->count < count; world->count++) {
        world->buffer[world->count].key = ++world->next_key;
        draw(rng, world, world->count);
    }
    return world;
}

static int64_t peak_of_kept(const struct world *world)
{
    int64_t peak = 0;

    for (size_t b = 0; b < world->count; b++)
        if (!world->changed[b] && world->buffer[b].size > 0)
            peak = max64(peak, world->offset[b] + world->buffer[b].size);
    return peak;
}

struct tally {
    int calls, good, kept, lower, all;
};

/* One call: the plan is valid, and either nothing that is the same has moved, or the peak is lower
 * than such a plan's was told to be.  */
struct told {
    int64_t first, last;
};

static void note(void *context, const int64_t *offset, size_t count, int64_t peak)
{
    struct told *told = context;

    (void)offset;
    (void)count;
    if (told->first < 0)
        told->first = peak;
    told->last = peak;
}

static void step(struct tally *tally, struct arenaplan_session *session, struct world *world)
{
    struct arenaplan_problem problem = ARENAPLAN_PROBLEM(world->buffer, world->count);
    struct arenaplan_options options = ARENAPLAN_OPTIONS;
    struct arenaplan_result result = ARENAPLAN_RESULT, judged = ARENAPLAN_RESULT;
    struct told told = {-1, -1};
    int64_t offset[MOST];
    bool moved = false, good;

    options.work = 500;
    options.context = &told;
    options.better = note;
    good =
        arenaplan_plan_again(session, &problem, &options, offset, &result) <= ARENAPLAN_FEASIBLE &&
        arenaplan_check(&problem, NULL, offset, &judged) == ARENAPLAN_FEASIBLE &&
        judged.peak == result.peak && told.last == result.peak;
    for (size_t b = 0; b < world->count; b++)
        moved = moved ||
                (!world->changed[b] && world->buffer[b].size > 0 && offset[b] != world->offset[b]);
    good = good && (!moved || result.peak < told.first) && told.first >= peak_of_kept(world);
    tally->calls++;
    tally->good += good;
    tally->kept += !moved;
    tally->lower += moved;
    memcpy(world->offset, offset, sizeof offset);
}

static void walks(void)
{
    struct rng *rng = rng_new(5);
    struct tally tally = {0};

    for (int walk = tap_tier(5, 40); walk > 0; walk--) {
        struct arenaplan_session *session = arenaplan_session_new(NULL);
        struct world *world = world_new(rng, 40);

        for (int call = 0; call < 40; call++) {
            step(&tally, session, world);
            change(rng, world);
        }
        arenaplan_session_free(session);
        free(world);
    }
    rng_free(rng);
    is_int(tally.good, tally.calls, "what is the same stays where it was, or the peak gets lower");
    ok(tally.kept > tally.calls / 4 && tally.lower > 0, "(%d stayed, %d did not)", tally.kept,
       tally.lower);
}

static void first_call(void)
{
    struct rng *rng = rng_new(6);
    bool same = true, stays = true;

    for (int round = 0; round < 50; round++) {
        struct arenaplan_session *session = arenaplan_session_new(NULL);
        struct world *world = world_new(rng, 40);
        struct arenaplan_problem problem = ARENAPLAN_PROBLEM(world->buffer, world->count);
        int64_t plain[MOST], first[MOST], second[MOST];
        struct arenaplan_options options = ARENAPLAN_OPTIONS;

        options.work = 2000;
        for (size_t b = 0; b < world->count; b++)
            world->buffer[b].key = 0; /* by index */
        arenaplan_plan(&problem, &options, plain, NULL);
        arenaplan_plan_again(session, &problem, &options, first, NULL);
        options.work = 1;
        arenaplan_plan_again(session, &problem, &options, second, NULL);
        same = same && memcmp(plain, first, world->count * sizeof *plain) == 0;
        stays = stays && memcmp(second, first, world->count * sizeof *plain) == 0;
        arenaplan_session_free(session);
        free(world);
    }
    rng_free(rng);
    ok(same, "the first call is arenaplan_plan");
    ok(stays, "and the same problem again has the same plan");
}

/* Somebody else puts a buffer where another one was.  */
static void fixes(void)
{
    struct arenaplan_session *session = arenaplan_session_new(NULL);
    struct arenaplan_buffer buffer[] = {{.begin = 0, .end = 4, .size = 8, .key = 5},
                                        {.begin = 1, .end = 3, .size = 8, .key = 6},
                                        {.begin = 2, .end = 4, .size = 8, .key = 7}};
    struct arenaplan_problem problem = ARENAPLAN_PROBLEM(buffer, 3);
    struct arenaplan_result result = ARENAPLAN_RESULT;
    int64_t was[3], offset[3];

    arenaplan_plan_again(session, &problem, NULL, was, NULL);
    buffer[0].flags = ARENAPLAN_FIXED;
    buffer[0].offset = was[1];
    ok(arenaplan_plan_again(session, &problem, NULL, offset, &result) == ARENAPLAN_OPTIMAL &&
           offset[0] == was[1] && offset[2] == was[2] && result.peak == 24 &&
           arenaplan_check(&problem, NULL, offset, NULL) == ARENAPLAN_FEASIBLE,
       "what is in the way of a buffer that is fixed now goes elsewhere, and nothing else");
    buffer[2].key = 6;
    ok(arenaplan_plan_again(session, &problem, NULL, offset, &result) == ARENAPLAN_INVALID &&
           result.fault == ARENAPLAN_FAULT_KEY && result.buffer == 2 && result.other == 1,
       "a key that stands twice");
    buffer[2].key = 1; /* not the index 1 */
    buffer[1].key = 0;
    ok(arenaplan_plan_again(session, &problem, NULL, offset, NULL) <= ARENAPLAN_FEASIBLE,
       "a key is no index");
    ok(arenaplan_plan_again(NULL, &problem, NULL, offset, &result) == ARENAPLAN_INVALID,
       "no session");
    arenaplan_session_free(session);
    arenaplan_session_free(NULL);
}

/* A call, whose plan has to be one.  */
static bool again(struct arenaplan_session *session, const struct arenaplan_buffer *buffer,
                  size_t count, int64_t *offset)
{
    struct arenaplan_problem problem = ARENAPLAN_PROBLEM(buffer, count);

    return arenaplan_plan_again(session, &problem, NULL, offset, NULL) <= ARENAPLAN_FEASIBLE &&
           arenaplan_check(&problem, NULL, offset, NULL) == ARENAPLAN_FEASIBLE;
}

/* Of three that are stacked the lowest goes, and one of the others, HIGHER or not, is fixed where
 * it is.  What touches it stays where it is though there is room below: a fourth keeps the load. */
static void touches(bool higher)
{
    struct arenaplan_session *session = arenaplan_session_new(NULL);
    struct arenaplan_buffer buffer[] = {{.begin = 0, .end = 4, .size = 8, .key = 1},
                                        {.begin = 0, .end = 4, .size = 8, .key = 2},
                                        {.begin = 0, .end = 4, .size = 8, .key = 3},
                                        {.begin = 5, .end = 6, .size = 24, .key = 4}};
    int64_t was[4], offset[4];
    bool good = again(session, buffer, 4, was);

    for (size_t b = 0; b < 3; b++) {
        if (was[b] == 0)
            buffer[b].size = 0;
        if (was[b] == (higher ? 16 : 8)) {
            buffer[b].flags = ARENAPLAN_FIXED;
            buffer[b].offset = was[b];
        }
    }
    good = good && again(session, buffer, 4, offset);
    for (size_t b = 0; b < 3; b++)
        good = good && offset[b] == was[b];
    ok(good, "what touches the %s end of one that is fixed now stays", higher ? "lower" : "upper");
    arenaplan_session_free(session);
}

/* What is another one now but for where it ends and how large it is.  */
static void changes(void)
{
    struct arenaplan_session *session = arenaplan_session_new(NULL);
    const struct arenaplan_piece piece[] = {{0, 2, 0, 8}, {2, 4, 0, 4}};
    struct arenaplan_buffer buffer[] = {
        {.begin = 0, .end = 4, .size = 8, .key = 1, .piece = piece, .pieces = 2},
        {.begin = 2, .end = 4, .size = 4, .key = 2},
        {.begin = 5, .end = 6, .size = 8, .key = 3}};
    int64_t offset[3];

    ok(again(session, buffer, 3, offset) && offset[0] == 0 && offset[1] == 4, "two interlock");
    buffer[2].size = 24; /* the load, whatever lies elsewhere */
    buffer[0].piece = NULL;
    buffer[0].pieces = 0;
    ok(again(session, buffer, 3, offset), "and no more when the one has no pieces any more");
    buffer[0].alignment = 8;
    buffer[0].flags = ARENAPLAN_FIXED;
    buffer[0].offset = 13;
    ok(again(session, buffer, 3, offset) && offset[0] == 13, "it is fixed where it is not aligned");
    buffer[0].flags = 0;
    ok(again(session, buffer, 3, offset), "and aligned when it is fixed no more");
    buffer[0].size = buffer[1].size = 20;
    ok(again(session, buffer, 3, offset), "both find room when they are larger");
    arenaplan_session_free(session);
}

/* --- memory --- */

/* Each allocation fails in turn: of the session, and of its calls.  */
static void failing(void)
{
    struct rng *rng = rng_new(7);
    struct library_books books = {.fails_at = SIZE_MAX};
    struct arenaplan_allocator allocator = library_books_allocator(&books);
    size_t fails_at = 0;
    int wrong = 0, failed = 0;

    for (bool more = true; more; fails_at++) {
        struct world *world = world_new(rng, 20);
        struct arenaplan_options options = ARENAPLAN_OPTIONS;
        struct arenaplan_session *session;

        books = (struct library_books){.fails_at = fails_at};
        options.allocator = allocator;
        options.work = 100;
        session = arenaplan_session_new(&allocator);
        for (int call = 0; call < 4 && session != NULL; call++) {
            struct arenaplan_problem problem = ARENAPLAN_PROBLEM(world->buffer, world->count);
            enum arenaplan_status status =
                arenaplan_plan_again(session, &problem, &options, world->offset, NULL);

            failed += status == ARENAPLAN_NO_MEMORY;
            wrong += status == ARENAPLAN_NO_MEMORY ? books.given <= fails_at
                                                   : arenaplan_check(&problem, NULL, world->offset,
                                                                     NULL) != ARENAPLAN_FEASIBLE;
            change(rng, world);
        }
        more = books.given > fails_at;
        arenaplan_session_free(session);
        wrong += books.blocks != 0 || books.bytes != 0;
        free(world);
    }
    rng_free(rng);
    ok(wrong == 0 && failed > 100, "%d calls failed for want of memory, and nothing was left",
       failed);
}

int main(void)
{
    first_call();
    walks();
    fixes();
    touches(false);
    touches(true);
    changes();
    failing();
    return tap_done();
}
