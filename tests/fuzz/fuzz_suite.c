/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any bytes as a table of the suite: refused with a message that names the file, or
 * accepted, and then written and read back to the same table.  */
#include <config.h>

#include "tests/fuzz/fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/suite/suite.h"

static bool read_bytes(const void *data, size_t size, struct suite *suite, struct error *error)
{
    FILE *in = fmemopen((void *)data, size, "r");
    bool good;

    if (in == NULL)
        abort();
    good = suite_read(suite, in, "fuzz.csv", error);
    fclose(in);
    return good;
}

static void check_round_trip(const struct suite *suite)
{
    struct suite again;
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);

    if (out == NULL || !suite_write(out, suite))
        abort();
    fclose(out);
    if (!read_bytes(text, length, &again, NULL) || again.count != suite->count)
        abort();
    for (size_t i = 0; i < again.count; i++)
        if (again.entry[i].checksum != suite->entry[i].checksum ||
            again.entry[i].lower != suite->entry[i].lower ||
            again.entry[i].upper != suite->entry[i].upper)
            abort();
    suite_clear(&again);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct error error = {""};
    struct suite suite;

    if (read_bytes(data, size, &suite, &error)) {
        check_round_trip(&suite);
        suite_clear(&suite);
    } else if (strncmp(error.text, "fuzz.csv:", 9) != 0) {
        abort();
    }
    return 0;
}
