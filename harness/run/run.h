/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What both sides of a run's process know: its limits, and what it says meanwhile.  */
#ifndef ARENABENCH_HARNESS_RUN_RUN_H
#define ARENABENCH_HARNESS_RUN_RUN_H

#include <stdbool.h>
#include <stdint.h>

struct run_limits {
    double time_s;        /* wall clock of solve(); 0: none */
    int64_t memory_bytes; /* address space the run may take beside what the parent has; of a program
                             what all its processes have in memory (harness/run/child.h); 0: none */
    double cpu_s;         /* processor time of the run and of all that it starts; 0: none */
    int64_t work;         /* nodes or iterations; 0: none */
    bool native;          /* no limit: sizes and offsets are rounded as the planner does where it
                             ships (align=native) */
};

enum run_event_kind { RUN_INCUMBENT, RUN_BOUND };

struct run_event {
    double time_s; /* since solve() was called */
    enum run_event_kind kind;
    int64_t value; /* peak, or lower bound (of the joined instance where it was joined) */
};

/* Half of the memory of the machine, or of the container, for JOBS runs at a
 * time: bytes for each.  */
int64_t run_default_memory(int64_t jobs);

/* The limit of memory of the control group whose files are in FOLDER, where version 2 of control
 * groups has it or version 1; INT64_MAX: there is none.  */
int64_t run_group_memory(const char *folder);

/* How limits are kept here, a line for people; the caller frees it.  */
char *run_limits_text(void);

#endif
