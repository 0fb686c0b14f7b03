/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any bytes as pairs of a fixed instance's buffers: refused with a message that has a place, or
 * accepted, and then written and read back to the same pairs, which make an instance or contradict
 * each other.  */
#include <config.h>

#include "tests/fuzz/fuzz.h"

#include "lib/problem/pairs_csv.h"
#include "tests/fuzz/bytes.h"
#include "tests/fuzz/fixed_instance.h"

struct read_pairs {
    const struct instance *instance;
    struct pairs pairs;
};

static bool read_pairs(void *into, FILE *in, const char *path, struct error *error)
{
    struct read_pairs *read = into;

    return pairs_csv_read(in, path, read->instance, &read->pairs, error);
}

static bool write_pairs(FILE *out, const void *from)
{
    const struct read_pairs *read = from;

    return pairs_csv_write(out, read->instance, &read->pairs);
}

static bool same(const void *one, const void *other)
{
    const struct pairs *a = &((const struct read_pairs *)one)->pairs;
    const struct pairs *b = &((const struct read_pairs *)other)->pairs;
    bool equal = a->n_pairs == b->n_pairs && a->n_costs == b->n_costs;

    for (size_t i = 0; i < a->n_pairs && equal; i++)
        equal = a->pair[i].kind == b->pair[i].kind && a->pair[i].a == b->pair[i].a &&
                a->pair[i].b == b->pair[i].b;
    for (size_t i = 0; i < a->n_costs && equal; i++)
        equal = a->cost[i].a == b->cost[i].a && a->cost[i].b == b->cost[i].b &&
                a->cost[i].cost == b->cost[i].cost;
    return equal;
}

/* A refusal leaves something to clear, too, so that is done below.  */
static void clear(void *one)
{
    (void)one;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct bytes_format format = {read_pairs, write_pairs, same, clear};
    struct instance *instance = fixed_instance();
    struct read_pairs first = {instance, {0}}, again = {instance, {0}};
    size_t buffer_of[3];

    if (bytes_round_trip(&format, &first, &again, data, size))
        instance_free(
            conflicts_apply(instance, first.pairs.pair, first.pairs.n_pairs, buffer_of, NULL));
    pairs_clear(&first.pairs);
    pairs_clear(&again.pairs);
    instance_free(instance);
    return 0;
}
