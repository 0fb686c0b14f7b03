/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "lib/problem/plan_csv.h"

#include <inttypes.h>
#include <string.h>

#include "lib/base/checked.h"
#include "lib/base/csv.h"
#include "lib/base/file.h"
#include "lib/problem/buffer_ids.h"
#include "lib/problem/instance.h"
#include "lib/problem/plan.h"

#define EXPECTED_HEADER "id,lower,upper,size,offset"

struct reading {
    struct csv csv;
    struct csv_header header;
    const struct instance *instance;
    struct buffer_ids ids;
};

static struct empty_buffer entry_at(const struct instance *instance, size_t index, int64_t *size)
{
    const struct buffer *buffer;

    *size = 0;
    if (index >= instance->n)
        return instance->empty[index - instance->n];
    buffer = &instance->buffer[index];
    *size = buffer->size;
    return (struct empty_buffer){buffer->id, buffer->begin, buffer->end};
}

static bool disagrees(const struct csv *csv, size_t cell, const char *id, const char *what,
                      int64_t got, int64_t want, struct error *error)
{
    struct csv_shown shown = csv_shown(id, strlen(id));

    return csv_error(csv, csv->cell[cell].column, error,
                     "not a plan of this instance: the %s of '%s' is %" PRId64 "; expected %" PRId64
                     " as in the instance",
                     what, shown.text, got, want);
}

/* Lifetime and size, where the plan gives them.  */
static bool check_agreement(const struct reading *reading, size_t index, struct error *error)
{
    const struct csv *csv = &reading->csv;
    const size_t *where = reading->header.where;
    int64_t size, got;
    struct empty_buffer entry = entry_at(reading->instance, index, &size);

    if (where[CSV_LOWER] != SIZE_MAX) {
        if (!csv_int(csv, where[CSV_LOWER], "lower", INT64_MIN, &got, error))
            return false;
        if (got != entry.begin)
            return disagrees(csv, where[CSV_LOWER], entry.id, "begin", got, entry.begin, error);
    }
    if (where[CSV_UPPER] != SIZE_MAX) {
        if (!csv_upper(csv, &reading->header, entry.begin, &got, error))
            return false;
        if (got != entry.end)
            return disagrees(csv, where[CSV_UPPER], entry.id, "half-open end", got, entry.end,
                             error);
    }
    if (where[CSV_SIZE] != SIZE_MAX) {
        if (!csv_int(csv, where[CSV_SIZE], "size", 0, &got, error))
            return false;
        if (got != size)
            return disagrees(csv, where[CSV_SIZE], entry.id, "size", got, size, error);
    }
    return true;
}

static bool read_row(struct reading *reading, struct plan *plan, struct error *error)
{
    struct csv *csv = &reading->csv;
    size_t cell = reading->header.where[CSV_OFFSET], index;
    int64_t offset, top;

    if (!buffer_ids_read(&reading->ids, csv, reading->header.where[CSV_ID], "plan", &index, error))
        return false;
    if (!check_agreement(reading, index, error) ||
        !csv_int(csv, cell, "offset", INT64_MIN, &offset, error))
        return false;
    if (index >= plan->n)
        return true; /* where an empty buffer lies means nothing */
    if (!checked_add(offset, reading->instance->buffer[index].size, &top))
        return csv_error(csv, csv->cell[cell].column, error,
                         "offset %" PRId64 " plus the size overflows; expected a number that "
                         "leaves room for %" PRId64 " bytes",
                         offset, reading->instance->buffer[index].size);
    plan->offset[index] = offset;
    return true;
}

static bool read_plan(struct reading *reading, struct plan *plan, struct error *error)
{
    static const enum csv_field required[] = {CSV_ID, CSV_OFFSET};
    enum csv_step step;

    if (!csv_header(&reading->csv, &reading->header, required, sizeof required / sizeof required[0],
                    EXPECTED_HEADER, error))
        return false;
    while ((step = csv_next(&reading->csv, error)) == CSV_ROW)
        if (!read_row(reading, plan, error))
            return false;
    return step == CSV_END && buffer_ids_complete(&reading->ids, &reading->csv, "plan", error);
}

struct plan *plan_csv_read(FILE *in, const char *path, const struct instance *instance,
                           struct error *error)
{
    struct reading reading = {.instance = instance};
    struct plan *plan;
    bool good;

    if (!csv_open(&reading.csv, in, path, error))
        return NULL;
    plan = plan_new(instance);
    buffer_ids_init(&reading.ids, instance);
    good = read_plan(&reading, plan, error);
    buffer_ids_clear(&reading.ids);
    csv_close(&reading.csv);
    if (!good) {
        plan_free(plan);
        return NULL;
    }
    plan->peak = plan_peak(instance, plan);
    return plan;
}

bool plan_csv_write(FILE *out, const struct instance *instance, const struct plan *plan)
{
    fputs(EXPECTED_HEADER "\n", out);
    for (size_t b = 0; b < instance->n; b++) {
        const struct buffer *buffer = &instance->buffer[b];

        fprintf(out, "%s,%" PRId64 ",%" PRId64 ",%" PRId64 ",%" PRId64 "\n", buffer->id,
                buffer->begin, buffer->end, buffer->size, plan->offset[b]);
    }
    for (size_t i = 0; i < instance->n_empty; i++)
        fprintf(out, "%s,%" PRId64 ",%" PRId64 ",0,0\n", instance->empty[i].id,
                instance->empty[i].begin, instance->empty[i].end);
    return file_flush(out);
}
