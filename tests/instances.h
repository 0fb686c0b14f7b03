/* Instances by hand.  */
#ifndef ARENABENCH_TESTS_INSTANCES_H
#define ARENABENCH_TESTS_INSTANCES_H

#include <stdint.h>

struct instance;

/* Seals INSTANCE and returns it; one that can't be sealed ends the program.  */
struct instance *sealed(struct instance *instance);

/* Buffers a (10 bytes) and b (7, with ALIGNMENT) touch in time, c (5) overlaps
 * both: load and, with alignment 1, optimum 15; stacked 22.  */
struct instance *three(int64_t alignment);

#endif
