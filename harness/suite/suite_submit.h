/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A better plan or bound for an instance of the suite: checked, then merged into its table.  */
#ifndef ARENABENCH_HARNESS_SUITE_SUITE_SUBMIT_H
#define ARENABENCH_HARNESS_SUITE_SUITE_SUBMIT_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/base/error.h"

struct suite_submission {
    const char *folder; /* of the suite (suite_folder) */
    const char *path;   /* of a plan as CSV, or of a certificate (lib/judge/certificate.h) */
    const char *name;   /* of the instance; NULL: that of PATH without folders and
                           without its ending */
    const char *by;     /* who found it, for the table */
};

/* What became of it.  */
struct suite_verdict {
    char name[128];
    bool is_bound;   /* a certificate */
    int64_t was, is; /* the best known peak, or bound, before and now */
    bool optimal;    /* peak and bound are equal now */
};

enum suite_answer {
    SUITE_TAKEN,
    SUITE_FAILED, /* not valid, not better, or not to be written; the message says which */
    SUITE_BAD,    /* malformed, or not readable */
};

/* Nobody sees half of a merge: the plan's file takes its name first, then the table, each at once,
 * and submissions to one folder wait for one another.  */
enum suite_answer suite_submit(const struct suite_submission *submission,
                               struct suite_verdict *verdict, struct error *error);

#endif
