/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a network is given in a run: the same in each, drawn from the inputs' names.  What the run
 * before has changed (changes.h) begins again.  */
#ifndef ARENABENCH_RUNTIME_INPUTS_H
#define ARENABENCH_RUNTIME_INPUTS_H

#include <stddef.h>

struct elements;
struct network;
struct run_memory;

struct run_inputs;

/* Reals uniform in [-1, 1), the same numbers in f64 as in f32; indices of an embedding within its
 * table, labels among a loss's classes; all other whole numbers 0 and truth values false.  GIVEN
 * has others instead, one a value, which are held; f32 where NETWORK, which was widened since, has
 * f64. NETWORK is borrowed.  */
struct run_inputs *run_inputs_new(const struct network *network, struct elements *const *given);
void run_inputs_free(struct run_inputs *inputs);

/* Writes them to where they lie in MEMORY, of a network with the same values.  */
void run_inputs_write(const struct run_inputs *inputs, const struct run_memory *memory);

/* What value V is given; NULL: it is no input.  */
const struct elements *run_input(const struct run_inputs *inputs, size_t v);

#endif
