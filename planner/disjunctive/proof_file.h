/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A sink for certificates (proof_sink.h) that is a file.  */
#ifndef ARENABENCH_PLANNER_DISJUNCTIVE_PROOF_FILE_H
#define ARENABENCH_PLANNER_DISJUNCTIVE_PROOF_FILE_H

#include <stdio.h>

#include "lib/judge/certificate_writer.h"
#include "planner/disjunctive/proof_sink.h"

struct instance;

struct proof_file {
    struct proof_sink sink; /* of this file, which may not move */
    const struct instance *instance;
    FILE *out;
    struct certificate_writer writer;
};

/* Certificates of INSTANCE to OUT, a file that can be cut, behind what is there; what it could not
 * take is the caller's to find.  */
void proof_file_init(struct proof_file *file, const struct instance *instance, FILE *out);

#endif
