/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "tests/support/source_table.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/memory.h"
#include "tests/support/tap.h"

char *source_path(const char *name)
{
    const char *top = getenv("top_srcdir");

    return memory_printf("%s/%s", top != NULL ? top : ".", name);
}

void source_table_read(const char *name, const char *const *names, size_t count,
                       csv_row_reader *read, void *context)
{
    char *path = source_path(name);
    FILE *in = fopen(path, "r");
    struct error error = {""};
    bool done;

    if (in == NULL) {
        tap_diag("%s: %s", path, strerror(errno));
        abort();
    }
    done = csv_read_all(in, path, names, count, read, context, &error);
    ok(done, "the table is well-formed %s", error.text);
    fclose(in);
    free(path);
}
