/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What else the machine has done meanwhile.  */
#ifndef ARENABENCH_HARNESS_RUN_LOAD_H
#define ARENABENCH_HARNESS_RUN_LOAD_H

#include <stdint.h>

/* What has been used since the machine began, and by this process.  A negative number: this kernel
 * does not say.  */
struct load {
    double moment_s;  /* on the monotonic clock */
    double busy_s;    /* processor time of all processes and of the kernel */
    double stolen_s;  /* that a virtual machine did not get from the real one */
    double own_s;     /* processor time of this process and of the descendants waited for */
    double waiting_s; /* in which some process waited for a processor (pressure) */
    double average;   /* the load average of the last minute */
    int64_t switches; /* of the own ones, that were not voluntary */
};

/* Reads it all; who has children has to have waited for them.  */
void load_read(struct load *load);

/* What happened between the two, for people, with what others had of the processors first: a number
 * in processors, "0.02 processors of others, ...".  The caller frees it.  */
char *load_text(const struct load *before, const struct load *after);

#endif
