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
    int64_t dropped; /* tasks of which a row is missing or was refused: a sweep runs them again */
    bool unreadable; /* parts of the file could not be read */
    char first[256]; /* what is wrong with the first row that was refused; "" */
};

/* The name of a table that is counted.  */
const char *rescue_table(size_t table);

/* Copies the rows of FROM/results.db, of schema 5 or newer, that can be read and are right into a
 * new store in the folder TO, which has none.  A row is kept when its checksum, its words and its
 * references are right, a task with all that belongs to it.  FROM stays as it is.  False with a
 * message when nothing can be read, or written.  */
bool store_rescue(const char *from, const char *to, struct rescue *rescue, struct error *error);

#endif
