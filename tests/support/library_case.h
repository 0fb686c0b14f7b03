/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Calls of the library (planner/arenaplan.h) that several tests make.  */
#ifndef ARENABENCH_TESTS_SUPPORT_LIBRARY_CASE_H
#define ARENABENCH_TESTS_SUPPORT_LIBRARY_CASE_H

#include <stddef.h>
#include <stdint.h>

#include "planner/arenaplan.h"

struct instance;

/* The calls by number: plan, prove, fits (in 1000 bytes), which plan, and check.  */
enum { LAYERS = 4, PLANNERS = 3 };

enum arenaplan_status library_case_call(int layer, const struct arenaplan_problem *problem,
                                        const struct arenaplan_options *options, int64_t *offset,
                                        struct arenaplan_result *result);

/* A problem that takes long: of up to N random intervals under a capacity, the first from SEED on
 * that is not proven at once.  The caller frees it.  */
struct instance *library_case_hard(uint32_t seed, size_t n);

/* An allocator that gives memory in an odd way, fails when it is told to, and counts: blocks and
 * bytes that are out, allocations so far, and which of them fails (SIZE_MAX: none).  */
struct library_books {
    size_t blocks, bytes, given, fails_at;
};
struct arenaplan_allocator library_books_allocator(struct library_books *books);

#endif
