/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Unique.
 *
 * ONNX's text (version 11): the different elements, or slices along an axis, in ascending order or
 * in that of their first places.  How many there are is only known when it runs: it is run where
 * the outputs' shapes are known, and it is an error if there are not as many.  All that are no
 * numbers are equal, and the largest.  */
#include <config.h>

#include "runtime/operators/operator.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "runtime/operators/accept.h"
#include "runtime/operators/along.h"
#include "runtime/operators/attributes.h"
#include "runtime/operators/order.h"

/* --- slices --- */

/* What is compared: COUNT slices of the input, each of OUTER x INNER elements.  */
struct slices {
    const struct tensor *in;
    struct along along;
    size_t size;
};

static const char *element(const struct slices *slices, int64_t slice, int64_t outer, int64_t inner)
{
    const struct along *along = &slices->along;
    int64_t at = (outer * along->count + slice) * along->inner + inner;

    return (const char *)slices->in->data + (size_t)at * slices->size;
}

static int compare_slices(const struct slices *slices, int64_t a, int64_t b)
{
    element_order *compare = element_order_of(slices->in->dtype);

    for (int64_t o = 0; o < slices->along.outer; o++)
        for (int64_t i = 0; i < slices->along.inner; i++) {
            int found = compare(element(slices, a, o, i), element(slices, b, o, i));

            if (found != 0)
                return found;
        }
    return 0;
}

static int by_slice(const void *a, const void *b, void *context)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

    return compare_slices(context, x, y) ?: ORDER(x, y);
}

static struct slices slices_of(const struct call *call)
{
    const struct tensor *in = call->input[0];
    int64_t axis = computation_integer(call->computation, "axis", 0);
    struct slices slices = {in, {1, tensor_elements(in), 1}, dtype_size(in->dtype)};

    if (computation_find(call->computation, "axis") != NULL)
        slices.along = along_axis(in, call_axis(axis, in->rank));
    return slices;
}

/* --- groups of equal ones --- */

/* FIRST[g] is the first slice of group g, GROUP[s] that of slice s; their number.  */
static int64_t find_groups(struct slices *slices, bool sorted, int64_t *first, int64_t *group)
{
    int64_t count = slices->along.count, groups = 0;
    int64_t *order = memory_alloc((size_t)count, sizeof *order);

    for (int64_t i = 0; i < count; i++)
        order[i] = i;
    qsort_r(order, (size_t)count, sizeof *order, by_slice, slices);
    for (int64_t i = 0; i < count; i++) {
        if (i == 0 || compare_slices(slices, order[i - 1], order[i]) != 0)
            first[groups++] = order[i];
        group[order[i]] = groups - 1;
    }
    if (!sorted) { /* the groups anew, in the order of their first slices */
        for (int64_t s = 0; s < count; s++)
            order[s] = first[group[s]];
        groups = 0;
        for (int64_t s = 0; s < count; s++)
            if (order[s] == s) {
                first[groups] = s;
                group[s] = groups++;
            } else {
                group[s] = group[order[s]];
            }
    }
    free(order);
    return groups;
}

/* --- the rule --- */

static bool accepts(const struct call *call)
{
    return accept_inputs(call, 1) && attributes_among(call, "axis sorted") &&
           accept_types(call, 0, 1, TYPES_NUMBER | TYPE(DTYPE_BOOL)) &&
           (computation_find(call->computation, "axis") == NULL ||
            accept_axis(call, 0, call->input[0]->rank)) &&
           accept_output(call, 0, call->input[0]->dtype) && accept_output(call, 1, DTYPE_I64) &&
           accept_output(call, 2, DTYPE_I64) && accept_output(call, 3, DTYPE_I64);
}

static bool has_elements(const struct call *call, size_t i, int64_t elements)
{
    return call_output(call, i) == NULL || tensor_elements(call->output[i]) == elements;
}

/* How many groups there is room for in the outputs that are there.  */
static int64_t room_for(const struct call *call, const struct slices *slices)
{
    for (size_t i = 1; i < 4; i += 2)
        if (call_output(call, i) != NULL)
            return tensor_elements(call->output[i]);
    return call_output(call, 0) == NULL ? 0
                                        : tensor_elements(call->output[0]) /
                                              max64(1, slices->along.outer * slices->along.inner);
}

static void write_slices(const struct call *call, const struct slices *slices, const int64_t *first,
                         int64_t groups)
{
    char *to = call_output(call, 0) == NULL ? NULL : call->output[0]->data;
    size_t bytes = (size_t)slices->along.inner * slices->size;

    for (int64_t o = 0; to != NULL && bytes > 0 && o < slices->along.outer; o++)
        for (int64_t g = 0; g < groups; g++) {
            memcpy(to, element(slices, first[g], o, 0), bytes);
            to += bytes;
        }
}

static bool run(const struct call *call)
{
    struct slices slices = slices_of(call);
    bool sorted = computation_integer(call->computation, "sorted", 1) != 0;
    int64_t count = slices.along.count;
    int64_t *first = memory_alloc((size_t)count, sizeof *first);
    int64_t *group = memory_alloc((size_t)count, sizeof *group);
    int64_t groups = find_groups(&slices, sorted, first, group);
    const struct tensor *counts = call_output(call, 3);
    bool good = has_elements(call, 0, slices.along.outer * groups * slices.along.inner) &&
                has_elements(call, 1, groups) && has_elements(call, 2, count) &&
                has_elements(call, 3, groups);

    if (!good) {
        good = call_found(call, groups, room_for(call, &slices));
    } else {
        write_slices(call, &slices, first, groups);
        if (call_output(call, 1) != NULL && groups > 0)
            memcpy(call->output[1]->data, first, (size_t)groups * sizeof *first);
        if (call_output(call, 2) != NULL && count > 0)
            memcpy(call->output[2]->data, group, (size_t)count * sizeof *group);
        for (int64_t g = 0; counts != NULL && g < groups; g++)
            ((int64_t *)counts->data)[g] = 0;
        for (int64_t s = 0; counts != NULL && s < count; s++)
            ((int64_t *)counts->data)[group[s]]++;
    }
    free(first);
    free(group);
    return good;
}

const struct operator_rule operators_unique[] = {
    {"Unique", accepts, run, 0},
    {0},
};
