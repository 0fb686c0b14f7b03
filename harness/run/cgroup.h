/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Control groups of Linux, version 2: a program and all that it starts in a group of its own, whose
 * memory the kernel limits and whose processor time it counts, and which it can kill at once.
 *
 * A group can be made where its parent hands the controller of memory on, which a group that holds
 * processes can't.  So where this process's own group was delegated, as by systemd-run with
 * Delegate=yes, or holds nobody but this process and its relatives, all processes in it are moved
 * into a child of it ("supervisor"), and groups of tasks stand beside that one.  Else the nearest
 * group above counts that hands the controller on and that this process may write to, as root may;
 * but none above a group that has a limit of memory, which is to hold, and none above the group of
 * a task, which is one as a task may run arenabench.
 *
 * Source: the kernel's Documentation/admin-guide/cgroup-v2.rst; systemd's "Control Group APIs and
 * Delegation" for what may be moved, and for the attribute that says so.  */
#ifndef ARENABENCH_HARNESS_RUN_CGROUP_H
#define ARENABENCH_HARNESS_RUN_CGROUP_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/base/error.h"

/* Where the kernel says what concerns this process; tests have files of their own.  */
struct cgroup_system {
    const char *own;    /* as /proc/self/cgroup */
    const char *mounts; /* as /proc/self/mountinfo */
};

extern const struct cgroup_system cgroup_of_this_process;

/* The folder in which groups of tasks can be made, after moving processes where that has to be; the
 * caller frees it.  NULL with the reason where there is none.  */
char *cgroup_place(const struct cgroup_system *system, struct error *reason);

/* The group of a task.  */
struct cgroup {
    char *path;  /* its folder; NULL: there is none */
    char *enter; /* a file: who writes 0 to it is in the group */
};

/* Makes an empty group in PLACE, with MEMORY bytes (0: without a limit), no swap, and all of its
 * processes killed where one has to be.  False with a message, and nothing is left behind.  */
bool cgroup_make(struct cgroup *cgroup, const char *place, int64_t memory, struct error *error);

struct cgroup_use {
    int64_t memory; /* bytes, the most that it had, with files in memory and what the kernel holds
                       for it; 0: the kernel does not say (before Linux 5.19) */
    int64_t kills;  /* of processes, for want of memory below its limit */
    double cpu_s;   /* of all its processes, also those that ended */
};

/* What the group has used by now; what can't be read is 0.  */
void cgroup_look(const struct cgroup *cgroup, struct cgroup_use *use);

/* Kills all of its processes; more than once does no harm.  */
void cgroup_kill(const struct cgroup *cgroup);

/* Kills all that is in it, waits for its end, and removes it.  USE receives what it has used in all
 * (NULL: nobody asks).  What can't be killed within seconds stays, with the group.  */
void cgroup_end(struct cgroup *cgroup, struct cgroup_use *use);

#endif
