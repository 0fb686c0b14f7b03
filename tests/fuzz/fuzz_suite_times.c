/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any bytes as the times of plans of the suite: refused with a message that names the file, and
 * nothing is changed then, or accepted, and then written and read back to the same times.  */
#include <config.h>

#include "tests/fuzz/fuzz.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/suite/suite.h"
#include "harness/suite/suite_score.h"

enum { ENTRIES = 3 };

static char names[ENTRIES][2] = {"a", "b", "c"};

/* A suite of three, in ENTRY.  */
static struct suite three(struct suite_entry entry[ENTRIES])
{
    memset(entry, 0, ENTRIES * sizeof *entry);
    for (size_t i = 0; i < ENTRIES; i++)
        entry[i].name = names[i];
    return (struct suite){ENTRIES, ENTRIES, entry};
}

static bool read_bytes(const void *data, size_t size, struct suite_run *run, struct error *error)
{
    struct suite_entry entry[ENTRIES];
    const struct suite suite = three(entry);
    FILE *in = fmemopen((void *)data, size, "r");
    bool good;

    if (in == NULL)
        abort();
    good = suite_read_times(&suite, in, "fuzz.csv", run, error);
    fclose(in);
    return good;
}

static void check_round_trip(const struct suite_run *run)
{
    struct suite_entry entry[ENTRIES];
    const struct suite suite = three(entry);
    struct suite_run again[ENTRIES] = {{0}};
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);

    if (out == NULL || !suite_write_times(&suite, run, out))
        abort();
    fclose(out);
    if (!read_bytes(text, length, again, NULL))
        abort();
    for (size_t i = 0; i < ENTRIES; i++)
        if (!(isnan(run[i].time_s) && isnan(again[i].time_s)) && run[i].time_s != again[i].time_s)
            abort();
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct suite_run run[ENTRIES] = {{.time_s = 7.0}, {.time_s = 7.0}, {.time_s = 7.0}};
    struct error error = {""};

    if (read_bytes(data, size, run, &error))
        check_round_trip(run);
    else if (strncmp(error.text, "fuzz.csv:", 9) != 0 || run[0].time_s != 7.0)
        abort();
    return 0;
}
