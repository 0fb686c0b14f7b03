/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The children of this process.  */
#ifndef ARENABENCH_HARNESS_RUN_CHILDREN_H
#define ARENABENCH_HARNESS_RUN_CHILDREN_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct children {
    size_t count, capacity;
    pid_t *pid;
};

/* From the kernel's own list, which is quick but may lack some while others
 * come and go.  False where this kernel has none.  */
bool children_listed(struct children *children);

/* Adds those of PROCESS, whichever of its threads started them, from the kernel's lists.  False
 * where this kernel has none, or the process has ended.  */
bool children_add(struct children *children, pid_t process);

/* Those of this process by a look at every process.  False where /proc can't be read.  */
bool children_searched(struct children *children);

void children_clear(struct children *children);

#endif
