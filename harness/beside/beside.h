/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A program runs the same ONNX file on the same inputs with another library, in processes of its
 * own; PROGRAMS.md has the contract for its author.
 *
 * What can be compared: how long a run takes on as many threads, and what comes out.  The library
 * fuses, lays out and chooses algorithms as it likes and plans its own memory, of which only the
 * process's most is seen: that has the library's code, its copies of the weights and what reading
 * the file left in it too, as ours has our program and both forms of the weights.  */
#ifndef ARENABENCH_HARNESS_BESIDE_BESIDE_H
#define ARENABENCH_HARNESS_BESIDE_BESIDE_H

#include <stdbool.h>
#include <stddef.h>

#include "harness/beside/answer.h"
#include "lib/base/error.h"

struct elements;
struct network;
struct run_limits;

/* Outputs that are no further apart than this share of the largest magnitude agree: rounding in
 * single precision through some hundred layers stays below, and a layer that computes something
 * else does not.  */
#define BESIDE_BOUND 1e-3

struct beside_request {
    const char *program;           /* "opencv", or a shell command */
    const char *model;             /* path of the ONNX file */
    const struct network *network; /* that was made of it, and run */
    int threads;
    size_t rounds;                  /* after one that is not timed */
    struct elements *const *given;  /* inputs, as struct run_options has them */
    struct elements *const *output; /* what our run gave, one a value of the network */
    const struct run_limits *limits;
};

struct beside {
    struct beside_answer answer;

    /* The largest difference from ours, as a share of the largest magnitude in that output of
     * ours; NaN where one has a NaN and the other not.  */
    double distance;
    const char *farthest; /* the output where that is, the network's */
};

/* Whether PROGRAM is a command, or the name of one of ours that can run here; else what there is,
 * or what it lacks.  */
bool beside_known(const char *program, struct error *error);

/* Runs it.  The inputs are those of runtime/inputs.h.  False, with the library as far as that is
 * known, where it can't run the model, answers something else than the contract has, or ended
 * before it had: that says nothing of ours.  The caller clears BESIDE.  */
bool beside_run(struct beside *beside, const struct beside_request *request, struct error *error);
void beside_clear(struct beside *beside);

#endif
