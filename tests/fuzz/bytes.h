/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What targets do with their bytes.  A header is all of it: a target that libFuzzer runs is linked
 * with the program's sources, and none of the tests'.  */
#ifndef ARENABENCH_TESTS_FUZZ_BYTES_H
#define ARENABENCH_TESTS_FUZZ_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/error.h"
#include "lib/base/memory.h"

/* The property of a target: where it does not hold, that is a finding.  */
static inline void must(bool holds)
{
    if (!holds)
        abort();
}

static inline FILE *bytes_file(const void *data, size_t size)
{
    FILE *in = fmemopen((void *)data, size, "r");

    must(in != NULL);
    return in;
}

/* A copy with a zero byte behind; the caller frees it.  */
static inline char *bytes_text(const void *data, size_t size)
{
    char *text = memory_alloc(size + 1, 1);

    if (size > 0)
        memcpy(text, data, size);
    text[size] = '\0';
    return text;
}

/* Whether the message of a refusal begins with PLACE.  */
static inline bool refused_at(const struct error *error, const char *place)
{
    return strncmp(error->text, place, strlen(place)) == 0;
}

/* What is read from a file and written to one.  */
struct bytes_format {
    bool (*read)(void *into, FILE *in, const char *path, struct error *error);
    bool (*write)(FILE *out, const void *from);
    bool (*same)(const void *one, const void *other);
    void (*clear)(void *one);
};

/* The bytes are refused with a message that names the file, or read into FIRST, and then written
 * and read back into AGAIN as the same.  Whether they are read.  */
static inline bool bytes_round_trip(const struct bytes_format *format, void *first, void *again,
                                    const void *data, size_t size)
{
    struct error error = {""};
    FILE *in = bytes_file(data, size), *out;
    bool good = format->read(first, in, "fuzz.csv", &error);
    char *text = NULL;
    size_t length = 0;

    fclose(in);
    if (!good) {
        must(refused_at(&error, "fuzz.csv:"));
        return false;
    }
    out = open_memstream(&text, &length);
    must(out != NULL && format->write(out, first));
    fclose(out);
    in = bytes_file(text, length);
    must(format->read(again, in, "fuzz.csv", NULL) && format->same(first, again));
    fclose(in);
    free(text);
    format->clear(first);
    format->clear(again);
    return true;
}

#endif
