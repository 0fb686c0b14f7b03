/* SPDX-License-Identifier: Apache-2.0 */
/* A partial packing from the bottom up that is cheap to change: what finds plans,
 * where section_state.h also proves that there are none.
 *
 * It keeps the least start of each class's next copy, past what is fixed beside it (holes.h), and
 * for each section the top of what is placed there and the total of what is not.  Nothing is
 * inferred beyond that.  What a move changes is logged and copied back on undo; the log is bounded,
 * and a move that has dropped out of it can't be undone.  So running out of moves
 * proves nothing here: all that the engine can claim is a packing.
 *
 * With `exact` (for up to a few thousand classes) each section's candidates, the
 * members that can be its lowest, are known at all times, else they are counted
 * where they are asked for.  */
#ifndef ARENABENCH_PLANNER_DIVES_SECTION_LIGHT_H
#define ARENABENCH_PLANNER_DIVES_SECTION_LIGHT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "planner/dives/section_classes.h"
#include "planner/dives/section_counts.h"

#define LIGHT_NONE SIZE_MAX
/* The start of a class without unplaced copies: above all others, and leaves room
 * for a size.  Capacities are at most half of it.  */
#define LIGHT_PLACED (INT64_MAX / 2)

#define LIGHT_BLOCK 64

/* Of the unplaced members of a section.  */
struct light_view {
    int64_t least_start, least_end;
    uint32_t candidates;
};

struct light_node {
    uint64_t mark; /* in the log, before the child was placed */
    uint64_t kept; /* the same in the counts */
    uint64_t move; /* unlike all others */
    int64_t start; /* of the child */
    uint32_t child;
};

/* When the members of a section were last raised above its only candidate.  That holds
 * while the placement of that time is there and the candidate where it was.  */
struct light_settled {
    uint64_t move; /* 0: never */
    int64_t end;
    uint32_t depth, class;
};

struct light_change; /* private */

struct section_light {
    const struct section_classes *classes;
    int64_t capacity;
    bool exact;

    int64_t *start; /* of each class's next copy: the least possible one, or LIGHT_PLACED; of a
                     * fixed one where that is, as a higher one fails */
    uint32_t *left; /* unplaced copies */
    int64_t *top, *rest;
    double *weight;      /* grows with a section's failures */
    double *urgency;     /* 1 / weight */
    double *tight;       /* (slack + 1) / weight; INFINITY where all is placed */
    double *least_tight; /* of each LIGHT_BLOCK sections, or less: it is not raised */
    double increment;    /* of the weight of a section that fails */

    struct section_counts counts;  /* exact only; of no use where `wide` */
    bool wide;                     /* numbers are too large for them */
    int64_t largest;               /* size or alignment */
    struct light_settled *settled; /* of each section */
    int32_t *below;                /* of each section, and one more; see section_light_below */
    uint64_t moves;                /* placements since the beginning */

    uint32_t *postponed; /* classes that were since the reset, each once */
    size_t n_postponed;
    bool *was_postponed;

    struct light_node *node; /* the placements so far */
    size_t depth;
    struct light_change *log;
    size_t log_room;   /* a power of two, */
    size_t log_most;   /* up to this one */
    uint64_t log_end;  /* changes so far, */
    uint64_t log_from; /* of which those before this one are no longer there */
    size_t failed;     /* the section that the last failure is charged to */
};

/* For CLASSES, with a log of at most LOG_BYTES.  Weights begin at 1; SEED changes them by up to
 * 1 %.  */
void section_light_init(struct section_light *light, const struct section_classes *classes,
                        bool exact, size_t log_bytes, uint32_t seed);
void section_light_clear(struct section_light *light);

/* For builds with checks: all that is kept of classes and sections, between two moves none of
 * which has failed.  */
void section_light_check(const struct section_light *light);

/* Nothing is placed; weights stay.  */
void section_light_reset(struct section_light *light, int64_t capacity);

/* Until the next reset or its next failure section S is more urgent by FACTOR.  */
void section_light_prefer(struct section_light *light, size_t s, double factor);

/* The capacity rises.  Postponements were made because of the old one, so classes that
 * have some fall back to what is below them.  */
void section_light_raise_capacity(struct section_light *light, int64_t capacity);

/* Places the next copy of class C at its least start.  False when something does
 * not fit any more; it has to be undone in either case.  */
bool section_light_place(struct section_light *light, size_t c);

/* Takes back the last placement and all that was postponed since.  False when
 * that has dropped out of the log.  */
bool section_light_undo(struct section_light *light);

/* Class C starts at START or later.  False when it can't.  */
bool section_light_postpone(struct section_light *light, size_t c, int64_t start);

/* The last failure makes its section heavier, and later ones count more.  */
void section_light_punish(struct section_light *light, double factor);

/* Over the unplaced neighbours of C, itself left out: the least start, the least end
 * and who has it.  LIGHT_PLACED or more without any.  */
struct light_neighbours {
    int64_t least_start, least_end;
    size_t lowest;
};
struct light_neighbours section_light_neighbours(const struct section_light *light, size_t c);

/* What is known of section S, counted anew.  */
struct light_view section_light_view(const struct section_light *light, size_t s);

/* With `exact`: brings counts.candidates up to date, for all sections, and where there is
 * one only, which then is the lowest, raises the other members to its end.  False, with
 * light->failed, where that can't be or a section has something left and no candidate.  */
bool section_light_infer(struct section_light *light);

/* After it: the least end of the unplaced.  */
int64_t section_light_least_end(const struct section_light *light);

/* Sets light->below: how many unplaced members of each section start below END.  */
void section_light_below(struct section_light *light, int64_t end);

static inline bool section_light_complete(const struct section_light *light)
{
    return light->depth == light->classes->buffers;
}

/* The highest end of what is placed.  */
int64_t section_light_peak(const struct section_light *light);

#endif
