/* OmniMalloc's planners: by hand, and against the same in the plainest way.  */
#include <config.h>

#include <stdlib.h>

#include "lib/problem/instance.h"
#include "lib/problem/plan.h"
#include "tests/oracles/plain_planners.h"
#include "tests/support/golden.h"
#include "tests/support/run_solver.h"
#include "tests/support/same_plans.h"
#include "tests/support/tap.h"

/* --- omni --- */

enum { MOST = 5 };

/* Each of the seven orders, in turn, is the only one with the least peak.  The last but
 * one is drawn in solvers/omni.c.  Half-open lifetimes.  */
static void each_order(void)
{
    static const struct {
        size_t n;
        struct record row[MOST];
        int64_t offset[MOST];
    } cases[] = {
        {4, {{3, 4, 5}, {0, 3, 4}, {1, 2, 6}, {2, 4, 5}}, {0, 0, 4, 5}},
        {4, {{0, 3, 4}, {0, 2, 3}, {2, 4, 4}, {3, 4, 5}}, {0, 4, 5, 0}},
        {5, {{0, 2, 3}, {2, 3, 4}, {1, 4, 2}, {0, 1, 2}, {0, 2, 2}}, {2, 2, 0, 0, 5}},
        {5, {{2, 3, 1}, {2, 4, 1}, {1, 3, 1}, {3, 4, 2}, {0, 2, 2}}, {1, 0, 2, 1, 0}},
        {4, {{1, 3, 5}, {2, 4, 2}, {3, 4, 2}, {3, 4, 4}}, {2, 0, 6, 2}},
        {4, {{2, 4, 4}, {3, 4, 5}, {0, 3, 2}, {1, 2, 6}}, {0, 4, 6, 0}},
        {4, {{1, 2, 5}, {1, 3, 1}, {3, 4, 5}, {2, 4, 1}}, {0, 5, 1, 0}},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct instance *instance = golden_instance("by hand", cases[i].row, cases[i].n, 0, 1);

        golden_offsets("omni", instance, cases[i].offset);
        instance_free(instance);
    }
}

static int64_t length(const struct buffer *buffer)
{
    return buffer->end - buffer->begin;
}

static int64_t conflicts(const struct instance *instance, size_t b)
{
    int64_t count = -1;

    for (size_t i = 0; i < instance->n; i++)
        count += buffers_overlap_in_time(&instance->buffer[i], &instance->buffer[b]);
    return count;
}

static bool longer(const struct instance *instance, size_t a, size_t b)
{
    return length(&instance->buffer[a]) > length(&instance->buffer[b]);
}

static bool wider(const struct instance *instance, size_t a, size_t b)
{
    const struct buffer *x = &instance->buffer[a], *y = &instance->buffer[b];

    return length(x) * x->size > length(y) * y->size;
}

static bool larger_of(const struct instance *instance, size_t a, size_t b, int64_t x, int64_t y)
{
    return x != y ? x > y : instance->buffer[a].size > instance->buffer[b].size;
}

static bool meets_more(const struct instance *instance, size_t a, size_t b)
{
    return larger_of(instance, a, b, conflicts(instance, a), conflicts(instance, b));
}

static bool more_crowded(const struct instance *instance, size_t a, size_t b)
{
    return larger_of(instance, a, b, conflicts(instance, a) * instance->buffer[a].size,
                     conflicts(instance, b) * instance->buffer[b].size);
}

static bool begins_first(const struct instance *instance, size_t a, size_t b)
{
    return larger_of(instance, a, b, -instance->buffer[a].begin, -instance->buffer[b].begin);
}

static void plain_omni(const struct instance *instance, struct plan *plan)
{
    static plain_before *const orders[] = {NULL,       plain_larger, longer,      wider,
                                           meets_more, more_crowded, begins_first};
    struct plan *trial = plan_new(instance);

    for (size_t i = 0; i < sizeof orders / sizeof orders[0]; i++) {
        size_t *order = plain_order(instance, orders[i], false);

        plain_place(instance, order, plain_first, trial);
        if (i == 0 || trial->peak < plan->peak)
            plan_copy(plan, trial);
        free(order);
    }
    plan_free(trial);
}

/* Counting conflicts at each comparison takes its time.  */
static const struct plain_pair pairs[] = {
    {"omni", plain_omni, 200, 250},
    {NULL, NULL, 0, 0},
};

int main(void)
{
    each_order();
    same_plans(pairs);
    return tap_done();
}
