/* What the files of the instance share.  */
#ifndef ARENABENCH_LIB_PROBLEM_INSTANCE_PRIVATE_H
#define ARENABENCH_LIB_PROBLEM_INSTANCE_PRIVATE_H

#include <stdbool.h>

#include "lib/base/error.h"

struct instance;

/* Sorts the links of the overwrite chains and checks that each piece begins
 * inside another one of its buffer at that one's last step, and that they form
 * chains.  */
bool instance_check_overwrites(struct instance *instance, struct error *error);

/* Whether some buffer is not its bounding rectangle.  */
bool instance_has_shapes(const struct instance *instance);

/* Fills in load and width of an instance whose buffers were checked.
 * O(pieces log pieces), where no buffer has many.  */
void instance_compute_load(struct instance *instance);

/* For builds with checks: all that instance_seal has filled in.  */
void instance_check(const struct instance *instance);

#endif
