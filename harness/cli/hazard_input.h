/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Problems with hazards and their plans, as files.  */
#ifndef ARENABENCH_HARNESS_CLI_HAZARD_INPUT_H
#define ARENABENCH_HARNESS_CLI_HAZARD_INPUT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "hazards/problem.h"

struct error;

/* SPEC: a JSON file, by its ending, or an instance with the pairs in the file PAIRS (NULL: none).
 * CAPACITY, where it is below INT64_MAX, is that of each pool without one.  False after a message
 * on standard error; PROBLEM can be cleared in any case.  */
bool hazard_input(const char *spec, const char *pairs, int64_t capacity,
                  struct hazard_problem *problem);

/* A plan in the file PATH, JSON by its ending, else CSV with id and offset.  */
bool hazard_input_plan(const char *path, const struct hazard_problem *problem, int64_t *offset,
                       struct error *error);

/* Writes OFFSET to OUT as a file of the name PATH has it.  False: it could not be written.  */
bool hazard_output(FILE *out, const char *path, const struct hazard_problem *problem,
                   const int64_t *offset);

#endif
