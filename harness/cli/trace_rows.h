/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the command trace finds about one pool of a recording, as rows and as a sentence.  */
#ifndef ARENABENCH_HARNESS_CLI_TRACE_ROWS_H
#define ARENABENCH_HARNESS_CLI_TRACE_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "harness/io/table.h"
#include "harness/run/comparison.h"

struct instance;
struct plan;
struct trace;

struct trace_run {
    const struct trace *trace;
    const struct contestants *contestants;
    struct run_limits limits;
    uint32_t seed;
};

struct trace_pool_answer {
    size_t pool;
    struct instance *instance;
    struct plan *recorded, *closed; /* recorded: NULL where its addresses are too far apart */
    struct comparison comparison;
    const char *best_label; /* of the best static plan; NULL: there is none */
    int64_t best;           /* its peak */
    bool bad;               /* a plan was invalid, or a solver crashed */
};

/* Plans POOL; an exit status, after a message where it is not STATUS_DONE.  ANSWER, which was all
 * 0, can be cleared in any case.  */
int trace_answer(const struct trace_run *run, size_t pool, struct trace_pool_answer *answer);
void trace_answer_clear(struct trace_pool_answer *answer);

/* A row for each plan: the one that was recorded, and those that were made.  */
struct table *trace_table(void);
void trace_add_rows(struct table *table, const struct trace_run *run,
                    const struct trace_pool_answer *answer);

/* Says on OUT, to people, what was read and what follows.  */
void trace_say(FILE *out, const struct trace_run *run, const struct trace_pool_answer *answer);

#endif
