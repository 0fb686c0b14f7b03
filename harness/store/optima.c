/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "harness/store/optima.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "harness/io/options.h"
#include "harness/io/output.h"
#include "harness/store/rows.h"
#include "harness/store/store.h"
#include "lib/base/checked.h"
#include "lib/base/csv.h"
#include "lib/base/memory.h"

enum { CHECKSUM, NAME, LOWER, UPPER, LOWER_BY, UPPER_BY, COLUMNS };

static const char *const columns[COLUMNS] = {"checksum", "name",     "lower",
                                             "upper",    "lower_by", "upper_by"};

static void clear_row(struct optimum *row)
{
    free(row->name);
    free(row->lower_by);
    free(row->upper_by);
}

void optima_clear(struct optima *optima)
{
    for (size_t i = 0; i < optima->count; i++)
        clear_row(&optima->row[i]);
    free(optima->row);
}

static int by_checksum(const void *a, const void *b)
{
    const struct optimum *x = a, *y = b;

    return ORDER(x->checksum, y->checksum);
}

const struct optimum *optima_find(const struct optima *optima, uint64_t checksum)
{
    const struct optimum key = {.checksum = checksum};

    if (optima->count == 0)
        return NULL;
    return bsearch(&key, optima->row, optima->count, sizeof key, by_checksum);
}

/* --- reading --- */

/* Sixteen small hexadecimal digits.  */
static bool parse_checksum(const char *text, uint64_t *checksum)
{
    *checksum = 0;
    for (size_t i = 0; i < 16; i++) {
        const char *digits = "0123456789abcdef", *found = strchr(digits, text[i]);

        if (text[i] == '\0' || found == NULL)
            return false;
        *checksum = *checksum << 4 | (uint64_t)(found - digits);
    }
    return text[16] == '\0';
}

/* All but the texts.  */
static bool read_numbers(struct csv *csv, struct optimum *row, struct error *error)
{
    const struct csv_cell *cell = &csv->cell[CHECKSUM];

    if (!parse_checksum(csv_text(csv, CHECKSUM), &row->checksum))
        return csv_error(csv, cell->column, error, "checksum '%s'; expected 16 digits 0-9, a-f",
                         csv_shown(cell->text, cell->length).text);
    if (!csv_int(csv, LOWER, "lower", 0, &row->lower, error) ||
        !csv_int(csv, UPPER, "upper", 0, &row->upper, error))
        return false;
    if (row->lower > row->upper)
        return csv_error(csv, csv->cell[UPPER].column, error,
                         "upper %" PRId64 " is below lower; expected %" PRId64 " or more",
                         row->upper, row->lower);
    for (size_t c = LOWER_BY; c <= UPPER_BY; c++)
        if (csv->cell[c].length == 0)
            return csv_error(csv, csv->cell[c].column, error, "%s is empty; expected who proved it",
                             columns[c]);
    return true;
}

static bool read_row(struct csv *csv, void *context, struct error *error)
{
    struct optima *optima = context;
    struct optimum row = {0};

    if (!read_numbers(csv, &row, error))
        return false;
    optima->row =
        memory_grow(optima->row, &optima->capacity, optima->count + 1, sizeof *optima->row);
    row.name = memory_strdup(csv_text(csv, NAME));
    row.lower_by = memory_strdup(csv_text(csv, LOWER_BY));
    row.upper_by = memory_strdup(csv_text(csv, UPPER_BY));
    optima->row[optima->count++] = row;
    return true;
}

static bool are_unique(struct optima *optima, const char *path, struct error *error)
{
    if (optima->count > 0)
        qsort(optima->row, optima->count, sizeof *optima->row, by_checksum);
    for (size_t i = 1; i < optima->count; i++)
        if (optima->row[i - 1].checksum == optima->row[i].checksum)
            return error_set(error, "%s: the checksum %016" PRIx64 " stands twice; expected once",
                             path, optima->row[i].checksum);
    return true;
}

bool optima_read(struct optima *optima, FILE *in, const char *path, struct error *error)
{
    *optima = (struct optima){0};
    if (csv_read_all(in, path, columns, COLUMNS, read_row, optima, error) &&
        are_unique(optima, path, error))
        return true;
    optima_clear(optima);
    return false;
}

/* --- writing --- */

static int by_name(const void *a, const void *b)
{
    const struct optimum *const *x = a, *const *y = b;

    return strcmp((*x)->name, (*y)->name) ?: by_checksum(*x, *y);
}

/* Cells have no quotes: commas become ';', what is no printable ASCII '_'.  */
static void write_text(FILE *out, const char *text)
{
    for (; *text != '\0'; text++)
        putc(*text == ',' ? ';' : *text < ' ' || *text > '~' ? '_' : *text, out);
}

bool optima_write(FILE *out, const struct optima *optima)
{
    const struct optimum **order = memory_alloc(optima->count, sizeof *order);

    for (size_t i = 0; i < optima->count; i++)
        order[i] = &optima->row[i];
    if (optima->count > 0)
        qsort(order, optima->count, sizeof *order, by_name);
    for (size_t c = 0; c < COLUMNS; c++)
        fprintf(out, "%s%c", columns[c], c + 1 < COLUMNS ? ',' : '\n');
    for (size_t i = 0; i < optima->count; i++) {
        fprintf(out, "%016" PRIx64 ",", order[i]->checksum);
        write_text(out, order[i]->name);
        fprintf(out, ",%" PRId64 ",%" PRId64 ",", order[i]->lower, order[i]->upper);
        write_text(out, order[i]->lower_by);
        putc(',', out);
        write_text(out, order[i]->upper_by);
        putc('\n', out);
    }
    free(order);
    return ferror(out) == 0;
}

/* --- files --- */

bool optima_open(struct optima *optima, const char *path, bool absent, struct error *error)
{
    FILE *in = fopen(path, "r");
    bool done;

    *optima = (struct optima){0};
    if (in == NULL)
        return (absent && errno == ENOENT) || error_set(error, "%s: %s", path, strerror(errno));
    done = optima_read(optima, in, path, error);
    fclose(in);
    return done;
}

bool optima_save(const struct optima *optima, const char *path, struct error *error)
{
    struct output output;

    if (!output_open(&output, path, error))
        return false;
    optima_write(output.file, optima); /* closing sees what went wrong */
    return output_close(&output, true, error);
}

/* --- merging --- */

static void replace(char **text, const char *by)
{
    free(*text);
    *text = memory_strdup(by);
}

static void insert(struct optima *optima, const struct optimum *new)
{
    size_t at = optima->count;

    optima->row =
        memory_grow(optima->row, &optima->capacity, optima->count + 1, sizeof *optima->row);
    for (; at > 0 && optima->row[at - 1].checksum > new->checksum; at--)
        optima->row[at] = optima->row[at - 1];
    optima->row[at] = *new;
    optima->row[at].name = memory_strdup(new->name);
    optima->row[at].lower_by = memory_strdup(new->lower_by);
    optima->row[at].upper_by = memory_strdup(new->upper_by);
    optima->count++;
}

bool optima_merge(struct optima *optima, const struct optimum *new, struct error *error)
{
    const struct optimum *found = optima_find(optima, new->checksum);
    struct optimum *row = found != NULL ? &optima->row[found - optima->row] : NULL;
    int64_t lower = row != NULL ? max64(row->lower, new->lower) : new->lower;
    int64_t upper = row != NULL ? min64(row->upper, new->upper) : new->upper;

    if (lower > upper)
        return error_set(error,
                         "%s (%016" PRIx64 "): a lower bound of %" PRId64
                         " contradicts a verified peak of %" PRId64,
                         new->name, new->checksum, lower, upper);
    if (row == NULL) {
        insert(optima, new);
        return true;
    }
    if (lower > row->lower)
        replace(&row->lower_by, new->lower_by);
    if (upper < row->upper)
        replace(&row->upper_by, new->upper_by);
    row->lower = lower;
    row->upper = upper;
    return true;
}

/* An instance's best bounds with the first by name who proved each.  The load is the bound
 * of all; without a plan there is no bracket.  TRIED: an exact solver looked at it.  */
static const char store_sql[] =
    "select w.checksum, min(case when w.kind = 'file' then '' else w.label end),"
    "       i.proven, i.best_peak,"
    "       case when i.proven = i.load then 'load' else min(case when r.lower_bound = i.proven"
    "            and r.outcome <> 'invalid' and instr(w.params, 'align=native') = 0"
    "            then r.contestant end) end,"
    "       min(case when r.usable and r.peak = i.best_peak then r.contestant end),"
    "       max(c.kind = 'exact')"
    "  from run r join workload w on w.id = r.workload join instance i on i.checksum = r.checksum"
    "  join contestant c on c.contestant = r.contestant"
    " where i.best_peak is not null"
    " group by w.checksum order by w.checksum";
enum { TRIED = COLUMNS };

static bool merge_row(struct optima *optima, const struct rows *rows, size_t i, struct error *error)
{
    struct optimum new = {
        .name = memory_strdup(rows_text(rows, i, NAME)),
        .lower = strtoll(rows_text(rows, i, LOWER), NULL, 10),
        .upper = strtoll(rows_text(rows, i, UPPER), NULL, 10),
        .lower_by = memory_strdup(rows_text(rows, i, LOWER_BY)),
        .upper_by = memory_strdup(rows_text(rows, i, UPPER_BY)),
    };
    bool done = parse_checksum(rows_text(rows, i, CHECKSUM), &new.checksum);

    /* As it will be read back, so that the order of the file does not change.  */
    for (char *at = new.name; *at != '\0'; at++)
        if (*at == ',')
            *at = ';';
    if (!done)
        error_set(error, "the store holds the checksum '%s'", rows_text(rows, i, CHECKSUM));
    /* A bracket that is only what heuristics left is not worth a new row.  */
    if (done && (new.lower == new.upper || rows_text(rows, i, TRIED)[0] == '1' ||
                 optima_find(optima, new.checksum) != NULL))
        done = optima_merge(optima, &new, error);
    clear_row(&new);
    return done;
}

bool optima_merge_store(struct optima *optima, struct store *store, struct error *error)
{
    struct rows rows;
    bool done = rows_query(&rows, store, store_sql, NULL, 0, error);

    for (size_t i = 0; done && i < rows.count; i++)
        done = merge_row(optima, &rows, i, error);
    rows_clear(&rows);
    return done;
}

/* --- for reports --- */

static bool add_rows(struct store *store, const struct optima *optima, struct error *error)
{
    bool done = rows_query(NULL, store,
                           "create temp table known (checksum text primary key, lower integer,"
                           " upper integer)",
                           NULL, 0, error);

    for (size_t i = 0; done && i < optima->count; i++) {
        const struct optimum *row = &optima->row[i];
        char checksum[17], lower[24], upper[24];
        const char *values[] = {checksum, lower, upper};

        snprintf(checksum, sizeof checksum, "%016" PRIx64, row->checksum);
        snprintf(lower, sizeof lower, "%" PRId64, row->lower);
        snprintf(upper, sizeof upper, "%" PRId64, row->upper);
        done = rows_query(NULL, store,
                          "insert into known values (?1, cast(?2 as integer), cast(?3 as integer))",
                          values, 3, error);
    }
    return done;
}

bool optima_add_known(struct store *store, struct error *error)
{
    char *path = share_path("results/reference/optima.csv");
    struct optima optima;
    bool done = optima_open(&optima, path, true, error);

    if (done) {
        done = add_rows(store, &optima, error);
        optima_clear(&optima);
    }
    free(path);
    return done;
}
