/* A process that runs one solver, and its end.  */
#ifndef ARENABENCH_HARNESS_RUN_CHILD_H
#define ARENABENCH_HARNESS_RUN_CHILD_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/base/error.h"

struct instance;
struct params;
struct run_limits;
struct solver;
struct stream;
struct watch;

struct child_task {
    const struct solver *solver;
    const struct instance *instance; /* as the solver sees it */
    const struct params *params;
    uint32_t seed;
    const struct run_limits *limits;
    struct stream *stream;
    const struct watch *watch; /* NULL: nobody */
};

struct child_end {
    bool killed;     /* by us, because the time was up or the watch said so */
    bool called_off; /* killed, because the watch said so */
    int signal;      /* that ended it; 0: none */
    int status;      /* exit status */
    double moment;   /* on the monotonic clock */
    double cpu_s;    /* user + system, with the descendants that were waited for: of a
                        solver with SOLVER_PROCESSES all */
    int64_t rss_bytes;
};

/* The exit status of a child that ran out of memory.  */
enum { CHILD_MEMOUT = 86 };

/* Runs the task in a process group of its own and waits for its end or ends it,
 * with what is left of the group; a solver with SOLVER_PROCESSES with all its
 * descendants.  False when no process could be made.  */
bool child_run(const struct child_task *task, struct child_end *end, struct error *error);

#endif
