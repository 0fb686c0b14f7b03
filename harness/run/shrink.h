/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A smaller instance that still has a property, as a person would look for it.  */
#ifndef ARENABENCH_HARNESS_RUN_SHRINK_H
#define ARENABENCH_HARNESS_RUN_SHRINK_H

#include <stdbool.h>

struct instance;

/* Whether INSTANCE has the property.  Once it says no to everything, the search ends.  */
typedef bool shrink_test(void *context, const struct instance *instance);

/* Leaves out buffers, lowers alignments, sizes and lives and takes holes out of time while
 * HAS still holds, until no such step is left.  INSTANCE, of rectangular buffers without fixed
 * offsets, has the property.  The result has the name of INSTANCE and its rows in the same order;
 * the caller frees it.
 *
 * Steps are tried from the coarse to the fine, so what comes out is small, not the
 * smallest: each of its buffers is needed, as is each byte and each step when the others
 * stay as they are.  */
struct instance *shrink_instance(const struct instance *instance, shrink_test *has, void *context);

#endif
