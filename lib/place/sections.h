/* SPDX-License-Identifier: Apache-2.0 */
/* Sections: the maximal sets of lifetimes that share a step, in the order of time.  Each
 * lifetime is in a contiguous range of them, and two lifetimes overlap exactly if they share
 * one.  */
#ifndef ARENABENCH_LIB_PLACE_SECTIONS_H
#define ARENABENCH_LIB_PLACE_SECTIONS_H

#include <stddef.h>
#include <stdint.h>

/* A lifetime [BEGIN, END), which is not empty, and its sections, both inclusive.  */
struct sections_span {
    int64_t begin, end;
    size_t first, last;
};

/* Fills in first and last of SPAN[0..N) and returns the number of sections.  O(n log n).  */
size_t sections_find(struct sections_span *span, size_t n);

/* The spans of each of the COUNT sections, by begin, ties by index: those of section s are
 * (*member)[start[s]..start[s + 1]).  Returns START; the caller frees both.  */
size_t *sections_list(const struct sections_span *span, size_t n, size_t count, size_t **member);

#endif
