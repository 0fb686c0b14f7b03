/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which buffer has an id, for files that name buffers.  */
#ifndef ARENABENCH_LIB_PROBLEM_BUFFER_IDS_H
#define ARENABENCH_LIB_PROBLEM_BUFFER_IDS_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/base/csv.h"

struct instance;
struct buffer_id;

/* The instance's buffers and, counted after them, its empty ones.  */
struct buffer_ids {
    const struct instance *instance;
    size_t count, next;      /* the one after the last that was found */
    struct buffer_id *by_id; /* NULL until one is out of order */
    size_t *line;            /* in which each was found; 0: not yet */
};

/* INSTANCE stays the caller's, who clears IDS.  */
void buffer_ids_init(struct buffer_ids *ids, const struct instance *instance);
void buffer_ids_clear(struct buffer_ids *ids);

/* The one that the cell ID of the current row names.  False with a message where there is none, or
 * one that an earlier row has; WHAT ("plan") is what such a file is.  */
bool buffer_ids_read(struct buffer_ids *ids, struct csv *csv, size_t id, const char *what,
                     size_t *index, struct error *error);

/* Whether all buffers but the empty ones were found; the message is about the first that was not.
 */
bool buffer_ids_complete(const struct buffer_ids *ids, const struct csv *csv, const char *what,
                         struct error *error);

#endif
