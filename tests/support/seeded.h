/* Runs on random elements: what is stored, and what comes in.  */
#ifndef ARENABENCH_TESTS_SUPPORT_SEEDED_H
#define ARENABENCH_TESTS_SUPPORT_SEEDED_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/base/error.h"

struct instance;
struct network;
struct plan;
struct run_memory;

/* Gives the stored f32 values of NETWORK elements so that numbers stay as large as they are from
 * layer to layer: weights around 0 by the number of those that are added up, statistics around 1.
 * Whole numbers that have no elements become 0.  */
void seeded_store(struct network *network, uint32_t seed);

/* The same in memory for the inputs of a run; whole numbers are below 8.  */
void seeded_inputs(const struct network *network, const struct run_memory *memory, uint32_t seed);

/* Runs the network of INSTANCE, one with an origin whose stored values have elements, on inputs of
 * SEED, without kernels: where PLAN puts its values, or with each in memory of its own (NULL).  The
 * memory with the outputs, or NULL with a message.  The caller frees it.  */
struct run_memory *seeded_run(const struct instance *instance, const struct plan *plan,
                              uint32_t seed, struct error *error);

/* Whether all outputs are there byte for byte the same.  */
bool seeded_same(const struct network *network, const struct run_memory *a,
                 const struct run_memory *b);

/* Whether the outputs of f32 say something: finite numbers that are not all the same.  */
bool seeded_telling(const struct network *network, const struct run_memory *memory);

#endif
