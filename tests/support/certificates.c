/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "tests/support/certificates.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/checksum.h"
#include "lib/base/memory.h"
#include "lib/base/rng.h"
#include "planner/disjunctive/pairs_certify.h"

/* All that has been written to FILE, which is closed.  */
static char *text_in(FILE *file)
{
    long length = ftell(file);
    char *text = memory_alloc((size_t)length + 1, 1);

    rewind(file);
    if (fread(text, 1, (size_t)length, file) != (size_t)length)
        abort();
    text[length] = '\0';
    fclose(file);
    return text;
}

char *certificate_text(const struct instance *instance, int64_t peak, struct error *error)
{
    FILE *out = tmpfile();

    if (out == NULL)
        abort();
    if (pairs_certify(instance, peak, INFINITY, out, error))
        return text_in(out);
    fclose(out);
    return NULL;
}

char *certificate_summed(const char *text)
{
    const char *end = strstr(text, "\nend ");
    size_t length = end == NULL ? strlen(text) : (size_t)(end + 1 - text);

    return memory_printf("%.*send %016" PRIx64 "\n", (int)length, text,
                         checksum_bytes(CHECKSUM_START, text, length));
}

char *certificate_tampered(const char *text, struct rng *rng)
{
    size_t length = strlen(text);
    char *copy = memory_alloc(length + 2, 1);
    size_t at = (size_t)rng_range(rng, 0, (int64_t)length - 1);

    memcpy(copy, text, length + 1);
    if (rng_range(rng, 0, 2) == 0) { /* a line goes */
        char *begin = copy + at, *end;

        while (begin > copy && begin[-1] != '\n')
            begin--;
        end = strchr(begin, '\n');
        if (end != NULL)
            memmove(begin, end + 1, strlen(end + 1) + 1);
        return copy;
    }
    for (size_t tries = 0; tries < length && (copy[at] < '0' || copy[at] > '9'); tries++)
        at = (at + 1) % length;
    copy[at] = (char)('0' + rng_range(rng, 0, 9));
    return copy;
}
