/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "lib/base/glpk_milp.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <glpk.h>

#include "lib/base/error.h"
#include "lib/base/glpk_common.h"
#include "lib/base/memory.h"
#include "lib/base/timer.h"

struct column {
    enum milp_column kind;
    double low, high, objective;
    char *name; /* NULL: none */
};

struct row {
    double low, high;
};

/* The model is kept here and not in GLPK, so that no object of GLPK outlives
 * the call that solves it: an abort inside GLPK invalidates them all.  */
struct milp {
    size_t columns, column_capacity;
    struct column *column;
    size_t rows, row_capacity;
    struct row *row;
    /* The matrix as GLPK reads it: entries 1 .. entries, numbered from 1.  */
    size_t entries;
    size_t entry_row_capacity, entry_column_capacity, entry_value_capacity;
    int *entry_row, *entry_column;
    double *entry_value;
    double *value;    /* the best solution of the last search */
    double *relaxed;  /* of a node's relaxation */
    double *solution; /* a heuristic's; 1 .. columns */
    bool timed_out;   /* the last search */
    struct error error;
};

struct milp *milp_new(void)
{
    return memory_zalloc(1, sizeof(struct milp));
}

void milp_free(struct milp *milp)
{
    if (milp == NULL)
        return;
    for (size_t c = 0; c < milp->columns; c++)
        free(milp->column[c].name);
    free(milp->column);
    free(milp->row);
    free(milp->entry_row);
    free(milp->entry_column);
    free(milp->entry_value);
    free(milp->value);
    free(milp->relaxed);
    free(milp->solution);
    free(milp);
}

size_t milp_add_column(struct milp *milp, enum milp_column kind, double low, double high,
                       double objective)
{
    milp->column =
        memory_grow(milp->column, &milp->column_capacity, milp->columns + 1, sizeof *milp->column);
    milp->column[milp->columns] = (struct column){kind, low, high, objective, NULL};
    return milp->columns++;
}

size_t milp_add_row(struct milp *milp, double low, double high, const size_t *column,
                    const double *coefficient, size_t count)
{
    size_t needed = milp->entries + count + 1;

    milp->row = memory_grow(milp->row, &milp->row_capacity, milp->rows + 1, sizeof *milp->row);
    milp->row[milp->rows++] = (struct row){low, high};
    milp->entry_row =
        memory_grow(milp->entry_row, &milp->entry_row_capacity, needed, sizeof *milp->entry_row);
    milp->entry_column = memory_grow(milp->entry_column, &milp->entry_column_capacity, needed,
                                     sizeof *milp->entry_column);
    milp->entry_value = memory_grow(milp->entry_value, &milp->entry_value_capacity, needed,
                                    sizeof *milp->entry_value);
    for (size_t i = 0; i < count; i++) {
        size_t entry = ++milp->entries;

        milp->entry_row[entry] = (int)milp->rows;
        milp->entry_column[entry] = (int)column[i] + 1;
        milp->entry_value[entry] = coefficient[i];
    }
    return milp->rows - 1;
}

void milp_set_name(struct milp *milp, size_t column, const char *name)
{
    free(milp->column[column].name);
    milp->column[column].name = memory_strdup(name);
}

void milp_set_objective(struct milp *milp, size_t column, double objective)
{
    milp->column[column].objective = objective;
}

size_t milp_columns(const struct milp *milp)
{
    return milp->columns;
}

size_t milp_rows(const struct milp *milp)
{
    return milp->rows;
}

bool milp_timed_out(const struct milp *milp)
{
    return milp->timed_out;
}

const char *milp_error(const struct milp *milp)
{
    return milp->error.text;
}

/* --- one search --- */

struct search {
    struct milp *milp;
    const struct milp_limits *limits;
    const struct milp_callbacks *callbacks;
    double deadline; /* by timer_now; INFINITY: none */
    double best;     /* objective of milp->value; INFINITY: no solution yet */
    double bound;
    int64_t nodes;
    enum milp_result result;
    struct error error;
};

static int bound_type(double low, double high)
{
    if (low <= -MILP_INFINITY)
        return high >= MILP_INFINITY ? GLP_FR : GLP_UP;
    if (high >= MILP_INFINITY)
        return GLP_LO;
    return low < high ? GLP_DB : GLP_FX;
}

static glp_prob *build_problem(const struct milp *milp)
{
    glp_prob *problem = glp_create_prob();

    glp_set_obj_dir(problem, GLP_MIN);
    if (milp->columns > 0)
        glp_add_cols(problem, (int)milp->columns);
    if (milp->rows > 0)
        glp_add_rows(problem, (int)milp->rows);
    for (size_t c = 0; c < milp->columns; c++) {
        const struct column *column = &milp->column[c];

        /* GLP_BV would set the bounds to 0 and 1, but a binary can be fixed.  */
        glp_set_col_kind(problem, (int)c + 1, column->kind == MILP_CONTINUOUS ? GLP_CV : GLP_IV);
        glp_set_col_bnds(problem, (int)c + 1, bound_type(column->low, column->high), column->low,
                         column->high);
        glp_set_obj_coef(problem, (int)c + 1, column->objective);
        if (column->name != NULL)
            glp_set_col_name(problem, (int)c + 1, column->name);
    }
    for (size_t r = 0; r < milp->rows; r++)
        glp_set_row_bnds(problem, (int)r + 1, bound_type(milp->row[r].low, milp->row[r].high),
                         milp->row[r].low, milp->row[r].high);
    if (milp->entries > 0)
        glp_load_matrix(problem, (int)milp->entries, milp->entry_row, milp->entry_column,
                        milp->entry_value);
    return problem;
}

/* Milliseconds until the deadline, as GLPK wants them; INT_MAX is no limit.  */
static int milliseconds_left(const struct search *search)
{
    double left = (search->deadline - timer_now()) * 1e3;

    if (left >= (double)(INT_MAX - 1))
        return INT_MAX;
    return left <= 1.0 ? 1 : (int)left;
}

/* GLPK's rounding heuristic finds solutions without a call for GLP_IBINGO, so
 * each call looks.  */
static void note_incumbent(struct search *search, glp_prob *problem)
{
    const struct milp_callbacks *callbacks = search->callbacks;

    if (glp_mip_status(problem) != GLP_FEAS && glp_mip_status(problem) != GLP_OPT)
        return;
    if (glp_mip_obj_val(problem) >= search->best)
        return;
    search->best = glp_mip_obj_val(problem);
    for (size_t c = 0; c < search->milp->columns; c++)
        search->milp->value[c] = glp_mip_col_val(problem, (int)c + 1);
    if (callbacks != NULL && callbacks->incumbent != NULL)
        callbacks->incumbent(callbacks->context, search->milp->value);
}

static void raise_bound(struct search *search, double bound)
{
    const struct milp_callbacks *callbacks = search->callbacks;

    if (bound <= search->bound)
        return;
    search->bound = bound;
    if (callbacks != NULL && callbacks->bound != NULL)
        callbacks->bound(callbacks->context, bound);
}

/* Between two nodes the open ones are all that is left of the tree: nothing
 * below the least of their bounds and the incumbent exists.  */
static void note_bound(struct search *search, glp_tree *tree)
{
    int node = glp_ios_best_node(tree);

    if (node != 0)
        raise_bound(search, fmin(glp_ios_node_bound(tree, node), search->best));
}

/* GLPK's default choice of the column to branch on looks at a row of the
 * simplex table for each candidate, without a look at the clock: with thousands
 * of candidates that takes minutes.  Above this many the column that is
 * farthest from whole is taken.  */
enum { MOST_CANDIDATES = 256 };

static void choose_column(struct search *search, glp_tree *tree)
{
    glp_prob *problem = glp_ios_get_prob(tree);
    int candidates = 0, chosen = 0;
    double farthest = 0.0;

    for (int c = 1; c <= (int)search->milp->columns; c++) {
        double value = glp_get_col_prim(problem, c), distance = fabs(value - round(value));

        if (!glp_ios_can_branch(tree, c))
            continue;
        candidates++;
        if (distance > farthest) {
            farthest = distance;
            chosen = c;
        }
    }
    if (candidates > MOST_CANDIDATES && chosen != 0)
        glp_ios_branch_upon(tree, chosen, GLP_NO_BRNCH);
}

static void try_heuristic(struct search *search, glp_tree *tree)
{
    const struct milp_callbacks *callbacks = search->callbacks;
    struct milp *milp = search->milp;

    if (callbacks == NULL || callbacks->heuristic == NULL)
        return;
    for (size_t c = 0; c < milp->columns; c++)
        milp->relaxed[c] = glp_get_col_prim(glp_ios_get_prob(tree), (int)c + 1);
    if (!callbacks->heuristic(callbacks->context, milp->relaxed, milp->solution + 1))
        return;
    glp_ios_heur_sol(tree, milp->solution);
    note_incumbent(search, glp_ios_get_prob(tree));
}

static void on_event(glp_tree *tree, void *context)
{
    struct search *search = context;
    const struct milp_limits *limits = search->limits;

    note_incumbent(search, glp_ios_get_prob(tree));
    switch (glp_ios_reason(tree)) {
    case GLP_ISELECT:
        note_bound(search, tree);
        if (limits->nodes > 0 && search->nodes >= limits->nodes) {
            glp_ios_terminate(tree);
            return;
        }
        search->nodes++;
        break;
    case GLP_IHEUR:
        try_heuristic(search, tree);
        break;
    case GLP_IBRANCH:
        choose_column(search, tree);
        break;
    default:
        break;
    }
    if (search->best <= limits->stop_at) {
        glp_ios_terminate(tree);
    } else if (timer_now() >= search->deadline) {
        search->milp->timed_out = true;
        glp_ios_terminate(tree);
    }
}

static enum milp_result after_limit(const struct search *search)
{
    return search->best < INFINITY ? MILP_FEASIBLE : MILP_UNKNOWN;
}

/* The relaxation: glp_intopt without its presolver starts from its optimal
 * basis, and with the presolver callbacks would see another problem's columns.
 * Returns true when the search can start.  */
static bool solve_relaxation(struct search *search, glp_prob *problem)
{
    glp_smcp parameters;
    int status;

    glp_scale_prob(problem, GLP_SF_AUTO);
    glp_init_smcp(&parameters);
    parameters.msg_lev = GLP_MSG_OFF;
    parameters.meth = GLP_DUALP;
    parameters.tm_lim = milliseconds_left(search);
    status = glp_simplex(problem, &parameters);
    if (status == GLP_ETMLIM) {
        search->milp->timed_out = true;
        search->result = MILP_UNKNOWN;
        return false;
    }
    if (status == 0 && glp_get_status(problem) == GLP_OPT)
        return true;
    if (status == 0 && glp_get_status(problem) == GLP_NOFEAS) {
        search->result = MILP_INFEASIBLE;
        return false;
    }
    search->result = MILP_ERROR;
    return error_set(&search->error, "GLPK could not solve the relaxation (status %d)", status);
}

static void branch_and_bound(struct search *search, glp_prob *problem)
{
    glp_iocp parameters;
    int status;

    glp_init_iocp(&parameters);
    parameters.msg_lev = GLP_MSG_OFF;
    parameters.cb_func = on_event;
    parameters.cb_info = search;
    parameters.tm_lim = milliseconds_left(search);
    if (search->limits->integrality > 0.0)
        parameters.tol_int = search->limits->integrality;
    if (search->limits->cuts)
        parameters.gmi_cuts = parameters.mir_cuts = parameters.cov_cuts = parameters.clq_cuts =
            GLP_ON;
    status = glp_intopt(problem, &parameters);
    note_incumbent(search, problem);
    if (status == 0 && glp_mip_status(problem) == GLP_OPT) {
        search->result = MILP_OPTIMAL;
        raise_bound(search, search->best);
    } else if (status == 0 && glp_mip_status(problem) == GLP_NOFEAS) {
        search->result = MILP_INFEASIBLE;
    } else if (status == GLP_ETMLIM || status == GLP_ESTOP) {
        search->milp->timed_out = search->milp->timed_out || status == GLP_ETMLIM;
        search->result = after_limit(search);
    } else {
        search->result = MILP_ERROR;
        error_set(&search->error, "GLPK's search failed (status %d)", status);
    }
}

static void solve(void *context)
{
    struct search *search = context;
    glp_prob *problem = build_problem(search->milp);

    if (solve_relaxation(search, problem)) {
        raise_bound(search, glp_get_obj_val(problem));
        branch_and_bound(search, problem);
    }
    glp_delete_prob(problem);
}

/* GLPK counts in int.  */
static bool has_room(const struct milp *milp, struct error *error)
{
    if (milp->columns < INT_MAX && milp->rows < INT_MAX && milp->entries < INT_MAX)
        return true;
    return error_set(error, "the model is too large for GLPK");
}

enum milp_result milp_solve(struct milp *milp, const struct milp_limits *limits,
                            const struct milp_callbacks *callbacks, double *value, double *bound,
                            int64_t *nodes)
{
    struct search search = {
        .milp = milp,
        .limits = limits,
        .callbacks = callbacks,
        .deadline = limits->time_s > 0.0 ? timer_now() + limits->time_s : INFINITY,
        .best = INFINITY,
        .bound = -INFINITY,
        .result = MILP_ERROR,
    };

    if (!has_room(milp, &milp->error))
        return MILP_ERROR;
    milp->value = memory_resize(milp->value, milp->columns, sizeof *milp->value);
    milp->relaxed = memory_resize(milp->relaxed, milp->columns, sizeof *milp->relaxed);
    milp->solution = memory_resize(milp->solution, milp->columns + 1, sizeof *milp->solution);
    milp->timed_out = false;
    if (!glpk_protect(solve, &search, limits->memory_bytes, &search.error))
        search.result = MILP_ERROR;
    milp->error = search.error;
    for (size_t c = 0; c < milp->columns && value != NULL && search.best < INFINITY; c++)
        value[c] = milp->value[c];
    if (bound != NULL)
        *bound = search.bound;
    if (nodes != NULL)
        *nodes = search.nodes;
    return search.result;
}

/* --- files --- */

struct writing {
    const struct milp *milp;
    enum milp_format format;
    const char *title, *path;
    bool written;
    int reason; /* errno as GLPK left it; 0: it has failed at nothing */
};

static void write_problem(void *context)
{
    struct writing *writing = context;
    glp_prob *problem = build_problem(writing->milp);
    char title[200]; /* GLPK takes 255 printable characters */

    snprintf(title, sizeof title, "%s", writing->title);
    for (char *at = title; *at != '\0'; at++)
        if (iscntrl((unsigned char)*at))
            *at = '_';
    glp_set_prob_name(problem, title);
    glp_set_obj_name(problem, "bytes");
    errno = 0;
    writing->written = writing->format == MILP_LP
                           ? glp_write_lp(problem, NULL, writing->path) == 0
                           : glp_write_mps(problem, GLP_MPS_FILE, NULL, writing->path) == 0;
    writing->reason = errno;
    glp_delete_prob(problem);
}

/* GLPK looks for errors before its last bytes are flushed: a full disk shows only in
 * what is missing.  */
static bool is_whole(const char *path, enum milp_format format)
{
    const char *last = format == MILP_LP ? "End\n" : "ENDATA\n";
    char tail[8] = "";
    FILE *in = fopen(path, "r");
    bool whole;

    if (in == NULL)
        return false;
    whole = fseek(in, -(long)strlen(last), SEEK_END) == 0 &&
            fread(tail, 1, strlen(last), in) == strlen(last) && strcmp(tail, last) == 0;
    fclose(in);
    return whole;
}

bool milp_write(const struct milp *milp, enum milp_format format, const char *title,
                const char *path, struct error *error)
{
    struct writing writing = {milp, format, title, path, false, 0};

    if (!has_room(milp, error))
        return false;
    if (!glpk_protect(write_problem, &writing, 0, error))
        return false;
    if (writing.written && is_whole(path, format))
        return true;
    return error_set(error, "%s: %s", path,
                     writing.reason != 0 ? strerror(writing.reason) : "not written whole");
}
