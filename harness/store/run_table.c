/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "harness/store/run_table.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/checked.h"
#include "lib/base/csv.h"
#include "lib/base/memory.h"

enum { EXPERIMENT, WORKLOAD, SOLVER, SEED, REPETITION, OUTCOME, CHECKSUM, PEAK, BOUND, COLUMNS };

static const char *const columns[COLUMNS] = {"experiment", "workload",   "solver",
                                             "seed",       "repetition", "outcome",
                                             "checksum",   "peak",       "bound"};

static void clear_run(struct run *run)
{
    free(run->experiment);
    free(run->workload);
    free(run->solver);
    free(run->outcome);
}

void run_table_clear(struct run_table *table)
{
    for (size_t i = 0; i < table->count; i++)
        clear_run(&table->row[i]);
    free(table->row);
    *table = (struct run_table){0};
}

static void append(struct run_table *table, const struct run *run)
{
    table->row = memory_grow(table->row, &table->capacity, table->count + 1, sizeof *table->row);
    table->row[table->count++] = *run;
}

void run_table_add(struct run_table *table, const struct run *run)
{
    struct run copy = *run;

    copy.experiment = memory_strdup(run->experiment);
    copy.workload = memory_strdup(run->workload);
    copy.solver = memory_strdup(run->solver);
    copy.outcome = memory_strdup(run->outcome);
    append(table, &copy);
}

/* --- texts in a cell --- */

static const char digits[] = "0123456789ABCDEF";

/* The value of two digits, or -1.  */
static int decode_pair(const char *pair)
{
    const char *high = pair[0] == '\0' ? NULL : strchr(digits, pair[0]);
    const char *low = high == NULL || pair[1] == '\0' ? NULL : strchr(digits, pair[1]);

    return low == NULL ? -1 : (int)((high - digits) * 16 + (low - digits));
}

/* The text that CELL stands for; the caller frees it.  NULL with a message.  */
static char *decode(struct csv *csv, size_t cell, struct error *error)
{
    char *text = memory_strdup(csv_text(csv, cell)), *out = text;

    for (const char *at = text; *at != '\0'; at++)
        if (*at == '%') {
            const int value = decode_pair(at + 1);

            if (value <= 0) {
                csv_error(csv, csv->cell[cell].column + (size_t)(at - text), error,
                          "%s has a %% without a number; expected %%01 to %%FF", columns[cell]);
                free(text);
                return NULL;
            }
            *out++ = (char)value;
            at += 2;
        } else {
            *out++ = *at == ';' ? ',' : *at;
        }
    *out = '\0';
    if (text[0] != '\0')
        return text;
    csv_error(csv, csv->cell[cell].column, error, "%s is empty", columns[cell]);
    free(text);
    return NULL;
}

static void write_text(FILE *out, const char *text)
{
    for (const char *at = text; *at != '\0'; at++) {
        const unsigned char c = (unsigned char)*at;
        const bool end = at == text || at[1] == '\0';

        if (c == ',')
            putc(';', out);
        else if (c == ';' || c == '%' || c < ' ' || c > '~' || (c == ' ' && end))
            fprintf(out, "%%%02X", c);
        else
            putc(c, out);
    }
}

/* --- reading --- */

/* A number from 0 or nothing.  */
static bool read_bytes(struct csv *csv, size_t cell, int64_t *value, struct error *error)
{
    *value = RUN_NONE;
    return csv->cell[cell].length == 0 || csv_int(csv, cell, columns[cell], 0, value, error);
}

static bool read_numbers(struct csv *csv, struct run *run, struct error *error)
{
    const struct csv_cell *cell = &csv->cell[CHECKSUM];
    const char *text = csv_text(csv, CHECKSUM);

    if (strspn(text, "0123456789abcdef") != 16 || text[16] != '\0')
        return csv_error(csv, cell->column, error, "checksum '%s'; expected 16 digits 0-9, a-f",
                         csv_shown(cell->text, cell->length).text);
    memcpy(run->checksum, text, sizeof run->checksum);
    return csv_int(csv, SEED, "seed", INT64_MIN + 1, &run->seed, error) &&
           csv_int(csv, REPETITION, "repetition", 0, &run->repetition, error) &&
           read_bytes(csv, PEAK, &run->peak, error) && read_bytes(csv, BOUND, &run->bound, error);
}

/* What a run that was cut must not have.  */
static bool check_cut(const struct csv *csv, const struct run *run, struct error *error)
{
    if (strcmp(run->outcome, RUN_CUT) != 0 || (run->peak == RUN_NONE && run->bound == RUN_NONE))
        return true;
    return csv_error(csv, csv->cell[run->peak != RUN_NONE ? PEAK : BOUND].column, error,
                     "a run that was cut has no peak and no bound; expected nothing");
}

static bool read_run(struct csv *csv, void *table, struct error *error)
{
    struct run run = {.line = csv->line};
    bool done = (run.experiment = decode(csv, EXPERIMENT, error)) != NULL &&
                (run.workload = decode(csv, WORKLOAD, error)) != NULL &&
                (run.solver = decode(csv, SOLVER, error)) != NULL &&
                (run.outcome = decode(csv, OUTCOME, error)) != NULL &&
                read_numbers(csv, &run, error) && check_cut(csv, &run, error);

    if (done)
        append(table, &run);
    else
        clear_run(&run);
    return done;
}

static int by_place(const void *a, const void *b)
{
    const struct run *x = a, *y = b;

    return strcmp(x->experiment, y->experiment)
               ?: strcmp(x->workload, y->workload)
               ?: strcmp(x->solver, y->solver)
               ?: ORDER(x->seed, y->seed)
               ?: ORDER(x->repetition, y->repetition);
}

/* Of equal ones the one that was read first.  */
static int by_place_and_line(const void *a, const void *b)
{
    const struct run *x = a, *y = b;

    return by_place(x, y) ?: ORDER(x->line, y->line);
}

static void sort(struct run_table *table)
{
    if (table->count > 0)
        qsort(table->row, table->count, sizeof *table->row, by_place_and_line);
}

static bool are_unique(struct run_table *table, const char *path, struct error *error)
{
    sort(table);
    for (size_t i = 1; i < table->count; i++) {
        const struct run *first = &table->row[i - 1], *again = &table->row[i];

        if (by_place(first, again) == 0)
            return error_set(error, "%s:%zu: the run of line %zu again; expected each run once",
                             path, again->line, first->line);
    }
    return true;
}

bool run_table_read(struct run_table *table, FILE *in, const char *path, struct error *error)
{
    *table = (struct run_table){0};
    if (csv_read_all(in, path, columns, COLUMNS, read_run, table, error) &&
        are_unique(table, path, error))
        return true;
    run_table_clear(table);
    return false;
}

/* --- writing --- */

static void write_bytes(FILE *out, int64_t value)
{
    putc(',', out);
    if (value != RUN_NONE)
        fprintf(out, "%" PRId64, value);
}

static void write_run(FILE *out, const struct run *run)
{
    write_text(out, run->experiment);
    putc(',', out);
    write_text(out, run->workload);
    putc(',', out);
    write_text(out, run->solver);
    fprintf(out, ",%" PRId64 ",%" PRId64 ",", run->seed, run->repetition);
    write_text(out, run->outcome);
    fprintf(out, ",%s", run->checksum);
    write_bytes(out, run->peak);
    write_bytes(out, run->bound);
    putc('\n', out);
}

void run_table_write(FILE *out, struct run_table *table)
{
    sort(table);
    for (size_t c = 0; c < COLUMNS; c++)
        fprintf(out, "%s%c", columns[c], c + 1 < COLUMNS ? ',' : '\n');
    for (size_t i = 0; i < table->count; i++)
        write_run(out, &table->row[i]);
}
