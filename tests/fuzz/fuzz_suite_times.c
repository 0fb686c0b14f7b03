/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any bytes as the times of plans of the suite: refused with a message that names the file, and
 * nothing is changed then, or accepted, and then written and read back to the same times.  */
#include <config.h>

#include "tests/fuzz/fuzz.h"

#include <math.h>

#include "harness/suite/suite.h"
#include "harness/suite/suite_score.h"
#include "tests/fuzz/bytes.h"

enum { ENTRIES = 3 };

static char names[ENTRIES][2] = {"a", "b", "c"};
static struct suite_entry entry[ENTRIES] = {
    {.name = names[0]}, {.name = names[1]}, {.name = names[2]}};
static const struct suite three = {ENTRIES, ENTRIES, entry};

static bool read_times(void *run, FILE *in, const char *path, struct error *error)
{
    return suite_read_times(&three, in, path, run, error);
}

static bool write_times(FILE *out, const void *run)
{
    return suite_write_times(&three, run, out);
}

static bool same(const void *one, const void *other)
{
    const struct suite_run *a = one, *b = other;

    for (size_t i = 0; i < ENTRIES; i++)
        if (!(isnan(a[i].time_s) && isnan(b[i].time_s)) && a[i].time_s != b[i].time_s)
            return false;
    return true;
}

static void clear(void *run)
{
    (void)run;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct bytes_format format = {read_times, write_times, same, clear};
    struct suite_run run[ENTRIES] = {{.time_s = 7.0}, {.time_s = 7.0}, {.time_s = 7.0}};
    struct suite_run again[ENTRIES] = {{0}};

    must(bytes_round_trip(&format, run, again, data, size) || run[0].time_s == 7.0);
    return 0;
}
