/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Texts that stand for several: `uniform:n={10,20},seed={1..3}`.  */
#ifndef ARENABENCH_HARNESS_IO_EXPAND_H
#define ARENABENCH_HARNESS_IO_EXPAND_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/base/error.h"

struct text_list {
    size_t n, capacity;
    char **text;
};

/* Appends a copy of TEXT.  */
void text_list_add(struct text_list *list, const char *text);
void text_list_clear(struct text_list *list);

/* The most texts that one text may stand for.  */
#define EXPAND_MOST 20000

/* Appends what TEXT stands for to LIST: each `{a,b,c}` is one of its parts, and
 * a part `first..last` or `first..last..step` is each of these whole numbers.
 * The leftmost braces change slowest.  Braces do not nest.  On failure LIST is
 * as it was.  */
bool expand_braces(const char *text, struct text_list *list, struct error *error);

#endif
