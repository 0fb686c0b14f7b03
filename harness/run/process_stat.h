/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the kernel says of a process in one line.  */
#ifndef ARENABENCH_HARNESS_RUN_PROCESS_STAT_H
#define ARENABENCH_HARNESS_RUN_PROCESS_STAT_H

#include <stdbool.h>
#include <sys/types.h>

/* Room for the whole line.  */
enum { PROCESS_STAT = 1024 };

/* /proc/PID/stat from the end of the process's name on, ") STATE PARENT ...", which is in TEXT.
 * NULL: there is no such process.  */
const char *process_stat(pid_t process, char text[PROCESS_STAT]);

/* Whether there is such a process, and a signal (SIGSTOP) has stopped it.  */
bool process_stopped(pid_t process);

#endif
