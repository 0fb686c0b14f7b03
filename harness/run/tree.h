/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How much memory the processes of a tree have together.  */
#ifndef ARENABENCH_HARNESS_RUN_TREE_H
#define ARENABENCH_HARNESS_RUN_TREE_H

#include <stdint.h>
#include <sys/types.h>

/* All here is about the descendants of this process, but for LEFT_OUT itself: what that has started
 * counts.  Of processes that come and go meanwhile some may be missing.  */

/* Bytes that they have in memory, what several share as often as it is there: quick to find out,
 * and no less than what they have.  */
int64_t tree_resident(pid_t left_out);

/* The same with what they share in parts: exact, and slow.  */
int64_t tree_proportional(pid_t left_out);

void tree_signal(pid_t left_out, int number);

#endif
