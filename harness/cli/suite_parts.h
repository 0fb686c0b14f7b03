/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The parts of the command suite, each with what its options say.  */
#ifndef ARENABENCH_HARNESS_CLI_SUITE_PARTS_H
#define ARENABENCH_HARNESS_CLI_SUITE_PARTS_H

#include <stdbool.h>
#include <stdint.h>

#include "harness/io/table.h"

struct suite;
struct suite_run;

struct suite_options {
    const char *folder;  /* of the suite */
    const char *classes; /* or NULL */
    int64_t most;        /* buffers; 0: all */
    enum table_format format;
    const char *solver; /* score: or NULL */
    const char *output; /* score: folder for its plans, or NULL */
    double time_limit_s;
    int64_t memory_mib, seed;
    bool each;        /* score: a row an instance */
    bool no_plans;    /* export */
    const char *by;   /* submit: or NULL */
    const char *name; /* submit: or NULL */
};

/* Each returns the exit status, after its messages.  SUITE has been selected from; ALL has not.  */
int suite_list(const struct suite *suite, const struct suite_options *options);
int suite_export_command(const struct suite *suite, const char *dir,
                         const struct suite_options *options);
/* DIR: of plans; NULL where there is a solver.  */
int suite_score_command(const struct suite *suite, const struct suite *all, const char *dir,
                        const struct suite_options *options);
int suite_submit_command(const char *path, const struct suite_options *options);

/* Prints the score of RUN[0..suite->count), LABEL's, and the line to paste, which is on standard
 * error where the format is for programs.  Returns the exit status.  */
int suite_print_score(const struct suite *suite, const struct suite_run *run, const char *label,
                      const struct suite_options *options);

#endif
