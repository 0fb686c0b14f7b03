/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any bytes as a table of the suite: refused with a message that names the file, or
 * accepted, and then written and read back to the same table.  */
#include <config.h>

#include "tests/fuzz/fuzz.h"

#include "harness/suite/suite.h"
#include "tests/fuzz/bytes.h"

static bool read_suite(void *suite, FILE *in, const char *path, struct error *error)
{
    return suite_read(suite, in, path, error);
}

static bool write_suite(FILE *out, const void *suite)
{
    return suite_write(out, suite);
}

static bool same(const void *one, const void *other)
{
    const struct suite *a = one, *b = other;

    for (size_t i = 0; a->count == b->count && i < a->count; i++)
        if (a->entry[i].checksum != b->entry[i].checksum ||
            a->entry[i].lower != b->entry[i].lower || a->entry[i].upper != b->entry[i].upper)
            return false;
    return a->count == b->count;
}

static void clear(void *suite)
{
    suite_clear(suite);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct bytes_format format = {read_suite, write_suite, same, clear};
    struct suite suite, again;

    bytes_round_trip(&format, &suite, &again, data, size);
    return 0;
}
