/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of the instance share.  */
#ifndef ARENABENCH_LIB_PROBLEM_INSTANCE_PRIVATE_H
#define ARENABENCH_LIB_PROBLEM_INSTANCE_PRIVATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/error.h"

struct instance;

/* Sorts the links of the overwrite chains and checks that each piece begins
 * inside another one of its buffer at that one's last step, and that they form
 * chains.  */
bool instance_check_overwrites(struct instance *instance, struct error *error);

/* Whether some buffer is not its bounding rectangle.  */
bool instance_has_shapes(const struct instance *instance);

/* Counts the fixed buffers into instance->fixed; END is the largest end of one, 0 without.  False
 * where an offset is negative or an end does not fit, with the buffer in CULPRIT.  */
bool instance_fixed_end(struct instance *instance, int64_t *end, size_t *culprit,
                        struct error *error);

/* Checks that no two fixed buffers overlap in time and bytes: else CULPRIT is the later one of
 * the two in the order of the instance, OTHER the earlier one.  O(p log p) for p fixed pieces.  */
bool instance_check_fixed(const struct instance *instance, size_t *culprit, size_t *other,
                          struct error *error);

/* Fills in the axis, load and width of an instance whose buffers were checked.
 * O(pieces log pieces), where no buffer has many.  */
void instance_set_axis(struct instance *instance);

/* For builds with checks: all that instance_seal has filled in.  */
void instance_check(const struct instance *instance);

#endif
