/* SPDX-License-Identifier: Apache-2.0 */
/* A sort that does not depend on the C library: equal elements keep their order everywhere, and
 * its memory comes from lib/base/memory.h.  */
#ifndef ARENABENCH_LIB_BASE_SORT_H
#define ARENABENCH_LIB_BASE_SORT_H

#include <stddef.h>

/* As qsort, but stable, and COUNT may be 0 with any BASE.  O(count log count).  */
void sort_stable(void *base, size_t count, size_t size, int (*compare)(const void *, const void *));

#endif
