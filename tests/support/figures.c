/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "tests/support/figures.h"

#include <inttypes.h>
#include <stdlib.h>

#include "lib/base/checked.h"
#include "lib/base/memory.h"
#include "lib/problem/instance.h"
#include "tests/support/instances.h"
#include "tests/support/tap.h"

struct figures figures_of(const struct instance *instance)
{
    struct figures figures = {.count = (int64_t)instance->n};

    for (size_t i = 0; i < instance->n; i++) {
        const struct buffer *buffer = &instance->buffer[i];
        int64_t load = 0, width = 0;

        figures.sum += buffer->size;
        figures.largest = max64(figures.largest, buffer->size);
        /* The load is reached at a step at which some buffer begins.  */
        for (size_t j = 0; j < instance->n; j++)
            if (instance->buffer[j].begin <= buffer->begin &&
                buffer->begin < instance->buffer[j].end) {
                load += instance->buffer[j].size;
                width++;
            }
        figures.load = max64(figures.load, load);
        figures.width = max64(figures.width, width);
    }
    return figures;
}

bool figures_match(const char *what, const struct instance *instance, const struct error *error,
                   const struct figures *want)
{
    struct figures got = {0};
    bool same;

    if (instance != NULL)
        got = figures_of(instance);
    same = instance != NULL && got.count == want->count && got.sum == want->sum &&
           got.load == want->load && got.largest == want->largest && got.width == want->width;
    if (!ok(same, "figures of %s", what))
        tap_diag("%s got %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64, error->text,
                 got.count, got.sum, got.load, got.largest, got.width);
    return same;
}

bool figures_are(const char *spec, const struct figures *want)
{
    struct error error = {""};
    struct instance *instance = instance_from(spec, &error);
    bool same = figures_match(spec, instance, &error, want);

    instance_free(instance);
    return same;
}

void figures_of_files(const char *folder, const struct file_figures *row, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        char *file = memory_printf("%s/%s", folder, row[i].file);
        char *off = memory_printf("data:%s:alias=off", file);
        char *on = memory_printf("data:%s:alias=on", file);

        if (!tap_skip_without(2, file)) {
            figures_are(off, &row[i].off);
            figures_are(on, &row[i].on);
        }
        free(file);
        free(off);
        free(on);
    }
}
