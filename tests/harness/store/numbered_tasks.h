/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tasks for tests of what a store keeps: all there is to one hangs on its number.  */
#ifndef ARENABENCH_TESTS_HARNESS_STORE_NUMBERED_TASKS_H
#define ARENABENCH_TESTS_HARNESS_STORE_NUMBERED_TASKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct error;
struct store;

/* Finds or makes a workload of BUFFERS buffers.  */
bool put_numbered_workload(struct store *store, int number, size_t buffers, int64_t *id,
                           struct error *error);

/* Records a task on WORKLOAD with a plan, measurements and a statistic, whose place in EXPERIMENT
 * is NUMBER.  Keys are in the order of numbers below 1000.  */
bool record_numbered_task(struct store *store, const char *experiment, int number, int64_t workload,
                          size_t buffers, struct error *error);

#endif
