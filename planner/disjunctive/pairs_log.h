/* SPDX-License-Identifier: Apache-2.0 */
/* What a disjunctive search learns, written down so that others can check it
 * (lib/judge/certificate.h): each nogood with the reasons that its conflict was traced back by,
 * in the order in which they hold; what follows without any choice; what is forgotten.  A log is
 * of one capacity and one problem.  */
#ifndef ARENABENCH_PLANNER_DISJUNCTIVE_PAIRS_LOG_H
#define ARENABENCH_PLANNER_DISJUNCTIVE_PAIRS_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "planner/disjunctive/pairs_bounds.h"
#include "planner/disjunctive/proof_sink.h"

struct instance;
struct pairs_nogoods;

/* A reason why bound INDEX rose; of a nogood FIRST is its name.  */
struct pairs_log_step {
    struct pairs_reason reason;
    size_t index; /* SIZE_MAX: of a contradiction */
};

struct pairs_log {
    const struct proof_sink *sink;       /* NULL: nobody asks */
    int64_t begin;                       /* of the log in it */
    const struct instance *instance;     /* that the certificate is of */
    const size_t *member;                /* buffer b of the problem in it; NULL: all in order */
    const struct pairs_problem *problem; /* of the search */
    int64_t capacity;                    /* that the log is of, in bytes; -1: none */
    bool done;                           /* it is refuted, and the log whole */
    bool failed;                         /* the sink could not be cut */

    size_t named;                /* nogoods so far */
    struct pairs_log_step *step; /* of the conflict at hand, the last one first */
    size_t steps, step_room;
    int64_t *cycle; /* buffers of the cycle that it is, if it is one */
    size_t cycles, cycle_room;
};

/* Logs of INSTANCE to SINK, which has to stay.  */
void pairs_log_init(struct pairs_log *log, const struct instance *instance,
                    const struct proof_sink *sink);
void pairs_log_clear(struct pairs_log *log);

/* Begins the log of what a search of PROBLEM says of CAPACITY units; one before stays if it is
 * done, and is gone otherwise.  */
void pairs_log_begin(struct pairs_log *log, const struct pairs_problem *problem, int64_t capacity);

/* LITERAL is assumed, of two TWINS or of two that a mirror exchanges.  */
void pairs_log_assume(struct pairs_log *log, const struct pairs_literal *literal, bool twins);

/* What follows without any choice: all rises in BOUNDS.  */
void pairs_log_root(struct pairs_log *log, const struct pairs_bounds *bounds,
                    const struct pairs_nogoods *nogoods);

/* A conflict is traced back: REASON says first why there is one, then why bound INDEX rose, and
 * so on.  FROM and TO are the window that it needed (pairs_reasons.h).  */
void pairs_log_trace(struct pairs_log *log);
void pairs_log_reason(struct pairs_log *log, const struct pairs_bounds *bounds,
                      const struct pairs_nogoods *nogoods, const struct pairs_reason *reason,
                      size_t index, int64_t from, int64_t to);

/* The conflict has led to LITERALS, which can't hold together.  Returns the nogood's name.  */
size_t pairs_log_learned(struct pairs_log *log, const struct pairs_literals *literals);
void pairs_log_forget(struct pairs_log *log, size_t name);

/* There is a conflict without any choice, which was traced back as far as it goes; or it is
 * in BOUNDS, with what led to it; or the bounds are NULL and all has been said.  */
void pairs_log_refuted(struct pairs_log *log, const struct pairs_bounds *bounds,
                       const struct pairs_nogoods *nogoods);

#endif
