/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Checkpointing: which values stay, and making the others again.  */
#include <config.h>

#include <stdlib.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/graph/train_private.h"

/* After each operator, the number of values that go on: are read later, or are
 * outputs.  */
static int64_t *count_crossing(const struct network *network)
{
    int64_t *crossing = memory_zalloc(network->n_ops + 1, sizeof *crossing);

    for (size_t v = 0; v < network->n_values; v++) {
        const struct value *value = &network->value[v];
        size_t last = value->output ? network->n_ops : 0;

        if (value->producer == NETWORK_NONE)
            continue;
        if (!value->output && value->readers > 0)
            last = value->reader[value->readers - 1];
        if (last > value->producer) {
            crossing[value->producer]++;
            crossing[last]--;
        }
    }
    for (size_t o = 1; o < network->n_ops; o++)
        crossing[o] += crossing[o - 1];
    return crossing;
}

/* The smallest k with k * k >= n.  */
static int64_t root(size_t n)
{
    int64_t k = 1;

    while (k * k < (int64_t)n)
        k++;
    return k;
}

static void cut(struct training *t)
{
    const size_t n = t->old->n_ops;
    int64_t k = t->options->segment, length = 0, *crossing;

    if (k == TRAIN_SEGMENT_SQRT)
        k = root(n);
    crossing = count_crossing(t->old);
    for (size_t o = 0; o < n; o++) {
        t->segment[o] = t->segments;
        length++;
        if (k > 0 && o + 1 < n && ((length >= k && crossing[o] == 1) || length / 2 >= k)) {
            t->segments++;
            length = 0;
        }
    }
    t->segments++;
    free(crossing);
}

void training_cut(struct training *t)
{
    cut(t);
    for (size_t v = 0; v < t->old->n_values; v++) {
        const struct value *value = &t->old->value[v];
        size_t own;

        t->kept[v] = value->producer == NETWORK_NONE || value->output;
        if (t->kept[v])
            continue;
        own = t->segment[value->producer];
        t->kept[v] = own + 1 == t->segments;
        for (size_t i = 0; i < value->readers && !t->kept[v]; i++)
            t->kept[v] = t->segment[value->reader[i]] > own;
    }
}

/* Whether all that O makes was kept, and so what it saved.  */
static bool all_kept(const struct training *t, size_t o)
{
    const struct network_op *op = &t->old->op[o];

    for (size_t i = 0; i < op->outputs; i++)
        if (!t->kept[op->output[i]])
            return false;
    return true;
}

/* Marks the operators, from FIRST on, whose results the gradients of operator O
 * read and that are not kept.  */
static void mark_read(const struct training *t, size_t o, size_t first, bool *again)
{
    const struct network_op *op = &t->old->op[o];
    struct train_rule rule;

    if (!train_rule(t->old, o, &rule))
        return;
    for (size_t s = 0; s < rule.steps; s++) {
        const struct train_step *step = &rule.step[s];

        if (!step->replaces && !training_wants(t, o, step))
            continue;
        for (size_t i = 0; i < op->inputs; i++)
            if (slot_in(step->inputs, i) && !t->kept[op->input[i]])
                again[t->old->value[op->input[i]].producer - first] = true;
        if (step->outputs != SLOTS_NONE && !all_kept(t, o))
            again[o - first] = true;
    }
}

/* Whether the backward pass comes to O: something read of it has a gradient.  */
static bool is_differentiated(const struct training *t, size_t o)
{
    const struct network_op *op = &t->old->op[o];

    for (size_t i = 0; i < op->outputs; i++)
        if (t->needed[op->output[i]])
            return true;
    return false;
}

void training_again(struct training *t, size_t last)
{
    const size_t segment = t->segment[last];
    size_t first = last;
    bool *again;

    if (segment + 1 == t->segments)
        return;
    while (first > 0 && t->segment[first - 1] == segment)
        first--;
    /* Values that are not kept are read within their segment only.  */
    again = memory_zalloc(last - first + 1, sizeof *again);
    for (size_t o = first; o <= last; o++)
        if (is_differentiated(t, o))
            mark_read(t, o, first, again);
    for (size_t o = last + 1; o-- > first;)
        for (size_t i = 0; again[o - first] && i < t->old->op[o].inputs; i++) {
            size_t v = t->old->op[o].input[i];

            if (!t->kept[v])
                again[t->old->value[v].producer - first] = true;
        }
    for (size_t o = first; o <= last; o++)
        if (again[o - first]) {
            char *name = memory_printf("%s.again", t->old->op[o].name);

            training_copy(t, o, name);
            free(name);
        }
    free(again);
}
