/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What TVM's unified static memory planner (USMP) has in common: its orders of
 * buffers, and whom it takes the alignment from.  */
#ifndef ARENABENCH_SOLVERS_SHIPPED_TVM_H
#define ARENABENCH_SOLVERS_SHIPPED_TVM_H

#include <stdbool.h>

#include "lib/base/error.h"
#include "lib/base/order.h"

struct instance;
struct params;
struct solver_env;

/* Where a buffer may start above another one: upstream at the end of that one,
 * rounded up to the alignment of THAT one; its own is never looked at.  Where all
 * alignments are equal this is the same as rounding to its own; where they are
 * not, upstream's plans can be wrong, and it is not applicable.  */
#define TVM_ROUNDING_PARAM                                                                       \
    PARAM_ENUM("rounding", "other",                                                              \
               "an offset is a multiple of the alignment of the buffer below (as published) or " \
               "of its own",                                                                     \
               {"other", TVM_ROUND_OTHER}, {"own", TVM_ROUND_OWN})
enum { TVM_ROUND_OTHER, TVM_ROUND_OWN };

/* What USMP aligns to unless a target says otherwise: its executors' option
 * workspace-byte-alignment.  */
enum { TVM_ALIGNMENT = 16 };

bool tvm_applicable(const struct instance *instance, const struct params *params,
                    struct error *reason);

enum tvm_order {
    TVM_BY_SIZE,      /* size, then number of conflicts, both descending */
    TVM_BY_CONFLICTS, /* number of conflicts, then size, both descending */
};

/* Keys in the planner's order; equal ones after ENV's parameter "ties", upstream
 * by name, descending as strings.  The caller frees it.  O(n log n).  */
struct order_key *tvm_order(const struct instance *instance, const struct solver_env *env,
                            enum tvm_order order);

/* The same as published, equal ones by name.  */
struct order_key *tvm_published_order(const struct instance *instance, enum tvm_order order);

#endif
