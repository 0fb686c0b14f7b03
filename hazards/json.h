/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Problems and plans as JSON of dsa-solver, schema version 1.
 *
 * Source: T. Boehnlein, dsa-solver, docs/structured_problem_schema_v1.md and schemas/ (2026).  What
 * is refused: a buffer that may lie in several pools, and an objective of bank costs.  Of the
 * objective's terms the first behind the capacity counts, those behind it don't.  Profile,
 * metadata, reasons, geometries of banks and the structure of PyPTO change nothing; but for the
 * profile they are not kept.  */
#ifndef ARENABENCH_HAZARDS_JSON_H
#define ARENABENCH_HAZARDS_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "hazards/problem.h"
#include "lib/base/error.h"

/* NULL, or why libjansson is not built in: all below fails then.  */
const char *hazard_json_absent(void);

/* Reads the problem in IN, which messages call PATH.  PROBLEM can be cleared in any case.  */
bool hazard_json_read(FILE *in, const char *path, struct hazard_problem *problem,
                      struct error *error);

/* What hazard_json_read reads as the same problem.  False: it could not be written.  */
bool hazard_json_write(FILE *out, const struct hazard_problem *problem);

/* A plan, OFFSET by buffers, as a solution, with the fingerprint by which dsa-solver knows the
 * problem again: that of the file that was read, or of what hazard_json_write writes.  It is not
 * looked at when a plan is read: who judges the plan sees whether it is one.  */
bool hazard_json_read_plan(FILE *in, const char *path, const struct hazard_problem *problem,
                           int64_t *offset, struct error *error);
bool hazard_json_write_plan(FILE *out, const struct hazard_problem *problem, const int64_t *offset);

#endif
