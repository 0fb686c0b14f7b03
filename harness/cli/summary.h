/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lifetimes --summary: what an instance is, in figures.  */
#ifndef ARENABENCH_HARNESS_CLI_SUMMARY_H
#define ARENABENCH_HARNESS_CLI_SUMMARY_H

#include <stdbool.h>
#include <stdio.h>

struct instance;

/* Writes the counts, the fullest and the widest step with what is alive there, and the largest
 * buffers.  False on an output error, with errno.  */
bool summary_print(const struct instance *instance, FILE *out);

#endif
