/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The instance whose plans are fuzzed.  A header is all of it: a target that libFuzzer runs is
 * linked with the program's sources, and none of the tests'.  */
#ifndef ARENABENCH_TESTS_FUZZ_FIXED_INSTANCE_H
#define ARENABENCH_TESTS_FUZZ_FIXED_INSTANCE_H

#include "lib/problem/instance.h"
#include "tests/fuzz/bytes.h"

/* Four buffers: one of them empty, one aligned.  */
static inline struct instance *fixed_instance(void)
{
    struct instance *instance = instance_new("fixed");

    instance_add(instance, "a", 0, 2, 10, 1);
    instance_add(instance, "b", 2, 4, 7, 1);
    instance_add(instance, "nothing", 0, 9, 0, 1);
    instance_add(instance, "c", 1, 3, 5, 8);
    must(instance_seal(instance, NULL, NULL));
    return instance;
}

#endif
