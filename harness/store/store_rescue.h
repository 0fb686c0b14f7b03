/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What can be read of a damaged results store, as a new one.  */
#ifndef ARENABENCH_HARNESS_STORE_STORE_RESCUE_H
#define ARENABENCH_HARNESS_STORE_STORE_RESCUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "harness/store/store_private.h"
#include "lib/base/error.h"

struct rescue {
    int64_t saved[TABLES]; /* rows, by table */
    int64_t refused;       /* rows that were read, and that can't be right */
    int64_t dropped;  /* tasks of which a row is missing or was refused: a sweep runs them again */
    int64_t partial;  /* plans that are kept without improvements, or without what was counted */
    int64_t homeless; /* tasks whose sweep, build or machine is lost */
    bool unreadable;  /* parts of the file could not be read */
    char first[256];  /* what is wrong with the first row that was refused; "" */
};

/* The name of a table that is counted.  */
const char *rescue_table(size_t table);

/* Copies the rows of FROM/results.db that can be read and are right into a
 * new store in the folder TO, which has none.  A row is kept when its checksum, its words and its
 * references are right, but those to where it comes from may be lost; a task when it has its
 * result, and all of its turns or rounds.  Of a plan, improvements or what its search counted may
 * be lost, unless WHOLE; it is kept without them then.  FROM stays as it is.  False with a message
 * when nothing can be read, or written.  */
bool store_rescue(const char *from, const char *to, bool whole, struct rescue *rescue,
                  struct error *error);

#endif
