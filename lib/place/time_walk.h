/* SPDX-License-Identifier: Apache-2.0 */
/* A walk through time: the buffers as they begin, and before each one those that have ended.
 *
 *     time_walk_init(&walk, instance, equal);
 *     while (time_walk_next(&walk, &b)) {
 *         while (time_walk_ended(&walk, &old))
 *             what OLD has used is free;
 *         B begins;
 *     }
 *     time_walk_clear(&walk);  */
#ifndef ARENABENCH_LIB_PLACE_TIME_WALK_H
#define ARENABENCH_LIB_PLACE_TIME_WALK_H

#include <stdbool.h>
#include <stddef.h>

struct instance;
struct order_key;

struct time_walk {
    const struct instance *instance;
    struct order_key *begin; /* all buffers by begin, equal ones as EQUAL has them */
    struct order_key *end;   /* by end, of equal ones those that began first */
    size_t begun, ended;     /* of these, so far */
};

/* EQUAL: in which order buffers come that begin together; NULL: that of their indices.
 * O(n log n).  */
void time_walk_init(struct time_walk *walk, const struct instance *instance, const size_t *equal);
void time_walk_clear(struct time_walk *walk);

/* The next buffer that begins; false after the last one.  */
bool time_walk_next(struct time_walk *walk, size_t *b);

/* The next one that has ended when the one that time_walk_next gave last begins; false: none has.
 */
bool time_walk_ended(struct time_walk *walk, size_t *b);

/* The begins and ends of all buffers, each time once, renumbered 0, 1, ...: BEGIN[b] and END[b] are
 * those of buffer b.  Returns how many there are.  O(n log n).  */
size_t time_moments(const struct instance *instance, size_t *begin, size_t *end);

#endif
