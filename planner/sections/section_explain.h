/* SPDX-License-Identifier: Apache-2.0 */
/* Why a state fails: a conflict is traced back along the trail to a nogood
 * (section_nogoods.h) that asks of no buffer more than its floor, which the placed
 * buffers alone give.
 *
 * It begins with what made the state fail.  While it asks for a later start of b than
 * b's floor, the literal (b, x) is replaced by the reason of the rise that made b start
 * at x or later.  Reasons, for a rise in a section with limit = capacity - total over
 * the members that were unplaced then; T is the total size of members that are left
 * out because the rest is enough:
 *
 *   fail       (d, limit + 1 + T) for the members: the lowest of them starts there or
 *              above, the others lie on it, and the last ends above the capacity.
 *   not first  (b, limit + 1 + T): so b is not the lowest among itself and the other
 *              members that are kept; and (d, x - size d) for these: b lies on one.
 *   only       (f, x - size f), (others, limit + 1 + T): f is the lowest of those
 *              kept, so b lies on it.
 *   floor      none: the buffer below is still there.
 *   postponed  c was placed at its least start and that was refuted by the nogood N.  Let
 *              R be the unplaced neighbours of c of which N asks more than their floors
 *              without c.  Reason: N, but of R only that they are there; (c, y), y what N
 *              asks of c and the largest of N's (d, z) in R less c's size; and for
 *              whichever unplaced neighbours d of c are in the nogood in the end
 *              (d, x - size d), a conditional literal.  Why: in a packing with all that
 *              either such a d lies below c, which then starts at x or later; or all of
 *              them lie above, so those of R start at z or later, and N refutes it.
 *
 * Where starts are aligned, or kept from where something is fixed, the least value that is raised
 * to x or more takes the place of x.  Reasons hold for all packings, so thresholds may be raised
 * and members added at will; the fewer of them the better.  */
#ifndef ARENABENCH_PLANNER_SECTIONS_SECTION_EXPLAIN_H
#define ARENABENCH_PLANNER_SECTIONS_SECTION_EXPLAIN_H

#include <stddef.h>
#include <stdint.h>

#include "planner/sections/section_nogoods.h"

struct section_state;

enum section_reason_kind { REASON_LITERAL, REASON_CONDITION, REASON_END };

/* A literal of a reason that is kept, or the end of one.  */
struct section_reason_literal {
    enum section_reason_kind kind;
    size_t buffer;
    int64_t least; /* of REASON_LITERAL */
};

struct section_explainer {
    const struct section_state *state;

    /* Of the postponements, a stack: a reason is named by where it begins.  */
    struct section_reason_literal *reason;
    size_t reasons, reason_room;

    /* The nogood in the making.  */
    size_t *buffer, n;
    int64_t *need;      /* of each buffer; -1: it is not in it */
    int64_t *condition; /* what it asks if it comes in; -1: nothing */
    int64_t *floor;     /* of each buffer, where floor_round says that it is of this nogood */
    uint64_t *floor_round, round;
    size_t *conditional, n_conditional;
    size_t *open, n_open; /* of which it asks more than the floor */
    size_t *open_at;      /* where they are there; SIZE_MAX: they are not */
    int64_t *was;         /* scratch: starts of a section's members at the time; -1: left out */
};

void section_explainer_init(struct section_explainer *explainer, const struct section_state *state);
void section_explainer_clear(struct section_explainer *explainer);

/* Adds a literal to the nogood in the making.  */
void section_explain_literal(struct section_explainer *explainer, size_t buffer, int64_t least);

/* Adds what made the state fail.  */
void section_explain_conflict(struct section_explainer *explainer);

/* Traces it back to the floors of the state and writes it to NOGOOD; the next one
 * begins.  */
void section_explain_finish(struct section_explainer *explainer, struct section_nogood *nogood);

/* Keeps the reason why C, which is unplaced again, is postponed after the state with it
 * placed was refuted by NOGOOD; returns its name.  */
size_t section_explain_postponement(struct section_explainer *explainer, size_t c,
                                    const struct section_nogood *nogood);

#endif
