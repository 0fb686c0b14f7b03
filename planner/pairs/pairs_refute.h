/* Refutations that can be checked, from the search over the orders of pairs with its plain
 * rules (sums and overloads): no nogoods, no symmetries, nothing that a step cannot say.  For
 * small instances.
 *
 * The search goes back to the choice before each time, and a refuted case gives the literals
 * that it needed.  A choice that is not among them is left out of the refutation, as is the
 * other side of it, and so are differences that no refuted case needed.  */
#ifndef ARENABENCH_PLANNER_PAIRS_PAIRS_REFUTE_H
#define ARENABENCH_PLANNER_PAIRS_PAIRS_REFUTE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/error.h"

struct instance;

/* The steps go through one case after the other, the first one being all plans that are low enough.
 * Of two buffers A and B with offsets x, LOW < x_B - x_A < HIGH is forbidden.  */
enum refute_kind {
    REFUTE_BRANCH,   /* below or above: the case falls into two, the one below comes first */
    REFUTE_BELOW,    /* it can't be above, by what is known: it is below */
    REFUTE_ABOVE,    /* likewise */
    REFUTE_PATH,     /* what is known contradicts itself: the case is refuted */
    REFUTE_OVERLOAD, /* at STEP, more has to lie between LOW and HIGH than can: likewise */
};

/* Bytes.  */
struct refute_step {
    enum refute_kind kind;
    size_t a, b;
    int64_t step, low, high;
};

/* What ends a refutation before it is done.  */
struct refute_limits {
    int64_t nodes;   /* choices */
    double deadline; /* by timer_now */
};

/* Why no plan of INSTANCE has a peak below PEAK bytes: *COUNT steps, which the caller frees.
 * NULL with the reason where there is such a plan, or LIMITS end it.  */
struct refute_step *pairs_refute(const struct instance *instance, int64_t peak,
                                 const struct refute_limits *limits, size_t *count,
                                 struct error *error);

#endif
