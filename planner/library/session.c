/* SPDX-License-Identifier: Apache-2.0 */
/* A session keeps the last plan.  The next call places what is as it was where it was, and the rest
 * around it by first fit; what the planner finds, guided by that, replaces it only where it is
 * lower.  The weights of its dives are not kept: with them it takes longer (doc/tried.md).  */
#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/base/sort.h"
#include "lib/place/best_greedy.h"
#include "lib/place/gap_index.h"
#include "lib/place/skyline.h"
#include "lib/place/work_limit.h"
#include "lib/problem/plan.h"
#include "planner/arenaplan.h"
#include "planner/library/call.h"
#include "planner/library/layers.h"
#include "planner/library/structs.h"

/* A buffer of the last plan.  */
struct kept {
    bool named; /* by a key of the caller's; else by its index */
    uint64_t key;
    struct arenaplan_buffer buffer; /* its pieces are those of the session from FIRST on */
    size_t first;
    int64_t offset;
};

struct arenaplan_session {
    struct arenaplan_allocator allocator;
    size_t count, pieces;
    struct kept *kept; /* by ascending keys */
    struct arenaplan_piece *piece;
};

/* A call with a session.  */
struct again {
    struct call call; /* first: what call_run knows */
    const struct arenaplan_session *session;
};

static bool is_named(const struct arenaplan_buffer *buffer)
{
    return buffer->key != 0;
}

static uint64_t key_of(const struct arenaplan_buffer *buffer, size_t index)
{
    return is_named(buffer) ? buffer->key : index;
}

/* --- the session --- */

static void *allocate_by_malloc(void *context, size_t bytes)
{
    (void)context;
    return malloc(bytes);
}

static void release_by_free(void *context, void *block, size_t bytes)
{
    (void)context;
    (void)bytes;
    free(block);
}

static void *allocate(const struct arenaplan_allocator *allocator, size_t count, size_t size)
{
    return count == 0 ? NULL : allocator->allocate(allocator->context, count * size);
}

static void release(const struct arenaplan_allocator *allocator, void *block, size_t count,
                    size_t size)
{
    if (block != NULL)
        allocator->release(allocator->context, block, count * size);
}

struct arenaplan_session *arenaplan_session_new(const struct arenaplan_allocator *allocator)
{
    const struct arenaplan_allocator own = {allocate_by_malloc, release_by_free, NULL};
    struct arenaplan_session *session;

    if (allocator == NULL || (allocator->allocate == NULL && allocator->release == NULL))
        allocator = &own;
    if (allocator->allocate == NULL || allocator->release == NULL)
        return NULL;
    session = (struct arenaplan_session *)allocator->allocate(allocator->context, sizeof *session);
    if (session != NULL)
        *session = (struct arenaplan_session){.allocator = *allocator};
    return session;
}

static void forget(struct arenaplan_session *session)
{
    release(&session->allocator, session->kept, session->count, sizeof *session->kept);
    release(&session->allocator, session->piece, session->pieces, sizeof *session->piece);
    session->kept = NULL;
    session->piece = NULL;
    session->count = session->pieces = 0;
}

void arenaplan_session_free(struct arenaplan_session *session)
{
    struct arenaplan_allocator allocator;

    if (session == NULL)
        return;
    forget(session);
    allocator = session->allocator;
    release(&allocator, session, 1, sizeof *session);
}

/* --- who is who --- */

static int compare_kept(const void *a, const void *b)
{
    const struct kept *x = a, *y = b;

    return x->named != y->named ? x->named - y->named : ORDER(x->key, y->key);
}

/* The buffers of PROBLEM by ascending keys; FIRST is the buffer's index here.  */
static void list(const struct arenaplan_problem *problem, struct kept *now)
{
    for (size_t b = 0; b < problem->count; b++) {
        struct arenaplan_buffer buffer = problem_buffer(problem, b);

        now[b] = (struct kept){
            .named = is_named(&buffer),
            .key = key_of(&buffer, b),
            .buffer = buffer,
            .first = b,
        };
    }
}

static bool keys_differ(struct call *call, const struct kept *now)
{
    for (size_t i = 1; i < call->problem->count; i++) {
        if (compare_kept(&now[i - 1], &now[i]) != 0)
            continue;
        call->result.status = ARENAPLAN_INVALID;
        call->result.fault = ARENAPLAN_FAULT_KEY;
        call->result.buffer = now[i].first;
        call->result.other = now[i - 1].first;
        return false;
    }
    return true;
}

static bool is_same(const struct arenaplan_session *session, const struct kept *was,
                    const struct arenaplan_buffer *now)
{
    const struct arenaplan_buffer *then = &was->buffer;

    if (then->size != now->size || then->alignment != now->alignment ||
        then->pieces != now->pieces || then->flags != now->flags ||
        (problem_is_fixed(now) && then->offset != now->offset))
        return false;
    if (now->pieces == 0)
        return then->begin == now->begin && then->end == now->end;
    return memcmp(session->piece + was->first, now->piece, now->pieces * sizeof *now->piece) == 0;
}

/* OFFSET[b] = where buffer b of the problem was, if it is as it was; else -1.  */
static void look_up(const struct arenaplan_session *session, const struct kept *now, size_t count,
                    int64_t *offset)
{
    size_t k = 0;

    for (size_t i = 0; i < count; i++) {
        while (k < session->count && compare_kept(&session->kept[k], &now[i]) < 0)
            k++;
        offset[now[i].first] = -1;
        if (k < session->count && compare_kept(&session->kept[k], &now[i]) == 0 &&
            is_same(session, &session->kept[k], &now[i].buffer))
            offset[now[i].first] = session->kept[k].offset;
    }
}

/* --- the plan to begin with --- */

/* Whether buffer B at OFFSET is in the way of FIXED one, by what is around each.  */
static bool is_in_the_way(const struct buffer *b, int64_t offset, const struct buffer *fixed)
{
    return buffers_overlap_in_time(b, fixed) && offset < fixed->fixed + fixed->size &&
           fixed->fixed < offset + b->size;
}

/* Buffers that now are fixed where others were go before these.  */
static void make_way(const struct instance *instance, int64_t *was)
{
    for (size_t f = 0; f < instance->n && instance->fixed > 0; f++) {
        const struct buffer *fixed = &instance->buffer[f];

        if (fixed->fixed < 0 || was[f] >= 0)
            continue;
        was[f] = fixed->fixed;
        for (size_t b = 0; b < instance->n; b++)
            if (instance->buffer[b].fixed < 0 && was[b] >= 0 &&
                is_in_the_way(&instance->buffer[b], was[b], fixed))
                was[b] = -1;
    }
}

/* Those that stay come first, then the others by size; on top of all where that takes too long.  */
static void begin_with(const struct instance *instance, const int64_t *was, double deadline,
                       struct plan *plan)
{
    struct work_limit limit = greedy_limit(instance, deadline);
    struct order_key *key = memory_alloc(instance->n, sizeof *key);
    size_t stay = 0;

    for (size_t b = 0; b < instance->n; b++) {
        const struct buffer *buffer = &instance->buffer[b];
        bool stays = was[b] >= 0;

        stay += stays;
        plan->offset[b] = stays ? was[b] : 0;
        key[b] = (struct order_key){stays ? 0 : key_descending(buffer->size),
                                    stays ? 0 : ~lifetime_length(buffer), b};
    }
    order_sort(key, instance->n);
    if (!gap_place_until(instance, key, stay, FIT_FIRST, &limit, plan))
        skyline_place_rest(instance, key, stay, plan);
    memory_free(key);
}

static void plan_again(void *context)
{
    struct again *again = context;
    struct call *call = &again->call;
    const struct arenaplan_problem *problem = call->problem;
    struct kept *now;
    int64_t *was;

    if (!call_prepare(call))
        return;
    now = memory_alloc(problem->count, sizeof *now);
    was = memory_alloc(problem->count, sizeof *was);
    list(problem, now);
    sort_stable(now, problem->count, sizeof *now, compare_kept);
    if (!keys_differ(call, now))
        return;
    look_up(again->session, now, problem->count, was);
    memory_free(now);
    for (size_t b = 0; call->prepared.index != NULL && b < call->prepared.instance.n; b++)
        was[b] = was[call->prepared.index[b]];
    if (again->session->count > 0) {
        make_way(&call->prepared.instance, was);
        begin_with(&call->prepared.instance, was, call->watch.deadline, call->plan);
        call->env.incumbent(call, call->plan);
        call->env.follow = true;
    }
    memory_free(was);
    layers_plan(call, again->session->count > 0);
}

/* --- what is kept --- */

/* False: there is no memory for it.  */
static bool keep(struct arenaplan_session *session, const struct arenaplan_problem *problem,
                 const int64_t *offset)
{
    size_t pieces = 0;

    for (size_t b = 0; b < problem->count; b++)
        pieces += problem_buffer(problem, b).pieces;
    forget(session);
    session->kept =
        (struct kept *)allocate(&session->allocator, problem->count, sizeof *session->kept);
    session->count = session->kept == NULL ? 0 : problem->count;
    session->piece =
        (struct arenaplan_piece *)allocate(&session->allocator, pieces, sizeof *session->piece);
    session->pieces = session->piece == NULL ? 0 : pieces;
    if (session->count < problem->count || session->pieces < pieces) {
        forget(session);
        return false;
    }
    list(problem, session->kept);
    pieces = 0;
    for (size_t b = 0; b < problem->count; b++) {
        struct kept *kept = &session->kept[b];
        const struct arenaplan_piece *piece = kept->buffer.piece;

        kept->offset = offset[b];
        kept->first = pieces;
        kept->buffer.piece = NULL;
        if (kept->buffer.pieces > 0)
            memcpy(session->piece + pieces, piece, kept->buffer.pieces * sizeof *piece);
        pieces += kept->buffer.pieces;
    }
    return true;
}

static void sort_kept(void *context)
{
    struct arenaplan_session *session = context;

    sort_stable(session->kept, session->count, sizeof *session->kept, compare_kept);
}

/* Sorting takes memory for a while.  */
static bool sort_in_pool(struct arenaplan_session *session)
{
    struct memory_pool pool;
    bool whole;

    memory_pool_init(&pool, session->allocator.allocate, session->allocator.release,
                     session->allocator.context, 0);
    whole = memory_scope_run(&pool, sort_kept, session);
    memory_pool_clear(&pool);
    return whole;
}

enum arenaplan_status arenaplan_plan_again(struct arenaplan_session *session,
                                           const struct arenaplan_problem *problem,
                                           const struct arenaplan_options *options, int64_t *offset,
                                           struct arenaplan_result *result)
{
    struct again again = {.call = {.problem = problem, .offset = offset}, .session = session};
    enum arenaplan_status status;

    again.call.capacity = layers_goal(options);
    if (session == NULL)
        return call_refuse(&again.call, ARENAPLAN_FAULT_STRUCT, result);
    status = call_run(&again.call, options, result, plan_again);
    if (status <= ARENAPLAN_FEASIBLE && !(keep(session, problem, offset) && sort_in_pool(session)))
        forget(session); /* the next call begins anew */
    return status;
}
