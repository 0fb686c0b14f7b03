/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A recording as plain rows.  */
#include <config.h>

#include <string.h>

#include "lib/base/csv.h"
#include "lib/base/memory.h"
#include "traces/formats.h"

#define EXPECTED_HEADER "time,event,address,size[,pool][,stream]"

enum column { TIME, EVENT, ADDRESS, SIZE, COLUMNS };

struct reading {
    struct recorder *recorder;
    size_t where[COLUMNS], pool, stream; /* SIZE_MAX: there is no such column */
    int64_t time;                        /* of the row before */
    size_t current;                      /* the pool of the row at hand */
};

/* 0x and hexadecimal digits, or decimal ones.  */
static bool parse_address(const struct csv_cell *cell, uint64_t *address)
{
    const bool hexadecimal =
        cell->length > 2 && cell->text[0] == '0' && (cell->text[1] | 32) == 'x';
    const uint64_t base = hexadecimal ? 16 : 10;

    *address = 0;
    if (cell->length == 0)
        return false;
    for (size_t i = hexadecimal ? 2 : 0; i < cell->length; i++) {
        const char c = cell->text[i];
        const char letter = (char)(c | 32);
        const uint64_t digit = c >= '0' && c <= '9'             ? (uint64_t)(c - '0')
                               : letter >= 'a' && letter <= 'f' ? (uint64_t)(letter - 'a') + 10
                                                                : 16;

        if (digit >= base || __builtin_mul_overflow(*address, base, address) ||
            __builtin_add_overflow(*address, digit, address))
            return false;
    }
    return true;
}

static bool cell_is(const struct csv_cell *cell, const char *word)
{
    return cell->length == strlen(word) && memcmp(cell->text, word, cell->length) == 0;
}

/* The cells of a pool and of a stream as one name; `all` where there are none.  */
static bool find_pool(struct reading *reading, const struct csv *csv, struct error *error)
{
    const struct csv_cell none = {"", 0, 1};
    const struct csv_cell *pool = reading->pool != SIZE_MAX ? &csv->cell[reading->pool] : &none;
    const struct csv_cell *stream =
        reading->stream != SIZE_MAX ? &csv->cell[reading->stream] : &none;
    struct error inner = {""};
    char *name;
    bool found;

    if (pool->length == 0 && stream->length == 0)
        name = memory_strdup("all");
    else
        name =
            memory_printf("%.*s%s%s%.*s", (int)pool->length, pool->text,
                          pool->length > 0 && stream->length > 0 ? " " : "",
                          stream->length > 0 ? "stream " : "", (int)stream->length, stream->text);
    found = recorder_pool(reading->recorder, name, &reading->current, &inner);
    memory_free(name);
    return found || csv_error(csv, pool->column, error, "%s", inner.text);
}

static bool read_size(const struct reading *reading, const struct csv *csv, bool allocates,
                      int64_t *size, struct error *error)
{
    *size = RELEASE_NEEDS_SIZE;
    return (!allocates && csv->cell[reading->where[SIZE]].length == 0) ||
           csv_int(csv, reading->where[SIZE], "size", 0, size, error);
}

static bool read_row(struct csv *csv, void *context, struct error *error)
{
    struct reading *reading = context;
    const struct csv_cell *event = &csv->cell[reading->where[EVENT]];
    const struct csv_cell *cell = &csv->cell[reading->where[ADDRESS]];
    const bool allocates = cell_is(event, "alloc");
    struct error inner = {""};
    uint64_t address;
    int64_t size;

    if (!csv_int(csv, reading->where[TIME], "time", reading->time, &reading->time, error))
        return false;
    if (!allocates && !cell_is(event, "free"))
        return csv_error(csv, event->column, error, "no event '%s'; expected alloc or free",
                         csv_shown(event->text, event->length).text);
    if (!parse_address(cell, &address))
        return csv_error(csv, cell->column, error,
                         "address '%s'; expected a number below 2^64, or 0x and hexadecimal digits",
                         csv_shown(cell->text, cell->length).text);
    if (!read_size(reading, csv, allocates, &size, error) || !find_pool(reading, csv, error))
        return false;
    return (allocates ? recorder_allocate : recorder_release)(reading->recorder, reading->current,
                                                              address, size, &inner) ||
           csv_error(csv, cell->column, error, "%s", inner.text);
}

/* The column NAME among those of the header; SIZE_MAX: there is none.  */
static size_t optional_column(const struct csv *csv, const char *name)
{
    for (size_t i = 0; i < csv->cells; i++)
        if (cell_is(&csv->cell[i], name))
            return i;
    return SIZE_MAX;
}

bool trace_read_csv(struct recorder *recorder, FILE *in, const char *path, struct error *error)
{
    static const char *const names[COLUMNS] = {"time", "event", "address", "size"};
    struct reading reading = {.recorder = recorder, .time = INT64_MIN};
    struct csv csv;
    bool good;

    if (!csv_open(&csv, in, path, error))
        return false;
    good = csv_named_header(&csv, names, COLUMNS, EXPECTED_HEADER, reading.where, error);
    if (good) {
        reading.pool = optional_column(&csv, "pool");
        if (reading.pool == SIZE_MAX)
            reading.pool = optional_column(&csv, "device");
        reading.stream = optional_column(&csv, "stream");
        good = csv_rows(&csv, read_row, &reading, error);
    }
    csv_close(&csv);
    return good;
}
