/* SPDX-License-Identifier: GPL-3.0-or-later */
/* All buffers of an instance as classes, for tests of the engine.  */
#ifndef ARENABENCH_TESTS_SUPPORT_ALL_CLASSES_H
#define ARENABENCH_TESTS_SUPPORT_ALL_CLASSES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "lib/base/memory.h"
#include "lib/place/dsa_pieces.h"
#include "lib/problem/instance.h"
#include "planner/dives/section_classes.h"

/* The caller frees it.  */
static inline struct section_classes *all_classes(const struct instance *instance, bool merge)
{
    size_t *keep = memory_alloc(instance->n, sizeof *keep);
    struct section_classes *made;

    for (size_t b = 0; b < instance->n; b++)
        keep[b] = b;
    made = section_classes_new(instance, dsa_unit(instance), keep, instance->n, merge, false,
                               SIZE_MAX / 2);
    free(keep);
    return made;
}

#endif
