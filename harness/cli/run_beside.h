/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The row of `run` that a program with another library makes with the same file
 * (harness/beside/beside.h).  */
#ifndef ARENABENCH_HARNESS_CLI_RUN_BESIDE_H
#define ARENABENCH_HARNESS_CLI_RUN_BESIDE_H

#include <stdbool.h>
#include <stddef.h>

#include "harness/io/table.h"
#include "harness/run/run.h"
#include "lib/base/error.h"

struct elements;
struct execution;
struct instance;

struct run_beside {
    const char *program; /* "opencv", or a shell command */
    const char *spec;    /* the workload, an ONNX file */
    const struct instance *instance;
    const struct execution *execution;
    int threads;
    struct elements *const *given; /* inputs, as struct run_options has them */
    struct run_limits limits;
};

/* Whether PROGRAM may run here and SPEC is an ONNX file: to be asked before anything is run.  */
bool run_beside_check(const char *program, const char *spec, struct error *error);

/* Runs it as often as ours was and adds its row to TABLE (run_summary): `network`, `kernels`
 * (library and version), `threads`, the times, `rounds`, `resident_bytes`, the `distance` from our
 * outputs and its `bound`; the others are empty.  What the library can't run, or runs with other
 * outputs, is said on standard error.  */
void run_beside(const struct run_beside *beside, struct table *table);

#endif
