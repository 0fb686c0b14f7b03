/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a planning algorithm is to the rest of the project.
 *
 * A solver never prints, never exits, never touches global state; the same
 * instance, parameters, seed and work limit give the same plan.  It runs in a
 * process of its own under the harness.  */
#ifndef ARENABENCH_SOLVERS_SOLVER_H
#define ARENABENCH_SOLVERS_SOLVER_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/base/error.h"
#include "lib/base/params.h"
#include "lib/problem/plan.h"
#include "lib/problem/solver_env.h"

struct instance;

enum solver_kind {
    SOLVER_HEURISTIC, /* a plan, no proof */
    SOLVER_EXACT,     /* proves optima, given time */
};

enum {
    SOLVER_SHAPES = 1 << 0,    /* uses the pieces; others get bounding rectangles */
    SOLVER_ALIGNMENT = 1 << 1, /* respects alignments above 1 */
    SOLVER_SEED = 1 << 2,      /* the seed changes the plan */

    /* Its last parameter is a shell command, and the text after the colon as a whole: it
     * may hold commas and equals signs (params_raw).  The user has to name such a
     * solver: a comparison of all solvers leaves it out.  */
    SOLVER_RAW_PARAMETER = 1 << 3,
    SOLVER_PROCESSES =
        1 << 4, /* starts processes, all of which have to go with it (harness/run/reaper.h) */
    SOLVER_ANYTIME = 1 << 5, /* no proof, but goes on improving until a limit or the load */
    /* Places buffers in the order of the input, if in no other one, or compares such a plan.  */
    SOLVER_INPUT_ORDER = 1 << 6,
    SOLVER_SHIPPED = 1 << 7, /* a compiler or a runtime ships it */
    SOLVER_FIXED = 1 << 8,   /* keeps fixed offsets; others don't get instances with some */

    /* Puts each buffer down once, by lib/place alone, and so is one of the plans that searches
     * of ours begin with (lib/place/best_greedy.h): with its own ties none of them ends above
     * it, unless a time limit is over before.  */
    SOLVER_FIRST_PLAN = 1 << 9,

    /* Sees allocations and releases in their order, never the future: where it puts a buffer (into
     * which object, if it shares objects) follows from what began and ended before and from the
     * buffer's size.  Neither its end nor how much comes later plays a part.  */
    SOLVER_ONLINE = 1 << 10,

    /* Knows who conflicts where pairs of buffers say it, not times (lib/problem/conflicts.h): it
     * uses the pieces, or puts buffers down by gap_place alone.  Others don't get such instances.
     */
    SOLVER_PAIRS = 1 << 11,
};

/* File formats of integer programs.  */
enum model_format { MODEL_LP, MODEL_MPS };

/* What a planner rounds where it ships (align=native): sizes up to a multiple of
 * SIZE bytes, offsets to one of OFFSET; 0: nothing.  */
struct native_alignment {
    int64_t size, offset;
};

struct solver {
    const char *name;   /* file name without .c */
    const char *title;  /* for tables and legends */
    const char *source; /* publication or code it follows */
    enum solver_kind kind;
    unsigned capabilities;
    enum layout layout;
    struct native_alignment native;
    const struct param *params; /* PARAM_END terminated, or NULL */

    /* The capabilities that PARAMS bring beside the above.  NULL: none.  */
    unsigned (*gains)(const struct params *params);

    /* False with the reason when the solver can't take this instance.  NULL:
     * takes all.  */
    bool (*applicable)(const struct instance *instance, const struct params *params,
                       struct error *reason);

    /* Writes the model that it would solve into the regular file PATH, in one of the formats
     * that other solvers read.  On failure what is there is not whole.  NULL: it has
     * no model.  */
    bool (*write_model)(const struct instance *instance, const struct params *params,
                        enum model_format format, const char *path, struct error *error);

    /* Fills in offsets and peak of PLAN, which is fresh from plan_new.  Returns
     * OUTCOME_OPTIMAL with plan->lower_bound = plan->peak when it proved that,
     * OUTCOME_FEASIBLE, OUTCOME_TIMEOUT when a time limit cut it (work limits
     * give OUTCOME_FEASIBLE), or OUTCOME_CRASHED with a note when there is no
     * plan.  */
    enum outcome (*solve)(const struct instance *instance, const struct solver_env *env,
                          struct plan *plan);
};

/* One row of the registry, written by the build from solvers/local.mk.  */
struct solver_entry {
    const struct solver *solver;
    const char *checksum; /* of the sources, compiler and flags that make it */
};

extern const struct solver_entry solver_registry[]; /* ends with a NULL solver */

/* NULL when there is none.  */
const struct solver_entry *solver_find(const char *name);

/* What SOLVER can do with PARAMS.  */
unsigned solver_capabilities(const struct solver *solver, const struct params *params);

/* The same with all parameters at their defaults.  */
unsigned solver_usual_capabilities(const struct solver *solver);

#endif
