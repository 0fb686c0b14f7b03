/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "lib/judge/bounds.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/graph/network.h"
#include "lib/graph/schedule.h"
#include "lib/lifetimes/origin.h"
#include "lib/problem/instance.h"

/* The largest size rounded up so that k buffers stacked on one another take at
 * most k times as much, padding included: to a common multiple of all
 * alignments, which is the largest of them where they are powers of two.
 * (Where they are not, the largest alone would not do: sizes 4 at alignments 3
 * and 4.)  False when it does not fit.  */
static bool padded_max_size(const struct instance *instance, int64_t *padded)
{
    int64_t multiple = 1, sum;

    for (size_t b = 0; b < instance->n; b++) {
        int64_t alignment = instance->buffer[b].alignment;

        if (!checked_mul(multiple, alignment / gcd64(multiple, alignment), &multiple))
            return false;
    }
    if (!checked_add(instance->max_size, multiple - 1, &sum))
        return false;
    *padded = sum - sum % multiple;
    return true;
}

/* FACTOR x PADDED, or -1 when it does not fit.  */
static int64_t product(bool fits, int64_t factor, int64_t padded)
{
    int64_t result;

    return fits && checked_mul(factor, padded, &result) ? result : -1;
}

/* --- the conditions of the article's bound --- */

bool bounds_takes_part(const struct value *value)
{
    return !value->optional || value->readers > 0 || value->output;
}

/* No isolated vertex, and edges that lead from one step to a later one.
 *
 * That is enough for width <= 2 W, also where an operator has several outputs: the
 * vertices that it became share its step, steps grow along each path, and a value that
 * is read lives until the step of a reader whose edge some path covers, one that is not
 * read ends some path.  So each value belongs to a path, on which it lives at no other
 * vertex's step but the next one's: two values of one path at a time, W paths.
 *
 * In a serial order it is enough for width <= W + 1.  Take the step of an operator, the
 * older values alive there and its outputs; all but one of them give edges no two of
 * which lie on one path.  An older value that is read later gives an edge to such a
 * reader, an output that is read the edge to a reader.  If all outputs are read, the older
 * values that end here give their edges to the first output, which then gives none
 * itself.  If some are not, one input of the operator gives its edges to each of those
 * instead of its own one, and older values that end here give an edge to one of those.  */
static bool check_ops(const struct network *network, const struct schedule *schedule,
                      struct error *why)
{
    for (size_t o = 0; o < network->n_ops; o++) {
        const struct network_op *op = &network->op[o];
        bool reads = false, makes = false;

        for (size_t i = 0; i < op->inputs; i++)
            reads = reads || network->value[op->input[i]].producer != NETWORK_NONE;
        for (size_t i = 0; i < op->outputs; i++) {
            const struct value *value = &network->value[op->output[i]];

            for (size_t r = 0; r < value->readers; r++)
                if (schedule->step[value->reader[r]] <= schedule->step[o])
                    return error_set(why, "'%s' shares a step with an operator of its path",
                                     op->name);
            makes = makes || bounds_takes_part(value);
            if (!reads && value->readers == 0 && bounds_takes_part(value))
                return error_set(why, "'%s' of operator '%s' is isolated", value->name, op->name);
        }
        if (!reads && !makes)
            return error_set(why, "operator '%s' is isolated", op->name);
    }
    return true;
}

/* Only intermediates have buffers: io=none and weights=off.  */
static bool check_buffers(const struct instance *instance, struct error *why)
{
    const struct origin *origin = instance->origin;

    for (size_t b = 0; b < instance->n; b++) {
        const struct value *value = &origin->network->value[origin->value[b]];

        if (value->producer == NETWORK_NONE)
            return error_set(why, "'%s' counts, which is %s", value->name,
                             value->role == VALUE_INPUT ? "a network input" : "stored");
        if (value->output)
            return error_set(why, "'%s' counts, which is a network output", value->name);
    }
    return true;
}

/* Every intermediate has a buffer of its own (no aliases, nothing in place).  */
static bool check_values(const struct instance *instance, struct error *why)
{
    const struct network *network = instance->origin->network;
    size_t *buffers = memory_zalloc(network->n_values, sizeof *buffers);
    bool good = true;

    for (size_t b = 0; b < instance->n; b++)
        buffers[instance->origin->value[b]]++;
    for (size_t v = 0; v < network->n_values && good; v++) {
        const struct value *value = &network->value[v];

        if (value->producer == NETWORK_NONE || value->output || !bounds_takes_part(value) ||
            value_bytes(value) == 0)
            continue;
        if (buffers[v] != 1)
            good = error_set(why, "'%s' shares a buffer (aliases or in-place)", value->name);
    }
    free(buffers);
    return good;
}

static bool article_applies(const struct instance *instance, const struct bounds *bounds,
                            struct error *why)
{
    const struct origin *origin = instance->origin;

    if (instance->fixed > 0)
        return error_set(why, "offsets are fixed, which path-cover does not keep");
    if (origin == NULL)
        return error_set(why, "there is no graph");
    if (instance->shapes)
        return error_set(why, "some buffers are not rectangles");
    if (!check_ops(origin->network, origin->schedule, why) || !check_buffers(instance, why) ||
        !check_values(instance, why))
        return false;
    if (bounds->w2_bound < 0)
        return error_set(why, "the bound does not fit in 64 bits");
    return true;
}

/* The width of the bounding rectangles: path-cover knows no pieces, and a
 * buffer that is idle for a while still keeps its group.  */
static int64_t joined_width(const struct instance *instance)
{
    struct instance *joined;
    int64_t width = instance->width;

    if (instance->shapes && instance->fixed == 0) {
        joined = instance_joined(instance);
        width = joined->width;
        instance_free(joined);
    }
    return width;
}

bool bounds_compute(const struct instance *instance, struct bounds *bounds, struct error *error)
{
    struct error why = {""};
    int64_t padded = 0;
    bool fits = instance->fixed == 0 && padded_max_size(instance, &padded);

    *bounds = (struct bounds){
        .load = instance->load,
        .width = instance->width,
        .max_size = instance->max_size,
        .total = instance->total,
        .intermediates = instance->n,
        .has_w = instance->origin != NULL,
        .width_bound = product(fits, joined_width(instance), padded),
        .w1_bound = -1,
        .w2_bound = -1,
    };
    if (bounds->has_w) {
        if (!bounds_w(instance->origin->network, &bounds->w, NULL, error))
            return error_prefix(error, "W of '%s'", instance->name);
        bounds->w1_bound = product(fits, bounds->w + 1, padded);
        bounds->w2_bound = product(fits, 2 * bounds->w, padded);
    }
    bounds->applicable = article_applies(instance, bounds, &why);
    bounds->w1_applicable = bounds->applicable && instance->origin->schedule->serial;
    snprintf(bounds->reason, sizeof bounds->reason, "%.*s", (int)sizeof bounds->reason - 1,
             why.text);
    return true;
}
