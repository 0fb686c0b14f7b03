/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any bytes as a file of runs: refused with a message that names the file, or accepted, and then
 * written and read back to the same runs.  */
#include <config.h>

#include "tests/fuzz/fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/store/run_table.h"

static bool read_bytes(const void *data, size_t size, struct run_table *table, struct error *error)
{
    FILE *in = fmemopen((void *)data, size, "r");
    bool good;

    if (in == NULL)
        abort();
    good = run_table_read(table, in, "fuzz.csv", error);
    fclose(in);
    return good;
}

static bool same(const struct run *a, const struct run *b)
{
    return strcmp(a->experiment, b->experiment) == 0 && strcmp(a->workload, b->workload) == 0 &&
           strcmp(a->solver, b->solver) == 0 && a->seed == b->seed &&
           a->repetition == b->repetition && strcmp(a->outcome, b->outcome) == 0 &&
           strcmp(a->checksum, b->checksum) == 0 && a->peak == b->peak && a->bound == b->bound;
}

static void check_round_trip(struct run_table *table)
{
    struct run_table again;
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);

    if (out == NULL)
        abort();
    run_table_write(out, table);
    fclose(out);
    if (!read_bytes(text, length, &again, NULL) || again.count != table->count)
        abort();
    for (size_t i = 0; i < again.count; i++)
        if (!same(&again.row[i], &table->row[i]))
            abort();
    run_table_clear(&again);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct error error = {""};
    struct run_table table;

    if (read_bytes(data, size, &table, &error)) {
        check_round_trip(&table);
        run_table_clear(&table);
    } else if (strncmp(error.text, "fuzz.csv:", 9) != 0) {
        abort();
    }
    return 0;
}
