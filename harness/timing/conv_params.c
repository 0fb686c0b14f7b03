/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "harness/timing/conv_params.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/memory.h"
#include "lib/base/params.h"

/* A number of vectors up to this many is understood.  */
enum { MOST_VECTORS = 1 << 20 };

char *conv_params_in_vectors(const char *text, int vector)
{
    char *copy = memory_strdup(text), *rest = NULL, *result = NULL;
    size_t length;
    FILE *out = memory_stream(&result, &length);

    for (char *item = strtok_r(copy, ",", &rest); item != NULL; item = strtok_r(NULL, ",", &rest)) {
        char *value = strchr(item, '='), *last = item + strlen(item) - 1;
        int64_t number;

        if (item != copy)
            putc(',', out);
        if (value == NULL || last <= value || *last != 'v') {
            fputs(item, out);
            continue;
        }
        *last = '\0';
        if (parse_int(value + 1, 1, MOST_VECTORS, &number))
            fprintf(out, "%.*s=%" PRId64, (int)(value - item), item, number * vector);
        else
            fprintf(out, "%sv", item);
    }
    memory_stream_close(out);
    free(copy);
    return result;
}

char *conv_params_of(const struct conv_choice *c)
{
    if (c->order == NULL || c->hfil == NULL || c->wf == NULL)
        return memory_strdup("");
    if (c->preset != NULL) {
        char *text = memory_printf("preset=%s,co=%" PRId64 ",wo=%" PRId64 ",cco=%" PRId64,
                                   c->preset, c->co, c->wo, c->cco);

        return c->llc > 0 ? memory_append(text, ",llc=%" PRId64, c->llc) : text;
    }
    return memory_printf("co=%" PRId64 ",wo=%" PRId64 ",ci=%" PRId64 ",wf=%s,hfil=%s,rows=%" PRId64
                         ",cco=%" PRId64 ",order=%s,cci=%" PRId64,
                         c->co, c->wo, c->ci, c->wf, c->hfil, c->rows, c->cco, c->order, c->cci);
}
