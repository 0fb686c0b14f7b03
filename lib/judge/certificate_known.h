/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the checker of certificates (certificate.h) knows at a line: bounds of differences of
 * offsets, and what its rules add to them.  Private to the checker.
 *
 * Buffers count from 1 here, 0 is the bottom of the arena, and bytes count in units.  */
#ifndef ARENABENCH_LIB_JUDGE_CERTIFICATE_KNOWN_H
#define ARENABENCH_LIB_JUDGE_CERTIFICATE_KNOWN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/error.h"

struct certificate_scope;
struct instance;

/* Open below and above: what pieces forbid a difference to be.  */
struct certificate_span {
    int64_t lo, hi;
};

/* A bound before it rose.  */
struct certificate_change {
    size_t slot;
    int64_t least;
};

struct certificate_known {
    const struct instance *instance;
    size_t n;
    int64_t unit, capacity; /* bytes; units */
    bool *inside;           /* buffer b is looked at */
    bool paired;            /* what follows, up to least, is there */

    /* Pairs of buffers that are alive together: those of a > b with a lower number first, sorted:
     * lower[first[a]..first[a + 1]), and what pieces forbid of x_a - x_b, sorted and disjoint:
     * span[gap[p]..gap[p + 1]).  */
    size_t *first, *lower, pairs;
    size_t *gap, gaps, gap_room;
    struct certificate_span *span;

    /* Buffers that are alive at moment[m], and until the next one at most:
     * alive[alive_first[m]..alive_first[m + 1]).  */
    int64_t *moment;
    size_t moments, *alive_first, *alive;

    int64_t *least; /* x_b at 2 b, -x_b at 2 b + 1, then the same of each pair's difference */
    struct certificate_change *change;
    size_t changes, change_room;
    bool broken; /* what is known contradicts itself */

    struct certificate_span *stretch; /* scratch: of one buffer at one step */
    size_t stretches, stretch_room;
};

/* Nothing is known but the CAPACITY of SCOPE, whose numbers have been looked at.  False where
 * its unit does not fit the buffers.  The caller clears it, whatever comes out.  */
bool certificate_known_init(struct certificate_known *known, const struct instance *instance,
                            const struct certificate_scope *scope, struct error *error);
void certificate_known_clear(struct certificate_known *known);

/* From now on there are bounds of differences: what takes long on a large instance is left out of
 * a certificate that is about offsets alone.  */
void certificate_known_pair(struct certificate_known *known);

/* Whether there is a bound of x_B - x_A.  */
bool certificate_known_has(const struct certificate_known *known, int64_t a, int64_t b);

/* The least value of x_B - x_A, of which there is a bound.  */
int64_t certificate_known_least(const struct certificate_known *known, int64_t a, int64_t b);

/* x_B - x_A >= LEAST.  */
void certificate_known_raise(struct certificate_known *known, int64_t a, int64_t b, int64_t least);

/* Back to when CHANGES bounds had risen; whether they contradict each other is for the caller to
 * say.  */
void certificate_known_back(struct certificate_known *known, size_t changes);

/* Fills in known->stretch with the bytes that buffer B uses at STEP, sorted, in as few stretches as
 * there can be.  Returns their number.  */
size_t certificate_known_stretches(struct certificate_known *known, size_t b, int64_t step);

/* Buffers that may be alive at STEP: *COUNT of them.  */
const size_t *certificate_known_alive(struct certificate_known *known, int64_t step, size_t *count);

/* --- symmetries (certificate_symmetry.c) --- */

/* Whether A and B are the same but for their offsets, which are not fixed, or B the same upside
 * down.  */
bool certificate_known_twins(struct certificate_known *known, size_t a, size_t b);
bool certificate_known_symmetric(struct certificate_known *known, size_t b);

/* --- rules (certificate_rules.c) --- */

/* Whether what a line with the word WORD and these numbers says follows; if it does, it is
 * known from then on.  The numbers are as many as there have to be, and far from overflow.  */
enum certificate_word;
bool certificate_rule(struct certificate_known *known, enum certificate_word word,
                      const int64_t *number, size_t count, struct error *error);

#endif
