/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Planners for several memories beside each other, for the command fit.  */
#ifndef ARENABENCH_HARNESS_CLI_FIT_PLANNERS_H
#define ARENABENCH_HARNESS_CLI_FIT_PLANNERS_H

#include "harness/io/expand.h"
#include "harness/io/table.h"

struct split_problem;

/* Runs those of NAMES ("all": each), SECONDS each, and shows a row for each, the cheapest first;
 * what finds no valid split is last, with the reason.  Returns the exit status, after a message for
 * a name that is none.  */
int fit_planners(const struct split_problem *problem, const struct text_list *names, double seconds,
                 enum table_format format);

#endif
