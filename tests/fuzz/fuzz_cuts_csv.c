/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any bytes as sets of buffers of a fixed instance that can't be together: refused with a message
 * that has a place, or accepted, and then written and read back as the same.  */
#include <config.h>

#include "tests/fuzz/fuzz.h"

#include "memories/cuts_csv.h"
#include "memories/split.h"
#include "tests/fuzz/bytes.h"
#include "tests/fuzz/fixed_instance.h"

struct read_cuts {
    const struct split_problem *problem;
    struct split_cuts cuts;
};

static bool read_cuts(void *into, FILE *in, const char *path, struct error *error)
{
    struct read_cuts *read = into;

    return cuts_csv_read(in, path, read->problem, &read->cuts, error);
}

static bool write_cuts(FILE *out, const void *from)
{
    const struct read_cuts *read = from;

    return cuts_csv_write(out, read->problem, &read->cuts);
}

static bool same(const void *one, const void *other)
{
    const struct split_cuts *a = &((const struct read_cuts *)one)->cuts;
    const struct split_cuts *b = &((const struct read_cuts *)other)->cuts;
    bool equal = a->count == b->count;

    for (size_t c = 0; equal && c < a->count; c++)
        equal = a->cut[c].m == b->cut[c].m && a->cut[c].capacity == b->cut[c].capacity &&
                a->cut[c].count == b->cut[c].count &&
                memcmp(a->cut[c].buffer, b->cut[c].buffer,
                       a->cut[c].count * sizeof *a->cut[c].buffer) == 0;
    return equal;
}

/* Those of a file that is refused are there in part.  */
static void clear(void *one)
{
    (void)one;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct bytes_format format = {read_cuts, write_cuts, same, clear};
    struct instance *instance = fixed_instance();
    struct memories memories = {0};
    struct split_problem problem;
    struct read_cuts cuts = {&problem, {0}}, again = {&problem, {0}};

    must(memories_add(&memories, "fast=12,read=1", NULL) && memories_add(&memories, "slow", NULL));
    memories_default_costs(&memories);
    must(split_problem_init(&problem, instance, &memories, NULL));
    bytes_round_trip(&format, &cuts, &again, data, size);
    split_cuts_clear(&cuts.cuts);
    split_cuts_clear(&again.cuts);
    split_problem_clear(&problem);
    memories_clear(&memories);
    instance_free(instance);
    return 0;
}
