/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A set of an instance's buffers that says which of them live during an interval of
 * steps of its axis.  */
#ifndef ARENABENCH_SOLVERS_FIT_INTERVAL_INDEX_H
#define ARENABENCH_SOLVERS_FIT_INTERVAL_INDEX_H

#include <stddef.h>

struct instance;

struct interval_index {
    const struct instance *instance;
    size_t *by_begin;    /* all buffers of the instance, by begin, then index, */
    size_t *place;       /* and where each one stands there */
    size_t *first, *end; /* in that order: its first step, the one after its last; the end of one
                            that is no member: 0 */
    size_t leaves;       /* a power of two; a leaf is a block of neighbours in that order */
    size_t *latest;      /* 1 .. 2 leaves - 1: the latest end of a member below the node */
};

/* Empty at first.  */
void interval_index_init(struct interval_index *index, const struct instance *instance);
void interval_index_clear(struct interval_index *index);

/* O(log n).  */
void interval_index_add(struct interval_index *index, size_t b);
void interval_index_remove(struct interval_index *index, size_t b);

/* Writes the members that live at a step of FIRST to LAST to FOUND, which has room for
 * all buffers, by begin, then index, and returns how many there are.  O(log n + found *
 * log n), with a small constant where the found ones stand together.  */
size_t interval_index_find(const struct interval_index *index, size_t first, size_t last,
                           size_t *found);

#endif
