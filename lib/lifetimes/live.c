/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "lib/lifetimes/live.h"

#include <stdlib.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/graph/network.h"

/* --- who reads and makes what --- */

/* Lists of indices, one for each of COUNT operators, filled in order.  */
struct lists {
    size_t *first, *item;
    size_t used, capacity;
};

static void lists_begin(struct lists *lists, size_t count)
{
    *lists = (struct lists){.first = memory_alloc(count + 1, sizeof *lists->first)};
    lists->first[0] = 0;
}

/* Adds ITEM to the list of O, which is the last one begun, unless it is there.  */
static void lists_add(struct lists *lists, size_t o, size_t item)
{
    for (size_t i = lists->first[o]; i < lists->used; i++)
        if (lists->item[i] == item)
            return;
    lists->item = memory_grow(lists->item, &lists->capacity, lists->used + 1, sizeof *lists->item);
    lists->item[lists->used++] = item;
}

static void find_reads(struct live *live, const struct network *network, const size_t *root)
{
    struct lists reads, made;

    lists_begin(&reads, network->n_ops);
    lists_begin(&made, network->n_ops);
    for (size_t o = 0; o < network->n_ops; o++) {
        const struct network_op *op = &network->op[o];

        for (size_t i = 0; i < op->inputs; i++)
            lists_add(&reads, o, root[op->input[i]]);
        for (size_t i = 0; i < op->outputs; i++)
            if (root[op->output[i]] == op->output[i])
                lists_add(&made, o, op->output[i]);
        reads.first[o + 1] = reads.used;
        made.first[o + 1] = made.used;
        for (size_t i = reads.first[o]; i < reads.used; i++)
            live->readers[reads.item[i]]++;
    }
    live->first_read = reads.first;
    live->read = reads.item;
    live->first_made = made.first;
    live->made = made.item;
}

/* A value's readers are in ascending order, so an operator that reads two
 * outputs of O is met once an output; the last one met tells.  */
static void find_needs(struct live *live, const struct network *network)
{
    size_t *met = memory_alloc(network->n_ops, sizeof *met);
    struct lists needs;

    for (size_t o = 0; o < network->n_ops; o++)
        met[o] = NETWORK_NONE;
    lists_begin(&needs, network->n_ops);
    for (size_t o = 0; o < network->n_ops; o++) {
        const struct network_op *op = &network->op[o];

        for (size_t i = 0; i < op->outputs; i++) {
            const struct value *value = &network->value[op->output[i]];

            for (size_t r = 0; r < value->readers; r++) {
                if (met[value->reader[r]] == o)
                    continue;
                met[value->reader[r]] = o;
                needs.item =
                    memory_grow(needs.item, &needs.capacity, needs.used + 1, sizeof *needs.item);
                needs.item[needs.used++] = value->reader[r];
                live->waits[value->reader[r]]++;
            }
        }
        needs.first[o + 1] = needs.used;
    }
    live->first_need = needs.first;
    live->need = needs.item;
    free(met);
}

/* --- what counts --- */

static bool set_sizes(struct live *live, const struct network *network, const size_t *root,
                      const struct lifetime_options *options, struct error *error)
{
    struct lifetime_roles *roles = memory_zalloc(network->n_values, sizeof *roles);
    int64_t total = 0;
    bool fits = true;

    for (size_t v = 0; v < network->n_values; v++)
        lifetime_roles_add(&roles[root[v]], &network->value[v]);
    for (size_t v = 0; v < network->n_values && fits; v++) {
        if (root[v] != v || !lifetime_counts(&roles[v], options))
            continue;
        live->size[v] = value_bytes(&network->value[v]);
        live->kept[v] = roles[v].output || roles[v].stored;
        fits = checked_add(total, live->size[v], &total);
        if (!fits || network->value[v].producer != NETWORK_NONE)
            continue;
        if (live->readers[v] == 0 && !live->kept[v])
            live->unread += live->size[v];
        else
            live->bytes += live->size[v];
    }
    free(roles);
    if (!fits)
        error_set(error, "network '%s': the sizes add up to more than 2^63 - 1 bytes",
                  network->name);
    return fits;
}

struct live *live_new(const struct network *network, const struct lifetime_options *options,
                      struct error *error)
{
    struct live *live = memory_alloc(1, sizeof *live);
    size_t *root = lifetime_roots(network, options->alias);
    bool fits;

    *live = (struct live){
        .n_ops = network->n_ops,
        .n_groups = network->n_values,
        .size = memory_zalloc(network->n_values, sizeof *live->size),
        .readers = memory_zalloc(network->n_values, sizeof *live->readers),
        .kept = memory_zalloc(network->n_values, sizeof *live->kept),
        .run = memory_zalloc(network->n_ops, sizeof *live->run),
        .waits = memory_zalloc(network->n_ops, sizeof *live->waits),
    };
    find_reads(live, network, root);
    find_needs(live, network);
    fits = set_sizes(live, network, root, options, error);
    free(root);
    if (fits)
        return live;
    live_free(live);
    return NULL;
}

void live_free(struct live *live)
{
    if (live == NULL)
        return;
    free(live->size);
    free(live->readers);
    free(live->kept);
    free(live->run);
    free(live->waits);
    free(live->first_read);
    free(live->read);
    free(live->first_made);
    free(live->made);
    free(live->first_need);
    free(live->need);
    free(live);
}

/* --- running --- */

static int64_t made_bytes(const struct live *live, size_t o)
{
    int64_t bytes = 0;

    for (size_t i = live->first_made[o]; i < live->first_made[o + 1]; i++)
        bytes += live->size[live->made[i]];
    return bytes;
}

/* What nobody reads after O: groups of which it is the last reader, and its
 * own ones without a reader.  */
static int64_t freed_bytes(const struct live *live, size_t o)
{
    int64_t bytes = 0;

    for (size_t i = live->first_read[o]; i < live->first_read[o + 1]; i++)
        if (live->readers[live->read[i]] == 1 && !live->kept[live->read[i]])
            bytes += live->size[live->read[i]];
    for (size_t i = live->first_made[o]; i < live->first_made[o + 1]; i++)
        if (live->readers[live->made[i]] == 0 && !live->kept[live->made[i]])
            bytes += live->size[live->made[i]];
    return bytes;
}

int64_t live_during(const struct live *live, size_t o)
{
    return live->bytes + (live->ran == 0 ? live->unread : 0) + made_bytes(live, o);
}

int64_t live_change(const struct live *live, size_t o)
{
    return made_bytes(live, o) - freed_bytes(live, o);
}

void live_run(struct live *live, size_t o)
{
    live->bytes += live_change(live, o);
    live->run[o] = true;
    live->ran++;
    for (size_t i = live->first_read[o]; i < live->first_read[o + 1]; i++)
        live->readers[live->read[i]]--;
    for (size_t i = live->first_need[o]; i < live->first_need[o + 1]; i++)
        live->waits[live->need[i]]--;
}

/* Takes back O, which ran last.  */
static void undo(struct live *live, size_t o)
{
    for (size_t i = live->first_read[o]; i < live->first_read[o + 1]; i++)
        live->readers[live->read[i]]++;
    for (size_t i = live->first_need[o]; i < live->first_need[o + 1]; i++)
        live->waits[live->need[i]]++;
    live->run[o] = false;
    live->ran--;
    live->bytes -= live_change(live, o);
}

void live_undo_all(struct live *live, const size_t *order, size_t count)
{
    while (count-- > 0)
        undo(live, order[count]);
}

int64_t live_load(struct live *live, const size_t *order)
{
    int64_t load = 0;

    for (size_t i = 0; i < live->n_ops; i++) {
        load = max64(load, live_during(live, order[i]));
        live_run(live, order[i]);
    }
    live_undo_all(live, order, live->n_ops);
    return load;
}
