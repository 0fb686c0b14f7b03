/* SPDX-License-Identifier: Apache-2.0 */
/* An offset for each buffer, and what is known about it.  */
#ifndef ARENABENCH_LIB_PROBLEM_PLAN_H
#define ARENABENCH_LIB_PROBLEM_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct instance;

enum layout {
    LAYOUT_ARENA,    /* offsets in one arena */
    LAYOUT_OBJECTS,  /* buffers share whole objects; offsets = objects stacked in order */
    LAYOUT_SEPARATE, /* several separate allocations; offsets = these stacked in order */
};

/* How a run ended: the first of these that applies.  */
enum outcome {
    OUTCOME_INVALID,  /* the verifier refused the plan */
    OUTCOME_OPTIMAL,  /* a verified peak equals the load or a bound proven in this run */
    OUTCOME_TIMEOUT,  /* the time limit ended it; plan and bound so far are kept */
    OUTCOME_MEMOUT,   /* the memory limit ended it; the same */
    OUTCOME_CRASHED,  /* it died otherwise, or ended without a plan */
    OUTCOME_FEASIBLE, /* a plan, no proof */
    OUTCOME_MEASURED, /* a kernel's, not a planner's: right, and timed */
    OUTCOME_SKIPPED,  /* not applicable; a reason stands beside it */
};

struct plan {
    size_t n;        /* buffers of the instance */
    int64_t *offset; /* bytes, one a buffer, from 0 */
    enum layout layout;
    size_t objects;       /* LAYOUT_OBJECTS and LAYOUT_SEPARATE: their number, else 0 */
    size_t *object;       /* the object of each buffer, or NULL */
    int64_t *object_size; /* bytes of each object, or NULL; room for n */

    int64_t peak;        /* max(offset + size), as the solver reports it */
    int64_t lower_bound; /* proven in this run; 0: nothing proven */
    int64_t nodes;       /* search nodes or iterations; 0 where it has none */
    char note[240];      /* one remark for the reader, or "" */
};

/* A plan with room for INSTANCE's buffers: offsets all 0, LAYOUT_ARENA.  The
 * caller frees it; plan_free accepts NULL.  */
struct plan *plan_new(const struct instance *instance);
void plan_free(struct plan *plan);

/* Copies everything; both belong to the same instance.  */
void plan_copy(struct plan *to, const struct plan *from);

/* max(offset + size) over the buffers: what plan.peak has to be.  */
int64_t plan_peak(const struct instance *instance, const struct plan *plan);

/* For builds with checks: PLAN, whose peak is filled in, is a packing of INSTANCE.  */
void plan_check(const struct instance *instance, const struct plan *plan);

/* For object planners: given plan->object[] and plan->objects, computes each
 * object's size (its largest tenant), stacks the objects in order, each started
 * at a multiple of all its tenants' alignments, and fills in offsets and peak.  */
void plan_stack_objects(const struct instance *instance, struct plan *plan);

/* Makes room for objects (object, object_size); idempotent.  */
void plan_use_objects(struct plan *plan, enum layout layout);

const char *layout_name(enum layout layout);
const char *outcome_name(enum outcome outcome);
bool outcome_from_name(const char *name, enum outcome *outcome);

#endif
