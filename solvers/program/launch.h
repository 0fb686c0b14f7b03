/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Starting a shell command that is handed an instance, and what its environment says.  */
#ifndef ARENABENCH_SOLVERS_PROGRAM_LAUNCH_H
#define ARENABENCH_SOLVERS_PROGRAM_LAUNCH_H

#include <signal.h>
#include <sys/types.h>

struct solver_env;

struct program {
    pid_t pid;
    int to, from, err; /* our ends of its standard input, output and error; -1: closed */
};

/* Runs `/bin/sh -c COMMAND` with the signals in MASK blocked, SIGPIPE as it is in a new
 * process, and what ENV says in its environment: ARENABENCH_SEED, and where there is
 * such a limit ARENABENCH_TIME_LIMIT and ARENABENCH_CPU_LIMIT (seconds), ARENABENCH_MEMORY_LIMIT
 * (bytes) and ARENABENCH_WORK_LIMIT; variables of these names that we have are not passed on.  The
 * command is in the control group of ENV, if there is one.  Our ends of the pipes do not block.
 * Returns 0, or an error number with all ends closed.  */
int program_start(struct program *program, const char *command, const struct solver_env *env,
                  const sigset_t *mask);

/* Closes one of the ends, which is -1 then; twice does no harm.  */
void program_close(int *end);

#endif
