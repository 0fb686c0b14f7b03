/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "lib/problem/clocks_csv.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/checked.h"
#include "lib/base/csv.h"
#include "lib/base/memory.h"
#include "lib/base/sort.h"
#include "lib/problem/conflicts.h"
#include "lib/problem/instance.h"

#define EXPECTED_HEADER "id,lower,upper,size"

/* More streams than any device has.  */
enum { MOST_NUMBERS = 4096 };

/* A time of a buffer: the clock's numbers, and where among all times it stands.  */
struct moment {
    const int64_t *clock;
    size_t numbers, index;
};

enum column { ID, LOWER, UPPER, SIZE, COLUMNS };

struct reading {
    struct csv csv;
    size_t where[COLUMNS], alignments; /* columns; SIZE_MAX: there is none */
    size_t numbers;                    /* of each clock; 0: nobody has said yet */
    int64_t *clock;                    /* of buffer b: at 2 b numbers its lower, then its upper */
    size_t count, room;
    int64_t *size, *alignment;
    char **id;
    size_t buffers, sizes_room, alignments_room, ids_room;
};

/* --- rows --- */

/* The next number of TEXT, which goes on behind it; false: it is none.  */
static bool next_number(const char **text, int64_t *number)
{
    char *end;

    errno = 0;
    *number = strtoll(*text, &end, 10);
    if (end == *text || errno != 0 || (*end != ':' && *end != '\0'))
        return false;
    *text = *end == ':' ? end + 1 : end;
    return *end == '\0' || **text != '\0';
}

static bool read_clock(struct reading *reading, enum column column, struct error *error)
{
    struct csv *csv = &reading->csv;
    const struct csv_cell *cell = &csv->cell[reading->where[column]];
    const char *text = csv_text(csv, reading->where[column]);
    size_t count = 0;
    int64_t number;

    do {
        if (count == MOST_NUMBERS || !next_number(&text, &number))
            return csv_error(csv, cell->column, error,
                             "no clock '%s'; expected whole numbers with colons between, as 3:0:7",
                             csv_shown(cell->text, cell->length).text);
        reading->clock =
            memory_grow(reading->clock, &reading->room, reading->count + 1, sizeof *reading->clock);
        reading->clock[reading->count++] = number;
        count++;
    } while (*text != '\0');
    if (reading->numbers == 0)
        reading->numbers = count;
    return count == reading->numbers ||
           csv_error(csv, cell->column, error, "a clock of %zu numbers; expected %zu, as before",
                     count, reading->numbers);
}

/* Whether A is before B, or as it.  */
static bool before(const struct reading *reading, const int64_t *a, const int64_t *b)
{
    for (size_t i = 0; i < reading->numbers; i++)
        if (a[i] > b[i])
            return false;
    return true;
}

static const int64_t *clock_of(const struct reading *reading, size_t b, bool upper)
{
    return reading->clock + (2 * b + upper) * reading->numbers;
}

static bool read_row(struct csv *csv, void *context, struct error *error)
{
    struct reading *reading = context;
    const size_t *where = reading->where;
    const size_t b = reading->buffers;
    int64_t size, alignment = 1;

    if (!read_clock(reading, LOWER, error) || !read_clock(reading, UPPER, error) ||
        !csv_int(csv, where[SIZE], "size", 1, &size, error) ||
        (reading->alignments != SIZE_MAX &&
         !csv_int(csv, reading->alignments, "alignment", 1, &alignment, error)))
        return false;
    if (!before(reading, clock_of(reading, b, false), clock_of(reading, b, true)) ||
        before(reading, clock_of(reading, b, true), clock_of(reading, b, false)))
        return csv_error(csv, csv->cell[where[UPPER]].column, error,
                         "the upper clock is not behind the lower one");
    reading->size = memory_grow(reading->size, &reading->sizes_room, b + 1, sizeof *reading->size);
    reading->alignment = memory_grow(reading->alignment, &reading->alignments_room, b + 1,
                                     sizeof *reading->alignment);
    reading->id = memory_grow(reading->id, &reading->ids_room, b + 1, sizeof *reading->id);
    reading->size[b] = size;
    reading->alignment[b] = alignment;
    reading->id[b] = memory_strdup(csv_text(csv, where[ID]));
    reading->buffers++;
    return true;
}

/* --- the instance --- */

static int compare_moments(const void *a, const void *b)
{
    const struct moment *x = a, *y = b;

    for (size_t i = 0; i < x->numbers; i++)
        if (x->clock[i] != y->clock[i])
            return ORDER(x->clock[i], y->clock[i]);
    return 0;
}

/* TIME[2 b] and TIME[2 b + 1]: those of buffer b, by the order of the clocks.  */
static int64_t *number_times(const struct reading *reading)
{
    const size_t count = 2 * reading->buffers;
    struct moment *moment = memory_alloc(count, sizeof *moment);
    int64_t *time = memory_alloc(count, sizeof *time), now = 0;

    for (size_t i = 0; i < count; i++)
        moment[i] = (struct moment){reading->clock + i * reading->numbers, reading->numbers, i};
    sort_stable(moment, count, sizeof *moment, compare_moments);
    for (size_t i = 0; i < count; i++) {
        now += i > 0 && compare_moments(&moment[i - 1], &moment[i]) != 0;
        time[moment[i].index] = now;
    }
    memory_free(moment);
    return time;
}

static struct conflict_pair *find_pairs(const struct reading *reading, const int64_t *time,
                                        size_t *pairs)
{
    struct conflict_pair *pair = NULL;
    size_t room = 0;

    *pairs = 0;
    for (size_t b = 0; b < reading->buffers; b++)
        for (size_t a = 0; a < reading->buffers; a++) {
            if (time[2 * a + 1] > time[2 * b] ||
                before(reading, clock_of(reading, a, true), clock_of(reading, b, false)))
                continue;
            pair = memory_grow(pair, &room, *pairs + 1, sizeof *pair);
            pair[(*pairs)++] = (struct conflict_pair){CONFLICT_APART, a, b};
        }
    return pair;
}

static struct instance *make_instance(const struct reading *reading, struct error *error)
{
    struct instance *plain = instance_new(reading->csv.path), *instance = NULL;
    int64_t *time = number_times(reading);
    size_t *buffer_of = memory_alloc(reading->buffers, sizeof *buffer_of), pairs;
    struct conflict_pair *pair = find_pairs(reading, time, &pairs);

    for (size_t b = 0; b < reading->buffers; b++)
        instance_add(plain, reading->id[b], time[2 * b], time[2 * b + 1], reading->size[b],
                     reading->alignment[b]);
    if (instance_seal(plain, NULL, error))
        instance = conflicts_apply(plain, pair, pairs, buffer_of, error);
    if (instance == NULL)
        error_prefix(error, "%s", reading->csv.path);
    instance_free(plain);
    memory_free(pair);
    memory_free(time);
    memory_free(buffer_of);
    return instance;
}

/* --- the file --- */

/* Where OmniMalloc's pool lies, which changes nothing, may stand in a line before the header.  */
static void skip_pool(struct csv *csv)
{
    static const char mark[] = "# pool_offset=";
    const char *text = csv->text + csv->start, *end;

    if (csv->length - csv->start < strlen(mark) || memcmp(text, mark, strlen(mark)) != 0)
        return;
    end = memchr(text, '\n', csv->length - csv->start);
    if (end == NULL)
        return;
    csv->start = csv->at = (size_t)(end + 1 - csv->text);
    csv->line = 1;
}

/* Finds the alignments.  Of other columns there are those that OmniMalloc writes, too.  */
static bool check_columns(struct reading *reading, struct error *error)
{
    static const char *const known[] = {"id",        "lower",  "upper", "size",
                                        "alignment", "offset", "kind"};
    enum { KNOWN = sizeof known / sizeof known[0] };
    struct csv *csv = &reading->csv;

    reading->alignments = SIZE_MAX;
    for (size_t c = 0; c < csv->cells; c++) {
        const char *name = csv_text(csv, c);
        size_t i = 0;

        while (i < KNOWN && strcmp(known[i], name) != 0)
            i++;
        if (i == KNOWN)
            return csv_error(csv, csv->cell[c].column, error,
                             "unknown column '%s'; expected a header such as " EXPECTED_HEADER,
                             csv_shown(csv->cell[c].text, csv->cell[c].length).text);
        if (i == 4 && reading->alignments != SIZE_MAX)
            return csv_error(csv, csv->cell[c].column, error, "the column alignment stands twice");
        if (i == 4)
            reading->alignments = c;
    }
    return true;
}

struct instance *clocks_csv_read(FILE *in, const char *path, struct error *error)
{
    static const char *const names[COLUMNS] = {"id", "lower", "upper", "size"};
    struct reading reading = {.numbers = 0};
    struct instance *instance = NULL;

    if (!csv_open(&reading.csv, in, path, error))
        return NULL;
    skip_pool(&reading.csv);
    if (csv_named_header(&reading.csv, names, COLUMNS, EXPECTED_HEADER, reading.where, error) &&
        check_columns(&reading, error) && csv_rows(&reading.csv, read_row, &reading, error))
        instance = make_instance(&reading, error);
    for (size_t b = 0; b < reading.buffers; b++)
        memory_free(reading.id[b]);
    memory_free(reading.id);
    memory_free(reading.size);
    memory_free(reading.alignment);
    memory_free(reading.clock);
    csv_close(&reading.csv);
    return instance;
}
