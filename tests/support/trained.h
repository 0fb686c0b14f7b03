/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Training graphs that run, and their gradients against finite differences of the loss.  */
#ifndef ARENABENCH_TESTS_SUPPORT_TRAINED_H
#define ARENABENCH_TESTS_SUPPORT_TRAINED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/error.h"

struct instance;
struct network;
struct run;
struct run_inputs;
struct run_memory;
struct schedule;

/* A run of a training graph.  */
struct trained {
    const struct network *network;
    struct run_memory *memory;
    struct run *run;
    struct run_inputs *inputs;
    struct schedule *schedule; /* of one without an instance */
};

/* Gives stored values of NETWORK without elements, f32 or f64, numbers that are about as large from
 * layer to layer.  */
void trained_seed(struct network *network, uint32_t seed);

/* Each value in memory of its own, in file order.  False with a message; either way the caller
 * clears TRAINED.  */
bool trained_plain(struct trained *trained, const struct network *network, struct error *error);

/* Where a plan of SOLVER puts the values of INSTANCE.  */
bool trained_planned(struct trained *trained, const struct instance *instance, const char *solver,
                     struct error *error);

void trained_clear(struct trained *trained);

/* Runs a step from the beginning, with DELTA added to element I of stored value V: the loss.  NaN
 * with a message where it does not run.  */
double trained_loss(const struct trained *trained, size_t v, int64_t i, double delta,
                    struct error *error);

/* The weights and their gradients: those of operator O, if it updates one.  */
bool trained_update(const struct network *network, size_t o, size_t *weight, size_t *gradient);

struct differences {
    int64_t weights, elements; /* that were looked at */
    double worst;              /* the largest error: a share of the weight's largest gradient, or of
                                  a thousandth of the largest there is */
    char where[96];
};

/* Which elements are looked at: of each weight, or of one in so many, AT_MOST that are drawn.  */
struct sample {
    size_t every;
    int64_t at_most;
    uint32_t seed;
    double step; /* to either side */
};

/* Compares the gradients of a run, in f64, with central differences.  False with a message where it
 * does not run.  */
bool trained_differences(const struct trained *trained, const struct sample *sample,
                         struct differences *differences, struct error *error);

/* Runs both from the beginning; the name of the first weight or gradient, or the loss, of A's graph
 * that is not byte for byte the one of the same name in B's; NULL: none.  Gradients are looked at
 * where all updates come last: others may lie where they were otherwise.  */
const char *trained_differs(const struct trained *a, const struct trained *b, struct error *error);

#endif
