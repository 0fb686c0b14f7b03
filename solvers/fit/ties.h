/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Buffers that an order's keys leave equal: ties move peaks by several per cent,
 * so a planner says how it breaks them, and a parameter breaks them otherwise.  */
#ifndef ARENABENCH_SOLVERS_FIT_TIES_H
#define ARENABENCH_SOLVERS_FIT_TIES_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/base/params.h"
#include "lib/place/orders.h"

struct instance;
struct solver_env;

/* For a planner's table of parameters.  */
#define TIES_PARAM                                                                           \
    {                                                                                        \
        "ties", PARAM_CHOICE, "upstream", ties_choices, 0, 0,                                \
            "buffers with equal keys: as published, in input order, in an order of the seed" \
    }
extern const struct param_choice ties_choices[];

/* What the planner's own code does with equal ones.  */
enum ties_upstream {
    TIES_FIRST, /* the one that came first in the input goes first */
    TIES_LAST,  /* the last one goes first */
};

/* The N buffers in the order in which equal ones come, after ENV's parameter
 * "ties" (and its seed); keys filled in in this order and sorted by order_sort
 * are a total order.  The caller frees it.  */
size_t *ties_order(const struct solver_env *env, size_t n, enum ties_upstream upstream);

/* Where each buffer stands in that order.  The caller frees it.  */
size_t *ties_ranks(const struct solver_env *env, size_t n, enum ties_upstream upstream);

/* Whether the parameter says `upstream`: for a planner whose own code looks at more
 * than the order of the input.  */
bool ties_upstream(const struct solver_env *env);

/* The buffers by MAJOR, then by MINOR, equal ones in that order.  The caller frees it.  */
struct order_key *ties_sort(const struct instance *instance, const struct solver_env *env,
                            enum ties_upstream upstream, enum greedy_measure major,
                            enum greedy_measure minor);

/* The same by a third measure before equal ones.  */
struct order_key *ties_sort_thrice(const struct instance *instance, const struct solver_env *env,
                                   enum ties_upstream upstream, enum greedy_measure major,
                                   enum greedy_measure minor, enum greedy_measure least);

#endif
