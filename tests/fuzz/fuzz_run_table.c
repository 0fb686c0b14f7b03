/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any bytes as a file of runs: refused with a message that names the file, or accepted, and then
 * written and read back to the same runs.  */
#include <config.h>

#include "tests/fuzz/fuzz.h"

#include "harness/store/run_table.h"
#include "tests/fuzz/bytes.h"

static bool read_runs(void *table, FILE *in, const char *path, struct error *error)
{
    return run_table_read(table, in, path, error);
}

/* It sorts them.  */
static bool write_runs(FILE *out, const void *table)
{
    run_table_write(out, (struct run_table *)table);
    return true;
}

static bool same_run(const struct run *a, const struct run *b)
{
    return strcmp(a->experiment, b->experiment) == 0 && strcmp(a->workload, b->workload) == 0 &&
           strcmp(a->solver, b->solver) == 0 && a->seed == b->seed &&
           a->repetition == b->repetition && strcmp(a->outcome, b->outcome) == 0 &&
           strcmp(a->checksum, b->checksum) == 0 && a->peak == b->peak && a->bound == b->bound;
}

static bool same(const void *one, const void *other)
{
    const struct run_table *a = one, *b = other;

    for (size_t i = 0; a->count == b->count && i < a->count; i++)
        if (!same_run(&a->row[i], &b->row[i]))
            return false;
    return a->count == b->count;
}

static void clear(void *table)
{
    run_table_clear(table);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct bytes_format format = {read_runs, write_runs, same, clear};
    struct run_table table, again;

    bytes_round_trip(&format, &table, &again, data, size);
    return 0;
}
