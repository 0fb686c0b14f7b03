/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a limit leaves of an exact search.  */
#ifndef ARENABENCH_TESTS_SUPPORT_BRACKETS_H
#define ARENABENCH_TESTS_SUPPORT_BRACKETS_H

/* Four assertions on solver NAME and tight instances: a limit of 500 nodes leaves a plan and a
 * bound, and the same limit leaves the same ones; a time limit that is over at once refutes
 * nothing.  */
void brackets_under_limits(const char *name);

#endif
