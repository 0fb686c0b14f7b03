/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Plans that a sweep has stored, judged again.  */
#ifndef ARENABENCH_HARNESS_CLI_VERIFY_STORED_H
#define ARENABENCH_HARNESS_CLI_VERIFY_STORED_H

/* Judges each plan that the results folder DIR holds, from its offsets and the instance made anew:
 * by the verifier and the replay, by the library's check (arenaplan_check), which shares no code
 * with these, and by what the row says of it: peak, load, bound, outcome, replay.  What is wrong is
 * a line each on standard output, then a summary.  The exit status: 1 where a plan is wrong or none
 * was judged, 2 where DIR has no results.  */
int verify_stored(const char *dir);

#endif
