/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "harness/report/cover.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/io/expand.h"
#include "harness/store/rows.h"
#include "harness/store/store.h"
#include "lib/base/glpk_milp.h"
#include "lib/base/memory.h"
#include "lib/base/params.h"

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

/* The best time of each instance on each layer of one experiment and instruction
 * set; INFINITY where it was not measured.  */
struct board {
    struct text_list layer, item;
    double *time;
};

static size_t find_or_add(struct text_list *list, const char *text)
{
    for (size_t i = 0; i < list->n; i++)
        if (strcmp(list->text[i], text) == 0)
            return i;
    text_list_add(list, text);
    return list->n - 1;
}

/* From rows of layer, instance, time.  */
static struct board make_board(const struct rows *rows)
{
    struct board board = {.time = NULL};

    for (size_t r = 0; r < rows->count; r++) {
        find_or_add(&board.layer, rows_text(rows, r, 0));
        find_or_add(&board.item, rows_text(rows, r, 1));
    }
    board.time = memory_alloc(board.layer.n * board.item.n, sizeof *board.time);
    for (size_t i = 0; i < board.layer.n * board.item.n; i++)
        board.time[i] = INFINITY;
    for (size_t r = 0; r < rows->count; r++) {
        const size_t layer = find_or_add(&board.layer, rows_text(rows, r, 0));
        const size_t item = find_or_add(&board.item, rows_text(rows, r, 1));

        (void)parse_real(rows_text(rows, r, 2), 0.0, 1e300,
                         &board.time[layer * board.item.n + item]);
    }
    return board;
}

static void clear_board(struct board *board)
{
    text_list_clear(&board->layer);
    text_list_clear(&board->item);
    free(board->time);
}

static bool *mark(const struct board *board, double percent)
{
    const size_t items = board->item.n;
    bool *serves = memory_alloc(board->layer.n * items, sizeof *serves);

    for (size_t l = 0; l < board->layer.n; l++) {
        double best = INFINITY;

        for (size_t i = 0; i < items; i++)
            best = fmin(best, board->time[l * items + i]);
        for (size_t i = 0; i < items; i++)
            serves[l * items + i] = board->time[l * items + i] <= best * (1.0 + percent / 100.0);
    }
    return serves;
}

static char *join(const struct board *board, const bool *chosen)
{
    char *text = NULL;
    size_t length;
    FILE *out = memory_stream(&text, &length);

    for (size_t i = 0, n = 0; i < board->item.n; i++)
        if (chosen[i])
            fprintf(out, "%s%s", n++ > 0 ? "; " : "", board->item.text[i]);
    memory_stream_close(out);
    return text;
}

static bool add_row(struct store *store, const char *experiment, const char *isa, double percent,
                    const struct board *board, struct error *error)
{
    bool *serves = mark(board, percent), proven;
    bool *chosen = memory_alloc(board->item.n, sizeof *chosen);
    const size_t count =
        cover_solve(serves, board->layer.n, board->item.n, most_s, chosen, &proven);
    char *text = join(board, chosen);
    bool done =
        count == 0 ||
        rows_ask(NULL, store, error,
                 "insert into cover values (%Q, %Q, %!.17g, %d, %d, %d, %d, %Q)", experiment, isa,
                 percent, (int)count, (int)board->layer.n, (int)board->item.n, proven, text);

    free(text);
    free(chosen);
    free(serves);
    return done;
}

static bool add_board(struct store *store, const char *experiment, const char *isa,
                      struct error *error)
{
    static const char sql[] =
        "select workload, instance, min(time_s) from conv_setting"
        " where experiment = ?1 and isa = ?2 and role = 'setting' and instance is not null"
        " group by workload, instance order by workload, instance";
    const char *parameters[] = {experiment, isa};
    struct board board;
    struct rows rows;
    bool done = rows_query(&rows, store, sql, parameters, 2, error);

    if (done) {
        board = make_board(&rows);
        for (size_t p = 0; done && p < sizeof percents / sizeof percents[0]; p++)
            done = add_row(store, experiment, isa, percents[p], &board, error);
        clear_board(&board);
    }
    rows_clear(&rows);
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
