/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A map from names to pointers.  Lookups take constant time, so that files
 * with many operators are read in linear time.  */
#ifndef ARENABENCH_WORKLOADS_READERS_ONNX_NAMES_H
#define ARENABENCH_WORKLOADS_READERS_ONNX_NAMES_H

#include <stdbool.h>
#include <stddef.h>

struct names {
    size_t count, slots; /* a power of two, or 0 */
    struct name_slot *slot;
};

/* The names stay the caller's and outlive the map.  */
void names_clear(struct names *names);

/* NULL: the name is not there.  */
void *names_find(const struct names *names, const char *name);

/* False, changing nothing, if the name is there.  THING is not NULL.  */
bool names_add(struct names *names, const char *name, void *thing);

#endif
