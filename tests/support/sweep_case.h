/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sweeps of one experiment, from the inside, into a folder.  */
#ifndef ARENABENCH_TESTS_SUPPORT_SWEEP_CASE_H
#define ARENABENCH_TESTS_SUPPORT_SWEEP_CASE_H

#include <stdint.h>

#include "harness/sweep/sweep.h"

/* The experiment in TEXT; NULL, which is told.  */
struct experiment *sweep_case_read(const char *text);

/* Begins a sweep of the quick size of EXPERIMENT, which it takes over, into DIR, on a machine with
 * PROCESSOR; or, where RETRY is set, of what failed.  False, which is told.  Whatever it is,
 * sweep_case_end frees it.  */
bool sweep_case_begin(struct sweep *sweep, struct experiment *experiment, const char *dir,
                      const char *processor, bool retry);
void sweep_case_end(struct sweep *sweep);

/* A whole one; the number of tasks that had been done before, or -1.  */
int64_t sweep_case_run(struct experiment *experiment, const char *dir, const char *processor);

/* One assertion, called WHAT: the store in DIR answers SQL with WANT (store_answer.h).  */
void is_stored(const char *dir, const char *sql, const char *want, const char *what);

#endif
