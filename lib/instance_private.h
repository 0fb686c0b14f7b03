/* What the two files of the instance share: instance.c and instance_load.c.  */
#ifndef ARENABENCH_LIB_INSTANCE_PRIVATE_H
#define ARENABENCH_LIB_INSTANCE_PRIVATE_H

struct instance;

/* Fills in load and width of an instance whose buffers were checked.
 * O(pieces log pieces), where no buffer has many.  */
void instance_compute_load(struct instance *instance);

#endif
