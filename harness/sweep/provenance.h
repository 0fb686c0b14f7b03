/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where numbers come from: program, machine, libraries and call.  */
#ifndef ARENABENCH_HARNESS_SWEEP_PROVENANCE_H
#define ARENABENCH_HARNESS_SWEEP_PROVENANCE_H

#include <stddef.h>

struct store_pair;

struct provenance {
    size_t n, capacity;
    struct store_pair *pair; /* with texts of their own */
};

/* Collects what there is to know.  What can't be read is "unknown".  */
void provenance_collect(struct provenance *provenance, int argc, char *const *argv);

/* Adds one more.  */
void provenance_add(struct provenance *provenance, const char *name, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void provenance_clear(struct provenance *provenance);

#endif
