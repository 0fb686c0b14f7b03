/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The signals that end a command, taken when there is time for them.  */
#ifndef ARENABENCH_HARNESS_IO_INTERRUPT_H
#define ARENABENCH_HARNESS_IO_INTERRUPT_H

#include <signal.h>
#include <stdbool.h>

#include "lib/base/error.h"

struct interrupt {
    int fd;          /* readable when a signal is there */
    int signal;      /* that was taken first, or 0 */
    sigset_t before; /* the mask to go back to */
};

/* Blocks SIGINT, SIGTERM and SIGHUP, which come through a descriptor from now
 * on.  Without the descriptor nothing could end the command but SIGKILL.  What
 * whoever started the program has it ignore (nohup; a job in the background) stays
 * ignored.  */
bool interrupt_watch(struct interrupt *interrupt, struct error *error);
/* Takes a signal, if there is one.  From then on another SIGINT ends the process at
 * once; another SIGTERM does not, as some send it twice (timeout does).  */
void interrupt_take(struct interrupt *interrupt);
/* All is as before, unless a signal was taken: the command is about to end because of
 * that, and SIGTERM and SIGHUP stay blocked until it has.  */
void interrupt_end(struct interrupt *interrupt);

#endif
