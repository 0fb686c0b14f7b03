/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The suite as files for others: instances, plans, the table of optima, checksums, a README.  */
#ifndef ARENABENCH_HARNESS_SUITE_SUITE_EXPORT_H
#define ARENABENCH_HARNESS_SUITE_SUITE_EXPORT_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/base/error.h"

struct suite;
struct watch;

/* What is to be written, and where it comes from.  */
struct suite_export {
    const struct suite *suite;
    const char *folder; /* of the suite (suite_folder) */
    const char *dir;    /* made where it is not there; what it must not have is a SHA256SUMS */
    bool plans;
    const struct watch *watch; /* or NULL */
    size_t done;               /* entries, whenever the watch looks */
};

/* Writes
 *
 *     DIR/instances/NAME.csv   the instances
 *     DIR/plans/NAME.csv       a plan of the best known peak of each
 *     DIR/certificates/...     what proves lower bounds
 *     DIR/suite.csv            the table
 *     DIR/suite.solu           the optima as MIPLIB has them: =opt= NAME VALUE, or =best= and
 *                              =bestdual= where there is a bracket
 *     DIR/README.md
 *     DIR/SHA256SUMS           of all of these, last of all, so that it says that all is there
 *
 * False with a message where an instance is not the table's, a plan can't be had, or a file can't
 * be written.  */
bool suite_export(struct suite_export *export, struct error *error);

#endif
