/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any bytes as a split of a fixed instance: refused with a message that has a place, or accepted,
 * and then written and read back to the same split.  */
#include <config.h>

#include "tests/fuzz/fuzz.h"

#include "memories/split.h"
#include "memories/split_csv.h"
#include "tests/fuzz/bytes.h"
#include "tests/fuzz/fixed_instance.h"

struct read_split {
    const struct split_problem *problem;
    struct split split;
};

static bool read_split(void *into, FILE *in, const char *path, struct error *error)
{
    struct read_split *read = into;

    return split_csv_read(in, path, read->problem, &read->split, error);
}

static bool write_split(FILE *out, const void *from)
{
    const struct read_split *read = from;

    return split_csv_write(out, read->problem, &read->split);
}

static bool same(const void *one, const void *other)
{
    const struct split *a = &((const struct read_split *)one)->split;
    const struct split *b = &((const struct read_split *)other)->split;
    const size_t n = ((const struct read_split *)one)->problem->instance->n;

    return a->cost == b->cost && memcmp(a->memory, b->memory, n * sizeof *a->memory) == 0 &&
           memcmp(a->offset, b->offset, n * sizeof *a->offset) == 0;
}

/* What is read is somebody else's.  */
static void clear(void *one)
{
    (void)one;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct bytes_format format = {read_split, write_split, same, clear};
    struct instance *instance = fixed_instance();
    struct memories memories = {0};
    struct split_problem problem;
    struct read_split split = {&problem, {0}}, again = {&problem, {0}};

    must(memories_add(&memories, "fast=12,read=1", NULL) && memories_add(&memories, "slow", NULL));
    memories_default_costs(&memories);
    must(split_problem_init(&problem, instance, &memories, NULL));
    split_init(&split.split, &problem);
    split_init(&again.split, &problem);
    bytes_round_trip(&format, &split, &again, data, size);
    split_clear(&split.split);
    split_clear(&again.split);
    split_problem_clear(&problem);
    memories_clear(&memories);
    instance_free(instance);
    return 0;
}
