/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Networks with loops for tests: made by hand, operator by operator, or drawn at
 * random; and plans for them.  */
#ifndef ARENABENCH_TESTS_SUPPORT_LOOP_CASE_H
#define ARENABENCH_TESTS_SUPPORT_LOOP_CASE_H

#include <stddef.h>
#include <stdint.h>

#include "lib/graph/control.h"
#include "lib/graph/network.h"

struct instance;
struct loop_options;
struct plan;
struct rng;

/* An input, or what an operator OP_OTHER makes of INPUT[0..inputs), of SIZE bytes.  */
size_t case_input(struct network *network, const char *name, int64_t size);
size_t case_op(struct network *network, const char *name, int64_t size, const size_t *input,
               size_t inputs);
#define CASE_OP(network, name, size, ...)                       \
    case_op(network, name, size, (const size_t[]){__VA_ARGS__}, \
            sizeof((const size_t[]){__VA_ARGS__}) / sizeof(size_t))

/* Around BODY: a network with an operator that makes an initial value for each of
 * the first CARRIED values of BODY, its inputs; a loop of TRIPS iterations
 * with "value i <= value NEXT[i]" whose outputs are the last values; and an
 * operator that reads them.  Takes over BODY.  */
struct network *case_loop(struct network *body, size_t carried, const size_t *next, int64_t trips);

/* A network at random: nested loops and branches, carried permutations, chains
 * and copies, captures, slices and stacks along either axis, pure aliases.  */
struct network *case_random(struct rng *rng);

/* A plan in which every buffer, in a random order, has the lowest offset.  */
struct plan *case_plan(const struct instance *instance, struct rng *rng);

/* The instance, in file order, all counting rules as usual.  Takes over NETWORK;
 * NULL fails a test.  */
struct instance *case_instance(struct network *network, const struct loop_options *options);

#endif
