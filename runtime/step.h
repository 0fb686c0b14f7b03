/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One operator of a run: its tensors, how it is done, and what is converted for it.  */
#ifndef ARENABENCH_RUNTIME_STEP_H
#define ARENABENCH_RUNTIME_STEP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels/layout.h"
#include "lib/base/error.h"
#include "runtime/convolution.h"
#include "runtime/operators/operator.h"

struct bodies;
struct layouts;
struct network;
struct network_op;
struct pool;
struct run_memory;

/* A tensor that is wanted in another layout than the one that it lies in: FROM becomes TO.  One
 * side is where the tensor lies, the other scratch memory, at SCRATCH bytes from its beginning.  */
struct conversion {
    struct tensor_layout from, to;
    size_t tensor; /* of the step's */
    int64_t scratch;
};

enum step_kind {
    STEP_IDLE,     /* all that it makes is there */
    STEP_OPERATOR, /* on plain tensors */
    STEP_BLOCKED,  /* on blocks */
    STEP_KERNEL,   /* a convolution on a kernel */
    STEP_BODIES,   /* a loop or a branch */
};

struct step {
    const struct network_op *op;
    enum step_kind kind;
    int64_t block;     /* STEP_BLOCKED */
    struct pool *pool; /* STEP_BLOCKED: whose threads share it; NULL: one does it; borrowed */
    struct convolution convolution;
    int64_t *found;        /* as in struct call */
    struct bodies *bodies; /* STEP_BODIES: the step's own, made by the caller */

    size_t inputs, outputs;
    struct tensor *tensor; /* of the inputs, then of the outputs */
    const struct tensor **input, **output;

    size_t befores, afters;
    struct conversion *before, *after; /* room for one an input, one an output */
    /* In scratch memory: rows of a matrix as the kernel wants and makes them; -1: they are so.  */
    int64_t rows_before, rows_after;
    int64_t scratch_bytes; /* of the conversions and the kernel's workspace */
};

/* Tensors of OP, which computes something or has bodies; MEMORY NULL: without data, to ask with. */
void step_make(struct step *step, const struct network *network, const struct run_memory *memory,
               const struct network_op *op);
void step_clear(struct step *step);

/* Which of the operator's inputs and outputs are input I and output I of the step.  */
size_t step_input_slot(const struct step *step, size_t i);
size_t step_output_slot(const struct step *step, size_t i);

/* The call on the step's tensors.  */
struct call step_call(const struct step *step, struct error *error);

/* Finds what has to be converted for STEP, whose kind is set, where values lie in LAYOUTS.  */
void step_convert(struct step *step, const struct layouts *layouts);

/* Does it; SCRATCH is as large as the step asks for.  */
bool step_run(const struct step *step, unsigned char *scratch, struct error *error);

/* Bytes that the step writes without computing anything.  */
int64_t step_copied(const struct step *step);

#endif
