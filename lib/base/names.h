/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names from files in which they mean nothing: made unique, looked up.  */
#ifndef ARENABENCH_LIB_BASE_NAMES_H
#define ARENABENCH_LIB_BASE_NAMES_H

#include <stddef.h>

struct name_ref {
    const char *name;
    size_t index;
};

/* By name, equal ones by index.  */
void names_sort(struct name_ref *ref, size_t count);

/* One of REF[0..COUNT), which are sorted, with NAME, or NULL.  */
const struct name_ref *names_look_up(const struct name_ref *ref, size_t count, const char *name);

/* Adds suffixes "_2", "_3", ... to the later ones of equal names, skipping what is
 * taken.  SLOT[0..COUNT) are the places of the names, each allocated on its own;
 * one that changes is freed and replaced.  */
void names_make_unique(char **const *slot, size_t count);

#endif
