/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What searches over placement orders share: decoding under limits, the best plan so
 * far, the order to start from.  */
#ifndef ARENABENCH_SOLVERS_SEARCH_ORDER_SEARCH_H
#define ARENABENCH_SOLVERS_SEARCH_ORDER_SEARCH_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/problem/plan.h"

struct decoder;
struct instance;
struct solver_env;

struct order_search {
    const struct instance *instance;
    const struct solver_env *env;
    struct plan *plan;  /* the best so far; its nodes count the decodings */
    struct plan *trial; /* of the last order */
    uint32_t *order;    /* of the best plan */
    struct decoder *decoder;
    int64_t most;    /* decodings */
    double deadline; /* by timer_now; INFINITY: none */
    double slowest;  /* seconds that a decoding took at most: none begins that would end too late */
    bool timed_out;
};

/* PLAN is the fresh plan of the call.  Its limits are ENV's, a work limit being
 * decodings; where there is none at all, 1000 decodings.  */
void order_search_init(struct order_search *search, const struct instance *instance,
                       const struct solver_env *env, struct plan *plan);

/* Frees what SEARCH holds; the outcome of the call.  */
enum outcome order_search_end(struct order_search *search);

/* Tries the orders by size, by size times length of life and by length of life,
 * descending (then size, length of life, input order), and leaves the best in ORDER.  */
void order_search_start(struct order_search *search, uint32_t *order);

/* A limit is reached, or the peak is the load.  Never before the first decoding.  */
bool order_search_over(struct order_search *search);

/* Decodes ORDER into search->trial, streams it if it is the best, and returns its
 * peak; INT64_MAX, and no more, when the search is over.  */
int64_t order_search_try(struct order_search *search, const uint32_t *order);

#endif
