/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "lib/graph/schedule.h"

#include <inttypes.h>
#include <stdlib.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/graph/network.h"

struct schedule *schedule_file_order(const struct network *network)
{
    struct schedule *schedule = memory_alloc(1, sizeof *schedule);

    *schedule = (struct schedule){
        .n = network->n_ops,
        .step = memory_alloc(network->n_ops, sizeof *schedule->step),
        .steps = (int64_t)network->n_ops,
        .serial = true,
    };
    for (size_t o = 0; o < network->n_ops; o++)
        schedule->step[o] = (int64_t)o;
    return schedule;
}

void schedule_free(struct schedule *schedule)
{
    if (schedule == NULL)
        return;
    free(schedule->step);
    free(schedule);
}

size_t *schedule_sequence(const struct schedule *schedule)
{
    size_t *first = memory_zalloc((size_t)schedule->steps + 1, sizeof *first);
    size_t *order = memory_alloc(schedule->n, sizeof *order);

    for (size_t o = 0; o < schedule->n; o++)
        first[schedule->step[o] + 1]++;
    for (int64_t s = 0; s < schedule->steps; s++)
        first[s + 1] += first[s];
    for (size_t o = 0; o < schedule->n; o++)
        order[first[schedule->step[o]]++] = o;
    free(first);
    return order;
}

/* For sorting operators by step, then time.  */
struct turn {
    int64_t step;
    double seconds;
    size_t op;
};

static int compare_turns(const void *a, const void *b)
{
    const struct turn *x = a, *y = b;

    return ORDER(x->step, y->step) ?: ORDER(y->seconds, x->seconds) ?: ORDER(x->op, y->op);
}

size_t *schedule_longest_first(const struct schedule *schedule, const double *seconds)
{
    struct turn *turn = memory_alloc(schedule->n, sizeof *turn);
    size_t *order = memory_alloc(schedule->n, sizeof *order);

    for (size_t o = 0; o < schedule->n; o++)
        turn[o] = (struct turn){schedule->step[o], seconds[o], o};
    if (schedule->n > 0)
        qsort(turn, schedule->n, sizeof *turn, compare_turns);
    for (size_t i = 0; i < schedule->n; i++)
        order[i] = turn[i].op;
    free(turn);
    return order;
}

static bool steps_distinct(const struct schedule *schedule)
{
    int64_t *step = memory_copy(schedule->step, schedule->n, sizeof *step);
    bool distinct = true;

    qsort(step, schedule->n, sizeof *step, compare64);
    for (size_t i = 1; i < schedule->n && distinct; i++)
        distinct = step[i - 1] != step[i];
    free(step);
    return distinct;
}

/* Edges that go strictly forward make paths go strictly forward, so operators
 * of one step are independent when no edge joins two of them.  */
bool schedule_check(const struct schedule *schedule, const struct network *network,
                    struct error *error)
{
    if (schedule->n != network->n_ops)
        return error_set(error, "schedule: %zu operators, but network '%s' has %zu", schedule->n,
                         network->name, network->n_ops);
    for (size_t o = 0; o < network->n_ops; o++) {
        const struct network_op *op = &network->op[o];

        if (schedule->step[o] < 0 || schedule->step[o] >= schedule->steps)
            return error_set(error,
                             "schedule: operator '%s' has step %" PRId64 ", expected 0 to %" PRId64,
                             op->name, schedule->step[o], schedule->steps - 1);
        for (size_t i = 0; i < op->inputs; i++) {
            size_t producer = network->value[op->input[i]].producer;

            if (producer != NETWORK_NONE && schedule->step[producer] >= schedule->step[o])
                return error_set(error,
                                 "schedule: operator '%s' (step %" PRId64
                                 ") reads what '%s' (step %" PRId64 ") makes",
                                 op->name, schedule->step[o], network->op[producer].name,
                                 schedule->step[producer]);
        }
    }
    if (schedule->serial && !steps_distinct(schedule))
        return error_set(error, "schedule: it is called serial, but operators share a step");
    return true;
}
