/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "lib/base/file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/memory.h"

#define FIRST_READ 65536

static bool read_stream(FILE *in, const char *path, size_t limit, char **text, size_t *length,
                        struct error *error)
{
    size_t capacity = 0, used = 0, got;
    char *block = NULL;

    do {
        block = memory_grow(block, &capacity, used + FIRST_READ + 1, 1);
        got = fread(block + used, 1, capacity - used - 1, in);
        used += got;
    } while (got > 0 && used <= limit);
    if (ferror(in) != 0)
        error_set(error, "%s: cannot read: %s", path, strerror(errno));
    else if (used > limit)
        error_set(error, "%s: more than %zu bytes", path, limit);
    if (ferror(in) != 0 || used > limit) {
        free(block);
        return false;
    }
    block[used] = '\0';
    *text = memory_resize(block, used + 1, 1);
    *length = used;
    return true;
}

bool file_read(const char *path, size_t limit, char **text, size_t *length, struct error *error)
{
    FILE *in = strcmp(path, "-") == 0 ? stdin : fopen(path, "rb");
    bool good;

    if (in == NULL)
        return error_set(error, "%s: cannot open: %s", path, strerror(errno));
    good = read_stream(in, path, limit, text, length, error);
    if (in != stdin)
        fclose(in);
    return good;
}

bool file_flush(FILE *out)
{
    bool failed = ferror(out) != 0;

    if (fflush(out) != 0)
        return false;
    if (!failed)
        return true;
    /* A stream remembers that something failed, not why: another byte fails for the same
     * reason.  Where it does not, the output is broken all the same.  */
    if (write(fileno(out), "\n", 1) == 1)
        errno = EIO;
    return false;
}
