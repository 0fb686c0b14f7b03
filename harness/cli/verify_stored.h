/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Plans that a sweep has stored, judged again.  */
#ifndef ARENABENCH_HARNESS_CLI_VERIFY_STORED_H
#define ARENABENCH_HARNESS_CLI_VERIFY_STORED_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/base/error.h"

struct rows;
struct store;

/* Counts plans, but WITHOUT and OTHERS.  */
struct judged {
    size_t right, wrong;
    size_t unjudged;      /* of instances that can't be made here ... */
    struct error absence; /* ... the last one, and why */
    size_t refused;       /* when they were recorded: known to be wrong, and not judged */
    size_t without;       /* tasks of planners that ended without a plan */
    size_t others;        /* tasks of kernels and runs, of which no plan is kept */
    int signal;           /* that ended it early, or 0 */
};

/* Who is told.  */
struct judge_talk {
    /* That the plan in ROW (id, solver, label, ...) of STORE is wrong.  False with a message in
     * ERROR ends it.  */
    bool (*wrong)(struct store *store, const struct rows *rows, size_t row, const struct error *why,
                  struct error *error);
    /* Why plans can't be judged; NULL: nobody.  */
    void (*absent)(const char *why);
};

/* Judges each plan that STORE holds, from its offsets and the instance made anew: by the verifier
 * and the replay, by the library's check (arenaplan_check), which shares no code with these, and by
 * what the row says of it: peak, load, bound, outcome, replay.  False with a message.  */
bool judge_store(struct store *store, const struct judge_talk *talk, struct judged *judged,
                 struct error *error);

/* The same for the results folder DIR.  What is wrong is a line each on standard output, then which
 * rows have no checksum, a summary, and what was not looked at.  The exit status: 1 where a plan is
 * wrong, a row has no checksum or no plan was judged, 2 where DIR has no results.  */
int verify_stored(const char *dir);

#endif
