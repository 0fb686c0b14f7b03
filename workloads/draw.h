/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the generators share: their usual parameters and random draws.
 *
 * The same parameters and seed give the same instance for ever, so every draw
 * here is part of a contract: tests hold checksums.  */
#ifndef ARENABENCH_WORKLOADS_DRAW_H
#define ARENABENCH_WORKLOADS_DRAW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/error.h"

struct instance;
struct params;
struct rng;

/* Rows of parameter tables.  */
#define DRAW_PARAM_N(initial)                                           \
    {                                                                   \
        "n", PARAM_INT, initial, NULL, 1, 10000000, "number of buffers" \
    }
#define DRAW_PARAM_STEPS(initial)                               \
    {                                                           \
        "steps", PARAM_INT, initial, NULL, 0, 1000000000000.0,  \
            "length of the time axis in steps; 0: one a buffer" \
    }
#define DRAW_PARAM_LOW(initial)                                                          \
    {                                                                                    \
        "low", PARAM_INT, initial, NULL, 1, 1000000000000000.0, "smallest size in bytes" \
    }
#define DRAW_PARAM_HIGH(initial)                                                         \
    {                                                                                    \
        "high", PARAM_INT, initial, NULL, 1, 1000000000000000.0, "largest size in bytes" \
    }
#define DRAW_PARAM_SEED                                                        \
    {                                                                          \
        "seed", PARAM_INT, "1", NULL, 1, 4294967295.0, "of the random numbers" \
    }
#define DRAW_PARAM_SHUFFLE \
    PARAM_SWITCH("shuffle", "off", "list the buffers in random order (seed) instead of by begin")

/* What is drawn before it gets an id.  */
struct draw_buffer {
    int64_t begin, end, size;
};

/* A seeded generator from the parameter "seed".  */
struct rng *draw_rng(const struct params *params);

/* "steps", where 0 stands for one a buffer, at least 1.  */
int64_t draw_steps(const struct params *params);

/* A lifetime with both ends uniform over 0 .. STEPS.  */
struct draw_buffer draw_lifetime(struct rng *rng, int64_t steps);

/* Refuses "low" above "high".  */
bool draw_check_sizes(const struct params *params, struct error *error);

/* LOW / U with U uniform in (0, 1], cut at HIGH: a Pareto distribution of shape
 * 1.  One division is exact to the last bit everywhere.  */
int64_t draw_pareto_one(struct rng *rng, int64_t low, int64_t high);

/* Adds the buffer to INSTANCE as b0, b1, ...  */
void draw_add(struct instance *instance, struct draw_buffer buffer);

/* The sealed instance; frees RNG.  On failure frees INSTANCE and returns NULL.  */
struct instance *draw_finish(struct instance *instance, struct rng *rng, struct error *error);

/* The same from a list of buffers, which is freed; shuffled first if SHUFFLE.  */
struct instance *draw_finish_list(const char *name, struct draw_buffer *buffer, size_t count,
                                  bool shuffle, struct rng *rng, struct error *error);

#endif
