/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "harness/io/plan_json.h"

#include <inttypes.h>

#include "harness/io/table.h"
#include "lib/problem/instance.h"
#include "lib/problem/plan.h"

struct row {
    const char *id;
    int64_t lower, upper, size, offset;
};

static void write_row(FILE *out, struct row row, bool first)
{
    fputs(first ? "\n{\"id\": " : ",\n{\"id\": ", out);
    json_write_text(out, row.id);
    fprintf(out,
            ", \"lower\": %" PRId64 ", \"upper\": %" PRId64 ", \"size\": %" PRId64
            ", \"offset\": %" PRId64 "}",
            row.lower, row.upper, row.size, row.offset);
}

void plan_json_write(FILE *out, const struct instance *instance, const struct plan *plan)
{
    fputc('[', out);
    for (size_t b = 0; b < instance->n; b++) {
        const struct buffer *buffer = &instance->buffer[b];

        write_row(
            out,
            (struct row){buffer->id, buffer->begin, buffer->end, buffer->size, plan->offset[b]},
            b == 0);
    }
    for (size_t i = 0; i < instance->n_empty; i++)
        write_row(out,
                  (struct row){instance->empty[i].id, instance->empty[i].begin,
                               instance->empty[i].end, 0, 0},
                  instance->n == 0 && i == 0);
    fputs("\n]\n", out);
}
