/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How much memory this process had at most.  */
#ifndef ARENABENCH_HARNESS_IO_RESIDENT_H
#define ARENABENCH_HARNESS_IO_RESIDENT_H

#include <stdint.h>

/* The record of the most begins anew, with what the process has now, where the system can do
 * that.  */
void resident_restart(void);

/* Bytes since then, or since the process began; 0: unknown.  */
int64_t resident_most(void);

#endif
