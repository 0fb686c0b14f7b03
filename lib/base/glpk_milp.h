/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Mixed integer programs through GLPK.  The only file that solves or writes them.
 *
 * A model is built row by row, then solved under a time limit with callbacks
 * for incumbents and bounds.  GLPK's own aborts are caught and reported as
 * MILP_ERROR.  */
#ifndef ARENABENCH_LIB_BASE_GLPK_MILP_H
#define ARENABENCH_LIB_BASE_GLPK_MILP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/error.h"

struct milp;

#define MILP_INFINITY 1e300

enum milp_column { MILP_CONTINUOUS, MILP_INTEGER, MILP_BINARY };

enum milp_result {
    MILP_OPTIMAL,    /* proven within the tolerances */
    MILP_FEASIBLE,   /* a limit ended it; there is an incumbent */
    MILP_UNKNOWN,    /* a limit ended it; there is none */
    MILP_INFEASIBLE, /* proven to have no solution */
    MILP_ERROR,      /* GLPK gave up: numerical trouble or an abort inside it */
};

struct milp *milp_new(void);
void milp_free(struct milp *milp);

/* Columns and rows are numbered from 0 in the order they are added.  Bounds
 * of +-MILP_INFINITY mean none.  */
size_t milp_add_column(struct milp *milp, enum milp_column kind, double low, double high,
                       double objective);
/* low <= sum of coefficient[i] * column[i] <= high; no column stands twice.  */
size_t milp_add_row(struct milp *milp, double low, double high, const size_t *column,
                    const double *coefficient, size_t count);
/* For files: a column's name (copied; letters, digits, '_' and '.', not starting with a
 * digit, '.' or 'e', at most 255 characters, unique) and its objective.  */
void milp_set_name(struct milp *milp, size_t column, const char *name);
void milp_set_objective(struct milp *milp, size_t column, double objective);
size_t milp_columns(const struct milp *milp);
size_t milp_rows(const struct milp *milp);

struct milp_limits {
    double time_s;        /* wall clock; <= 0: none */
    int64_t nodes;        /* branch-and-bound nodes; <= 0: none */
    bool cuts;            /* GLPK's general cuts; they seldom help here */
    double stop_at;       /* stop once an incumbent is at or below this */
    double integrality;   /* how far from whole an integer may be; 0: GLPK's 1e-5 */
    int64_t memory_bytes; /* what GLPK may allocate; 0: no limit.  Beyond it, and when there is
                             no memory, memory_exhausted is called.  */
};

struct milp_callbacks {
    /* A new incumbent; VALUE has one entry a column.  */
    void (*incumbent)(void *context, const double *value);
    /* A heuristic: RELAXED is the solution of a node's relaxation.  True when
     * it has filled in SOLUTION, which has to be feasible (nobody checks; it may
     * break symmetries that the model forbids) and is taken if it is better
     * than the incumbent.  */
    bool (*heuristic)(void *context, const double *relaxed, double *solution);
    /* The proven lower bound rose.  */
    void (*bound)(void *context, double bound);
    void *context;
};

/* Minimises.  VALUE (one entry a column) receives the best solution if there
 * is one (and is left alone otherwise); BOUND the proven lower bound, also when
 * a limit or an error ended the search (-INFINITY: none), within the tolerances
 * of floating-point arithmetic; NODES the nodes begun.  Outputs may be NULL.
 * MILP_FEASIBLE is also the result when an incumbent reached stop_at.  */
enum milp_result milp_solve(struct milp *milp, const struct milp_limits *limits,
                            const struct milp_callbacks *callbacks, double *value, double *bound,
                            int64_t *nodes);

/* Did the time limit end the last milp_solve?  */
bool milp_timed_out(const struct milp *milp);

/* Why the last milp_solve returned MILP_ERROR.  */
const char *milp_error(const struct milp *milp);

enum milp_format {
    MILP_LP,  /* CPLEX LP */
    MILP_MPS, /* free MPS */
};

/* Writes the model, called TITLE, into the regular file PATH.  On failure what is there is not
 * whole: the caller removes it.  */
bool milp_write(const struct milp *milp, enum milp_format format, const char *title,
                const char *path, struct error *error);

#endif
