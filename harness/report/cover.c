/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "harness/report/cover.h"

#include <stdlib.h>
#include <string.h>

#include "harness/store/rows.h"
#include "harness/store/store.h"
#include "lib/base/glpk_milp.h"
#include "lib/base/memory.h"

/* Seconds for one integer program; those here take far less.  */
static const double most_s = 5.0;

static const double percents[] = {0, 1, 2, 3, 5, 7, 10, 15, 20, 30, 50};

static struct milp *build(const bool *serves, size_t layers, size_t items)
{
    struct milp *milp = milp_new();
    size_t *column = memory_alloc(items, sizeof *column);
    double *one = memory_alloc(items, sizeof *one);

    for (size_t i = 0; i < items; i++) {
        milp_add_column(milp, MILP_BINARY, 0.0, 1.0, 1.0);
        one[i] = 1.0;
    }
    for (size_t l = 0; l < layers; l++) {
        size_t count = 0;

        for (size_t i = 0; i < items; i++)
            if (serves[l * items + i])
                column[count++] = i;
        milp_add_row(milp, 1.0, MILP_INFINITY, column, one, count);
    }
    free(one);
    free(column);
    return milp;
}

static bool all_served(const bool *serves, size_t layers, size_t items, const bool *chosen)
{
    for (size_t l = 0; l < layers; l++) {
        bool served = false;

        for (size_t i = 0; i < items; i++)
            served = served || (serves[l * items + i] && (chosen == NULL || chosen[i]));
        if (!served)
            return false;
    }
    return true;
}

size_t cover_solve(const bool *serves, size_t layers, size_t items, double seconds, bool *chosen,
                   bool *proven)
{
    const struct milp_limits limits = {.time_s = seconds, .stop_at = -MILP_INFINITY};
    double *value = memory_zalloc(items, sizeof *value);
    enum milp_result result;
    struct milp *milp;
    size_t count = 0;

    *proven = false;
    memset(chosen, 0, items * sizeof *chosen);
    if (items > 0 && all_served(serves, layers, items, NULL)) {
        milp = build(serves, layers, items);
        result = milp_solve(milp, &limits, NULL, value, NULL, NULL);
        *proven = result == MILP_OPTIMAL;
        for (size_t i = 0; i < items; i++)
            chosen[i] = value[i] > 0.5;
        /* What floating-point arithmetic found is looked at again.  */
        if ((result == MILP_OPTIMAL || result == MILP_FEASIBLE) &&
            all_served(serves, layers, items, chosen))
            for (size_t i = 0; i < items; i++)
                count += chosen[i];
        milp_free(milp);
    }
    free(value);
    return count;
}

/* --- the table --- */

/* The instances that were timed on the layers of one experiment and instruction set: rows of layer
 * and instance, from 0, the instance's name, and its best time as a multiple of the layer's.  */
struct board {
    struct rows rows;
    size_t layers, instances;
};

static size_t index_at(const struct board *board, size_t row, const char *column)
{
    return strtoul(rows_named(&board->rows, row, column), NULL, 10);
}

static bool make_board(struct board *board, struct store *store, const char *experiment,
                       const char *isa, struct error *error)
{
    bool done = rows_ask(&board->rows, store, error,
                         "select dense_rank() over (order by workload) - 1 as layer,"
                         " dense_rank() over (order by instance) - 1 as number, instance,"
                         " time_s / min(time_s) over (partition by workload) as ratio from"
                         " (select workload, instance, min(time_s) as time_s from conv_setting"
                         "   where experiment = %Q and isa = %Q and role = 'setting'"
                         "   and instance is not null group by workload, instance)"
                         " order by number, layer",
                         experiment, isa);

    for (size_t r = 0; done && r < board->rows.count; r++) {
        if (index_at(board, r, "layer") >= board->layers)
            board->layers = index_at(board, r, "layer") + 1;
        board->instances = index_at(board, r, "number") + 1;
    }
    return done;
}

static bool add_row(struct store *store, const char *experiment, const char *isa, double percent,
                    const struct board *board, struct error *error)
{
    const size_t instances = board->instances;
    bool *serves = memory_zalloc(board->layers * instances, sizeof *serves), proven, done;
    bool *chosen = memory_alloc(instances, sizeof *chosen);
    char *text = memory_strdup("");
    size_t count;

    for (size_t r = 0; r < board->rows.count; r++)
        serves[index_at(board, r, "layer") * instances + index_at(board, r, "number")] =
            strtod(rows_named(&board->rows, r, "ratio"), NULL) <= 1.0 + percent / 100.0;
    count = cover_solve(serves, board->layers, instances, most_s, chosen, &proven);
    for (size_t r = 0, i = 0; r < board->rows.count; r++)
        if (index_at(board, r, "number") == i && chosen[i++])
            text = memory_append(text, "%s%s", text[0] == '\0' ? "" : "; ",
                                 rows_named(&board->rows, r, "instance"));
    done = count == 0 ||
           rows_ask(NULL, store, error,
                    "insert into cover values (%Q, %Q, %!.17g, %d, %d, %d, %d, %Q)", experiment,
                    isa, percent, (int)count, (int)board->layers, (int)instances, proven, text);
    free(text);
    free(chosen);
    free(serves);
    return done;
}

static bool add_board(struct store *store, const char *experiment, const char *isa,
                      struct error *error)
{
    struct board board = {.layers = 0};
    bool done = make_board(&board, store, experiment, isa, error);

    for (size_t p = 0; done && p < sizeof percents / sizeof percents[0]; p++)
        done = add_row(store, experiment, isa, percents[p], &board, error);
    rows_clear(&board.rows);
    return done;
}

bool cover_add(struct store *store, struct error *error)
{
    struct rows rows;
    bool done = rows_ask(NULL, store, error,
                         "create temp table cover (experiment text, isa text, percent real,"
                         " instances integer, layers integer, \"of\" integer, proven integer,"
                         " chosen text)");

    if (!done)
        return false;
    done = rows_query(&rows, store,
                      "select distinct experiment, isa from conv_setting where role = 'setting'"
                      " order by experiment, isa",
                      NULL, 0, error);
    for (size_t r = 0; done && r < rows.count; r++)
        done = add_board(store, rows_text(&rows, r, 0), rows_text(&rows, r, 1), error);
    rows_clear(&rows);
    return done;
}
