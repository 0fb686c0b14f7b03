/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any bytes as a table of known optima: refused with a message that names the file, or
 * accepted, and then written and read back to the same table.  */
#include <config.h>

#include "tests/fuzz/fuzz.h"

#include "harness/store/optima.h"
#include "tests/fuzz/bytes.h"

static bool read_optima(void *optima, FILE *in, const char *path, struct error *error)
{
    return optima_read(optima, in, path, error);
}

static bool write_optima(FILE *out, const void *optima)
{
    return optima_write(out, optima);
}

static bool same(const void *one, const void *other)
{
    const struct optima *a = one, *b = other;

    for (size_t i = 0; a->count == b->count && i < a->count; i++)
        if (a->row[i].checksum != b->row[i].checksum || a->row[i].lower != b->row[i].lower ||
            a->row[i].upper != b->row[i].upper)
            return false;
    return a->count == b->count;
}

static void clear(void *optima)
{
    optima_clear(optima);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct bytes_format format = {read_optima, write_optima, same, clear};
    struct optima optima, again;

    bytes_round_trip(&format, &optima, &again, data, size);
    return 0;
}
