/* SPDX-License-Identifier: GPL-3.0-or-later */
/* That a session pays: what a call costs, in placements, for a problem in which a few buffers
 * changed since the last one, beside a call that knows nothing.  */
#include <config.h>

#include "planner/arenaplan.h"

#include <math.h>
#include <stdlib.h>

#include "lib/base/rng.h"
#include "tests/support/tap.h"

enum { MOST = 250, LEAVES = 200, CHANGED_PERCENT = 3, WORK = 20000, LEAST = 100 };

struct packed {
    struct arenaplan_buffer buffer[MOST];
    size_t count;
};

/* A rectangle of time and bytes that is left to cut, into so many buffers.  */
struct rest {
    int64_t begin, end, low, high, leaves;
};

/* Where a cut leaves PART of LEAVES in proportion, or an eighth further.  */
static int64_t cut_at(struct rng *rng, int64_t low, int64_t high, int64_t part, int64_t leaves)
{
    int64_t width = high - low, at = 1 + (width - 2) * part / leaves;

    at += rng_range(rng, -(width / 16), width / 16);
    return low + (at < 1 ? 1 : at > width - 1 ? width - 1 : at);
}

/* Cuts a rectangle by straight cuts into buffers that fill it.  */
static void draw(struct rng *rng, struct packed *packed)
{
    struct rest stack[MOST] = {{0, 200, 0, 1 << 16, LEAVES}};
    size_t depth = 1;

    packed->count = 0;
    while (depth > 0) {
        struct rest rest = stack[--depth], other = rest;
        bool by_time =
            rest.end - rest.begin > 1 && (rest.high - rest.low < 2 || rng_range(rng, 0, 1) == 1);

        if (rest.leaves <= 1 || (!by_time && rest.high - rest.low < 2)) {
            packed->buffer[packed->count++] = (struct arenaplan_buffer){
                .begin = rest.begin, .end = rest.end, .size = rest.high - rest.low};
            continue;
        }
        rest.leaves = rng_range(rng, 1, other.leaves - 1);
        if (by_time)
            rest.end = other.begin = cut_at(rng, other.begin, other.end, rest.leaves, other.leaves);
        else
            rest.high = other.low = cut_at(rng, other.low, other.high, rest.leaves, other.leaves);
        other.leaves -= rest.leaves;
        stack[depth++] = rest;
        stack[depth++] = other;
    }
}

/* Some get larger or smaller, or end later or earlier.  */
static void change(struct rng *rng, struct packed *packed)
{
    for (size_t b = 0; b < packed->count; b++) {
        struct arenaplan_buffer *buffer = &packed->buffer[b];
        int64_t how = rng_range(rng, 0, 3);

        if (rng_range(rng, 0, 99) >= CHANGED_PERCENT)
            continue;
        if (how < 2)
            buffer->size += (how == 0 ? 1 : -1) * (buffer->size * rng_range(rng, 0, 29) / 100);
        else if (how == 2)
            buffer->end += rng_range(rng, 1, 3);
        else if (buffer->end - buffer->begin > 1)
            buffer->end--;
    }
}

/* Placements until the load is reached, -1: it is not.  SESSION == NULL: a call that knows
 * nothing.  */
static int64_t placements(struct arenaplan_session *session, const struct packed *packed)
{
    struct arenaplan_problem problem = ARENAPLAN_PROBLEM(packed->buffer, packed->count);
    struct arenaplan_options options = ARENAPLAN_OPTIONS;
    struct arenaplan_result result = ARENAPLAN_RESULT;
    int64_t offset[MOST];

    options.work = WORK;
    if (session == NULL)
        arenaplan_plan(&problem, &options, offset, &result);
    else
        arenaplan_plan_again(session, &problem, &options, offset, &result);
    return result.status == ARENAPLAN_OPTIMAL ? result.work : -1;
}

/* One of two costs, both of which count at least LEAST: the plan that is given may do.  */
static double ratio_of(int64_t again, int64_t anew)
{
    return (double)(again < LEAST ? LEAST : again) / (double)(anew < LEAST ? LEAST : anew);
}

int main(void)
{
    struct rng *rng = rng_new(1);
    struct packed *packed = calloc(1, sizeof *packed);
    int instances = tap_tier(20, 80), compared = 0, missed = 0, cheaper = 0, dearer = 0;
    double logs = 0.0;

    for (int i = 0; i < instances; i++) {
        struct arenaplan_session *session = arenaplan_session_new(NULL);
        int64_t again, anew;

        draw(rng, packed);
        placements(session, packed);
        change(rng, packed);
        again = placements(session, packed);
        anew = placements(NULL, packed);
        arenaplan_session_free(session);
        if (anew < 0)
            continue;
        compared++;
        missed += again < 0;
        cheaper += again >= 0 && again < anew;
        dearer += again < 0 || again > anew;
        logs += log(ratio_of(again < 0 ? WORK : again, anew));
    }
    ok(missed == 0, "of %d changed problems %d miss the load, which calls reach that begin anew",
       compared, missed);
    ok(cheaper > 3 * dearer, "%d take fewer placements, %d more", cheaper, dearer);
    ok(exp(logs / compared) < 0.7, "%.3f of the placements (geometric mean)", exp(logs / compared));
    free(packed);
    rng_free(rng);
    return tap_done();
}
