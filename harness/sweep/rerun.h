/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Running some of a sweep's tasks again, to see whether the same comes out.
 *
 * A task runs with the solver, parameters, seed and limits that its row has, as in a sweep, but
 * into a store in memory.  Compared is all that must not hang on time: the instance with its bounds
 * and facts, outcome and reason, layout, peak, bound, nodes, objects, replay, every offset, the
 * improvements in their order, what the search counted; of networks that run the bytes of all
 * kinds, operators, and that the outputs are those of a run without an arena.  Left out are tasks
 * that a limit of time or memory cut, then or now, and those of kernels, whose results are times.
 *
 *   rerun.c          what is drawn, and running it
 *   rerun_compare.c  both stores side by side  */
#ifndef ARENABENCH_HARNESS_SWEEP_RERUN_H
#define ARENABENCH_HARNESS_SWEEP_RERUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "harness/store/rows.h"
#include "lib/base/error.h"

struct store;

struct rerun_request {
    const char *dir;  /* with results, which stay as they are */
    double share;     /* of the tasks that can be compared; above 0, at most 1 */
    uint32_t seed;    /* which of them; above 0 */
    int jobs;         /* tasks at a time */
    bool any_version; /* those too that another version of their solver ran */
};

/* Counts tasks of planners and runs, but OTHERS.  */
struct rerun {
    size_t others;        /* of kernels */
    size_t cut_then;      /* that a limit cut when they were recorded: not drawn */
    size_t other_version; /* that another version of their solver ran: not drawn */
    size_t absent;        /* whose solver or instance is not here ... */
    struct error absence; /* ... the last one, and why */
    size_t eligible;      /* of which some were drawn */
    size_t drawn;
    size_t cut_now; /* of the drawn ones */
    size_t lost;    /* of the drawn ones: something killed who ran them */
    size_t same, differ;
    struct rows unsummed;   /* store_unsummed of DIR */
    struct rows difference; /* task, workload, solver, seed, repetition, what, then, now */
    int signal;             /* that ended it early, or 0: then nothing was compared */
};

/* Fills in RERUN, which the caller clears, after a failure too.  False with a message.  */
bool rerun_run(const struct rerun_request *request, struct rerun *rerun, struct error *error);
void rerun_clear(struct rerun *rerun);

/* The part of rerun_compare.c: NEW has the tasks that were run again, with the keys that they have
 * in DIR, and the table `difference` (task, what, was, is) with those whose instance is another
 * one.  Fills in cut_now, same, differ and the differences.  */
bool rerun_compare(struct store *new, const char *dir, struct rerun *rerun, struct error *error);

#endif
