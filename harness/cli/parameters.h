/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What parameters mean, for lists.  */
#ifndef ARENABENCH_HARNESS_CLI_PARAMETERS_H
#define ARENABENCH_HARNESS_CLI_PARAMETERS_H

#include <stdio.h>

#include "lib/base/params.h"

/* `name=default`, of a choice `name=default|other|...`, or `name` where there is no default.  The
 * caller frees it.  */
char *parameter_text(const struct param *param);

/* Writes each parameter of all networks, or of all files that readers read, on a line and what it
 * means on the next ones, within 100 columns, each kind under a heading.  */
void parameters_explain_networks(FILE *out);
void parameters_explain_readers(FILE *out);

#endif
