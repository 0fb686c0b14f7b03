/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The five numbers by which instances of networks are compared.  */
#ifndef ARENABENCH_TESTS_SUPPORT_FIGURES_H
#define ARENABENCH_TESTS_SUPPORT_FIGURES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct error;
struct instance;

struct figures {
    int64_t count, sum, load, largest, width;
};

/* What INSTANCE has, worked out from its buffers; load and width too are
 * counted anew, step by step.  */
struct figures figures_of(const struct instance *instance);

/* One assertion: INSTANCE, called WHAT, has the figures WANT; where it is NULL, ERROR says why.  */
bool figures_match(const char *what, const struct instance *instance, const struct error *error,
                   const struct figures *want);

/* One assertion: the workload SPEC has the figures WANT.  */
bool figures_are(const char *spec, const struct figures *want);

/* Data files with the figures of alias=off and alias=on; COUNT assertions each.
 * FOLDER is below the folder of real inputs; files that are missing are skipped.  */
struct file_figures {
    const char *file;
    struct figures off, on;
};
void figures_of_files(const char *folder, const struct file_figures *row, size_t count);

#endif
