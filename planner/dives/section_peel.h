/* SPDX-License-Identifier: Apache-2.0 */
/* Buffers that fit wherever the others end up: a sound way to make an instance
 * smaller before a capacity is searched.  */
#ifndef ARENABENCH_PLANNER_DIVES_SECTION_PEEL_H
#define ARENABENCH_PLANNER_DIVES_SECTION_PEEL_H

#include <stddef.h>
#include <stdint.h>

struct instance;

/* Writes all buffers of INSTANCE, as rectangles, to ORDER: first those that stay,
 * all fixed ones among them, ascending, whose number is returned; then the peeled ones in the order
 * in which they go back. Put back in that order, each finds a start at which it ends within
 * CAPACITY bytes, wherever below CAPACITY the buffers before it are; the lowest free start is one.
 * That holds for every larger capacity too.  O(n log n) a pass; passes go on while
 * they peel more than a few.  */
size_t section_peel(const struct instance *instance, int64_t unit, int64_t capacity, size_t *order);

#endif
