/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the processes of a tree have together: memory and processor time.  */
#ifndef ARENABENCH_HARNESS_RUN_TREE_H
#define ARENABENCH_HARNESS_RUN_TREE_H

#include <stdint.h>
#include <sys/types.h>

/* What takes LEFT_OUT is about the descendants of this process, but for LEFT_OUT itself: what that
 * has started counts.  Of processes that come and go meanwhile some may be missing.  */

/* Bytes that they have in memory, what several share as often as it is there: quick to find out,
 * and no less than what they have.  */
int64_t tree_resident(pid_t left_out);

/* The same with what they share in parts: exact, and slow.  */
int64_t tree_proportional(pid_t left_out);

/* Seconds of processor time that all of them have used, those that ended too where their parents
 * have waited for them, and those that this process has waited for.  */
double tree_cpu_s(void);

void tree_signal(pid_t left_out, int number);

#endif
