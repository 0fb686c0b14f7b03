/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loops and branches that run (lib/graph/control.h).
 *
 * Each body is a network that runs with its values in memory of its own, beside the arena: what
 * enters is copied in, or lies where it is if the body only reads it, and what leaves is copied
 * out.  So an arena is that of the network around, in which such an operator reads its inputs and
 * writes its outputs in its step like any other.  */
#ifndef ARENABENCH_RUNTIME_BODIES_H
#define ARENABENCH_RUNTIME_BODIES_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/base/error.h"
#include "runtime/operators/operator.h"

struct network_op;
struct run_facts;
struct run_options;

struct bodies;

/* Whether the bodies of OP can be run, and it is known how often, or which; false with the reason.
 */
bool bodies_accept(const struct network_op *op, struct error *error);

/* The bodies of OP, which they accept, one of a network with elements; INPUT has a tensor for each
 * of its inputs, which stay where they are; OPTIONS: of their runs.  NULL with a message.  */
struct bodies *bodies_new(const struct network_op *op, const struct tensor *const *input,
                          const struct run_options *options, struct error *error);
void bodies_free(struct bodies *bodies);

/* Adds to FACTS what the runs of the bodies are made of, but for copied_bytes.  */
void bodies_count(const struct bodies *bodies, struct run_facts *facts);

/* The copied_bytes of one use (run.h); INPUT as for bodies_new, OUTPUT as for bodies_run.  */
int64_t bodies_copied(const struct bodies *bodies, const struct tensor *const *input,
                      const struct tensor *const *output);

/* Runs OP once; INPUT and OUTPUT have a tensor for each input and output, NULL for an output that
 * is left out.  False with a message where the run is another one than was read: more or fewer
 * iterations than what is stacked up has room for.  */
bool bodies_run(const struct bodies *bodies, const struct tensor *const *input,
                const struct tensor *const *output, struct error *error);

#endif
