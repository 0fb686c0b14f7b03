/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "harness/run/nested.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/lifetimes/nest.h"
#include "lib/problem/instance.h"
#include "lib/problem/solver_env.h"
#include "solvers/solver.h"

/* A buffer of the instance, or one of a sub-graph's plan, which is a tensor of what is
 * around.  */
struct item {
    char *id;
    size_t part; /* where it is planned; NEST_NONE: around all */
    int64_t size;
    size_t pieces, capacity;
    struct piece *piece; /* of its whole size */
    size_t holder;       /* the sub-graph's buffer that it is in, SIZE_MAX: none */
    int64_t offset;      /* in that, or in the plan of what is around all */
};

struct nested {
    const struct solver *solver;
    const struct instance *instance;
    const struct nest *nest;
    struct solver_env env;
    struct item *item; /* the instance's buffers, then those of sub-graphs */
    size_t items, capacity;
    struct plan *outer;  /* of what is around all */
    size_t *outer_index; /* of each item that is planned there */
    int64_t nodes;
    enum outcome outcome; /* the last one of a call that is neither feasible nor optimal */
};

/* --- items --- */

static size_t add_item(struct nested *nested, char *id, size_t part)
{
    nested->item =
        memory_grow(nested->item, &nested->capacity, nested->items + 1, sizeof *nested->item);
    nested->item[nested->items] = (struct item){.id = id, .part = part, .holder = SIZE_MAX};
    return nested->items++;
}

static void add_piece(struct item *item, int64_t begin, int64_t end)
{
    item->piece = memory_grow(item->piece, &item->capacity, item->pieces + 1, sizeof *item->piece);
    item->piece[item->pieces++] = (struct piece){.begin = begin, .end = end, .tensor = true};
}

static int compare_pieces(const void *a, const void *b)
{
    const struct piece *x = a, *y = b;

    return ORDER(x->begin, y->begin) ?: ORDER(x->end, y->end);
}

/* Joins pieces that meet; all are of the item's whole size.  */
static void settle(struct item *item)
{
    size_t kept = 0;

    qsort(item->piece, item->pieces, sizeof *item->piece, compare_pieces);
    for (size_t i = 0; i < item->pieces; i++) {
        item->piece[i].hi = item->size;
        if (kept > 0 && item->piece[i].begin <= item->piece[kept - 1].end)
            item->piece[kept - 1].end = max64(item->piece[kept - 1].end, item->piece[i].end);
        else
            item->piece[kept++] = item->piece[i];
    }
    item->pieces = kept;
}

static void add_buffers(struct nested *nested)
{
    const struct instance *instance = nested->instance;

    for (size_t b = 0; b < instance->n; b++) {
        const struct buffer *buffer = &instance->buffer[b];
        size_t index = add_item(nested, memory_strdup(buffer->id), nested->nest->home[b]);
        struct item *item = &nested->item[index];

        assert(buffer->alignment == instance->max_alignment);
        item->size = buffer->size;
        for (size_t i = 0; i < buffer->pieces; i++)
            add_piece(item, instance->piece[buffer->first_piece + i].begin,
                      instance->piece[buffer->first_piece + i].end);
        settle(item);
    }
}

/* --- one part --- */

struct row {
    size_t item;
    int64_t begin;
};

static int compare_rows(const void *a, const void *b)
{
    const struct row *x = a, *y = b;

    return ORDER(x->begin, y->begin) ?: ORDER(x->item, y->item);
}

/* The items of PART in the order in which they are born; returns their number.  */
static size_t find_rows(const struct nested *nested, size_t part, struct row *row)
{
    size_t count = 0;

    for (size_t i = 0; i < nested->items; i++)
        if (nested->item[i].part == part)
            row[count++] = (struct row){i, nested->item[i].piece[0].begin};
    if (count > 0)
        qsort(row, count, sizeof *row, compare_rows);
    return count;
}

/* What the planner is asked about ROW[0..count).  NULL with a message when sums overflow.  */
static struct instance *make_instance(const struct nested *nested, const struct row *row,
                                      size_t count, struct error *error)
{
    struct instance *instance = instance_new(nested->instance->name), *joined;

    for (size_t i = 0; i < count; i++) {
        const struct item *item = &nested->item[row[i].item];

        instance_add_pieces(instance, item->id, item->piece, item->pieces,
                            nested->instance->max_alignment);
    }
    instance_make_ids_unique(instance);
    if (!instance_seal(instance, NULL, error)) {
        instance_free(instance);
        return NULL;
    }
    if (!instance->shapes ||
        (solver_capabilities(nested->solver, nested->env.params) & SOLVER_SHAPES) != 0)
        return instance;
    joined = instance_joined(instance);
    instance_free(instance);
    return joined;
}

/* The buffers of PLAN: the object of each row, and how many there are.  */
static size_t buffers_of(const struct plan *plan, size_t *object)
{
    for (size_t i = 0; i < plan->n; i++)
        object[i] = plan->object != NULL ? plan->object[i] : 0;
    return plan->object != NULL ? plan->objects : 1;
}

/* Makes buffer OBJECT of PLAN, of PART's rows, an item of what is around PART.  */
static void hold(struct nested *nested, size_t part, const struct row *row, const struct plan *plan,
                 const size_t *object, size_t which)
{
    const struct nest_part *sub = &nested->nest->part[part];
    int64_t start = INT64_MAX;
    size_t holder;

    for (size_t i = 0; i < plan->n; i++)
        if (object[i] == which)
            start = min64(start, plan->offset[i]);
    if (start == INT64_MAX)
        return; /* nothing is in it */
    holder = add_item(nested, memory_printf("%sbuffer%zu", sub->path, which), sub->around);
    add_piece(&nested->item[holder], sub->begin, sub->end);
    for (size_t i = 0; i < plan->n; i++) {
        struct item *item = &nested->item[row[i].item], *around = &nested->item[holder];

        if (object[i] != which)
            continue;
        item->holder = holder;
        item->offset = plan->offset[i] - start;
        around->size = max64(around->size, item->offset + item->size);
        for (size_t p = 0; p < item->pieces; p++)
            add_piece(around, item->piece[p].begin, item->piece[p].end);
    }
    settle(&nested->item[holder]);
}

static void take_plan(struct nested *nested, size_t part, const struct row *row, struct plan *plan)
{
    size_t *object = memory_alloc(plan->n, sizeof *object), objects = buffers_of(plan, object);

    for (size_t o = 0; o < objects && part != NEST_NONE; o++)
        hold(nested, part, row, plan, object, o);
    free(object);
    if (part != NEST_NONE) {
        plan_free(plan);
        return;
    }
    nested->outer = plan;
    nested->outer_index = memory_alloc(nested->items, sizeof *nested->outer_index);
    for (size_t i = 0; i < plan->n; i++) {
        nested->item[row[i].item].offset = plan->offset[i];
        nested->outer_index[row[i].item] = i;
    }
}

/* Whether the planner has a plan of INSTANCE; a peak of 0 is none where it was cut.  */
static bool solve_part(struct nested *nested, const struct instance *instance, struct plan *plan)
{
    enum outcome outcome = nested->solver->solve(instance, &nested->env, plan);

    nested->nodes += plan->nodes;
    if (outcome != OUTCOME_OPTIMAL && outcome != OUTCOME_FEASIBLE)
        nested->outcome = outcome;
    return outcome == OUTCOME_OPTIMAL || outcome == OUTCOME_FEASIBLE ||
           (outcome != OUTCOME_CRASHED && plan->peak != 0);
}

/* Has the planner plan PART.  NOTE says what went wrong.  */
static bool plan_part(struct nested *nested, size_t part, struct error *note)
{
    struct row *row = memory_alloc(nested->items, sizeof *row);
    size_t count = find_rows(nested, part, row);
    struct instance *instance = NULL;
    bool good = count == 0;

    if (count > 0)
        instance = make_instance(nested, row, count, note);
    if (instance != NULL && (nested->solver->applicable == NULL ||
                             nested->solver->applicable(instance, nested->env.params, note))) {
        struct plan *plan = plan_new(instance);

        good = solve_part(nested, instance, plan);
        if (good) {
            take_plan(nested, part, row, plan);
        } else {
            error_set(note, "%s", plan->note);
            plan_free(plan);
        }
    }
    if (!good && part != NEST_NONE)
        error_prefix(note, "sub-graph '%s'", nested->nest->part[part].path);
    instance_free(instance);
    free(row);
    return good;
}

/* --- the whole --- */

/* Every buffer to where its holders are.  */
static void write_plan(const struct nested *nested, struct plan *plan)
{
    const struct plan *outer = nested->outer;

    if (outer->object != NULL) {
        plan_use_objects(plan, outer->layout);
        plan->objects = outer->objects;
        for (size_t o = 0; o < outer->objects; o++)
            plan->object_size[o] = outer->object_size[o];
    }
    plan->layout = outer->layout;
    for (size_t b = 0; b < plan->n; b++) {
        size_t at = b;

        plan->offset[b] = nested->item[b].offset;
        while (nested->item[at].holder != SIZE_MAX) {
            at = nested->item[at].holder;
            plan->offset[b] += nested->item[at].offset;
        }
        if (outer->object != NULL)
            plan->object[b] = outer->object[nested->outer_index[at]];
    }
    plan->peak = plan_peak(nested->instance, plan);
    plan->nodes = nested->nodes;
    snprintf(plan->note, sizeof plan->note, "%s", outer->note);
}

/* The parts that have buffers, and what is around them.  */
static size_t count_calls(const struct nest *nest)
{
    size_t calls = 1;
    bool *asked = memory_zalloc(nest->parts, sizeof *asked);

    for (size_t b = 0; b < nest->n; b++)
        for (size_t p = nest->home[b]; p != NEST_NONE && !asked[p]; p = nest->part[p].around) {
            asked[p] = true;
            calls++;
        }
    free(asked);
    return calls;
}

static void clear(struct nested *nested)
{
    for (size_t i = 0; i < nested->items; i++) {
        free(nested->item[i].id);
        free(nested->item[i].piece);
    }
    free(nested->item);
    free(nested->outer_index);
    plan_free(nested->outer);
}

enum outcome nested_solve(const struct solver *solver, const struct instance *instance,
                          const struct nest *nest, const struct solver_env *env, struct plan *plan)
{
    struct nested nested = {.solver = solver,
                            .instance = instance,
                            .nest = nest,
                            .env = *env,
                            .outcome = OUTCOME_FEASIBLE};
    struct error note = {""};
    bool good = true;

    assert(nest->n == instance->n);
    nested.env.incumbent = NULL;
    nested.env.bound = NULL;
    nested.env.proof = NULL;
    nested.env.time_limit /= (double)count_calls(nest);
    nested.env.cpu_limit /= (double)count_calls(nest);
    add_buffers(&nested);
    for (size_t part = nest->parts; part-- > 0 && good;)
        good = plan_part(&nested, part, &note);
    good = good && (instance->n == 0 || plan_part(&nested, NEST_NONE, &note));
    if (good && instance->n > 0)
        write_plan(&nested, plan);
    else
        snprintf(plan->note, sizeof plan->note, "%.*s", (int)sizeof plan->note - 1, note.text);
    clear(&nested);
    /* Sums that overflow or what the planner refuses leave no plan either.  */
    return good || nested.outcome != OUTCOME_FEASIBLE ? nested.outcome : OUTCOME_CRASHED;
}
