/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The search by sections on lists that learns nothing, as what other searches of one capacity after
 * the other are held against.  */
#ifndef ARENABENCH_TESTS_SUPPORT_PLAIN_ANSWERS_H
#define ARENABENCH_TESTS_SUPPORT_PLAIN_ANSWERS_H

#include <stdbool.h>
#include <stdint.h>

#include "planner/sections/section_search.h"

struct instance;

/* Asks SEARCH by RUN, and the plain one, at each capacity from the load of PROBLEM to the first
 * that has a packing, which is returned; *SAME says whether all answers are.  */
int64_t plain_optimum(const struct section_classes *problem, uint32_t seed,
                      enum search_result (*run)(void *search, int64_t capacity), void *search,
                      bool *same);

/* Two assertions on SAME, which is asked with ROUNDS tight instances and with alignments for each,
 * and counts in *ABOVE those with an optimum above the load: it always says yes, and there are
 * some.  */
void same_on_tight(uint32_t seed, int rounds,
                   bool (*same)(const struct instance *instance, int round, int *above),
                   const char *what);

#endif
