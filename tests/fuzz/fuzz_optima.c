/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any bytes as a table of known optima: refused with a message that names the file, or
 * accepted, and then written and read back to the same table.  */
#include <config.h>

#include "tests/fuzz/fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/store/optima.h"

static bool read_bytes(const void *data, size_t size, struct optima *optima, struct error *error)
{
    FILE *in = fmemopen((void *)data, size, "r");
    bool good;

    if (in == NULL)
        abort();
    good = optima_read(optima, in, "fuzz.csv", error);
    fclose(in);
    return good;
}

static void check_round_trip(const struct optima *optima)
{
    struct optima again;
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);

    if (out == NULL || !optima_write(out, optima))
        abort();
    fclose(out);
    if (!read_bytes(text, length, &again, NULL) || again.count != optima->count)
        abort();
    for (size_t i = 0; i < again.count; i++)
        if (again.row[i].checksum != optima->row[i].checksum ||
            again.row[i].lower != optima->row[i].lower ||
            again.row[i].upper != optima->row[i].upper)
            abort();
    optima_clear(&again);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct error error = {""};
    struct optima optima;

    if (read_bytes(data, size, &optima, &error)) {
        check_round_trip(&optima);
        optima_clear(&optima);
    } else if (strncmp(error.text, "fuzz.csv:", 9) != 0) {
        abort();
    }
    return 0;
}
