/* SPDX-License-Identifier: Apache-2.0 */
/* Exact solvers on the parts of the time axis: it is cut where nothing is alive,
 * and the parts are solved one by one, the one with the highest plan first, each
 * only as far as it matters for the peak of the whole.  */
#ifndef ARENABENCH_LIB_PLACE_PART_RUNS_H
#define ARENABENCH_LIB_PLACE_PART_RUNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/problem/plan.h"

struct instance;
struct search_statistics;
struct solver_env;

/* A turn of the planner beside the searches of a part.  */
struct part_turn {
    uint32_t seed;
    int64_t nodes;   /* of a search, which takes as long as several placements of the planner */
    int64_t goal;    /* bytes: a peak that is low enough */
    double deadline; /* by timer_now */
    struct search_statistics *sum; /* of what is counted; NULL: nobody asks */
};

/* Looks for a better PLAN of INSTANCE; its nodes grow by what was spent.  */
typedef void part_planner(const struct instance *instance, const struct part_turn *turn,
                          struct plan *plan);

/* Its turns: each has another seed.  */
struct part_turns {
    uint32_t seed;
    double share; /* of what is usual: more while it finds something */
};

struct part_runs {
    const struct instance *instance;
    const struct solver_env *env;
    struct plan *plan; /* the best so far */
    size_t parts;
    size_t *part;    /* of each buffer */
    int64_t *peak;   /* of each part in the best plan */
    int64_t bound;   /* proven for the whole */
    double deadline; /* by timer_now; INFINITY: none */
    bool timed_out;
    bool asked; /* the bound is a capacity that is asked about, and nothing is proven yet */
    const void *context;   /* of who solves the parts */
    part_planner *planner; /* for who searches in vain; NULL: none */
    bool joined; /* the instance is another one's bounding rectangles: it proves nothing */
};

/* One part as an instance of its own.  */
struct part_instance {
    size_t part;
    size_t *member; /* buffer i of the part in the whole instance */
    struct instance *instance;
    int64_t unit; /* bytes (dsa_unit) */
};

/* Cuts INSTANCE and fills PLAN, which may get better afterwards, with the best greedy plan of those
 * that are made until DEADLINE, one at least.  The bound is the load.  */
void part_runs_begin(struct part_runs *runs, const struct instance *instance,
                     const struct solver_env *env, double deadline, struct plan *plan);

/* What the work limit leaves; without one far more than there will be.  */
int64_t part_runs_nodes_left(const struct part_runs *runs);

/* Takes the parts' peaks from the plan and streams it: to be called once before
 * part_runs_solve.  SOLVE is true when no plan of the part keeps the peak of the
 * whole from the bound; false ends it all (a limit, which it has noted).  Frees what
 * RUNS holds.  */
enum outcome part_runs_solve(struct part_runs *runs,
                             bool (*solve)(struct part_runs *runs, size_t part));

/* A plan of PART with this peak, OFFSET[i] of its buffer i: taken over where it is
 * better, and streamed where that makes the whole better.  */
void part_runs_offer(struct part_runs *runs, const struct part_instance *part,
                     const int64_t *offset, int64_t peak);

/* The same of a packing: START[i], in units, is where its buffer i lies.  */
void part_runs_offer_packing(struct part_runs *runs, const struct part_instance *part,
                             const int64_t *start);

/* The best plan of PART, as one of its instance.  */
void part_runs_copy(const struct part_runs *runs, const struct part_instance *part,
                    struct plan *plan);

/* Turns that begin with another seed than SEED.  */
struct part_turns part_turns_of(uint32_t seed, double share);

/* Before the next turn: whether this one has found a BETTER plan.  */
void part_turns_next(struct part_turns *turns, bool better);

/* BOUND bytes are proven for the whole.  */
void part_runs_raise_bound(struct part_runs *runs, int64_t bound);

void part_instance_begin(struct part_instance *part, const struct part_runs *runs, size_t index);
void part_instance_end(struct part_instance *part);

#endif
