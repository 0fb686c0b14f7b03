/* SPDX-License-Identifier: Apache-2.0 */
/* The pieces of buffers, for exact solvers.
 *
 * In an instance a buffer's pieces may overlap, and one may go on where another ended.
 * Here they are disjoint rectangles of steps and bytes that cover the same; a buffer that
 * is one rectangle has one piece.  */
#ifndef ARENABENCH_LIB_PLACE_DSA_PIECES_H
#define ARENABENCH_LIB_PLACE_DSA_PIECES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct instance;

struct dsa_piece {
    size_t buffer;
    int64_t begin, end; /* steps */
    int64_t lo, hi;     /* relative to the buffer's offset, in units */
    bool whole;         /* the only piece of its buffer, and as large */
};

/* The unit that bytes count in: the greatest number that divides all sizes, lo, hi and fixed
 * offsets and fits all alignments; some optimal plan has every offset at a multiple of it
 * (dsa_model.h says why).  */
int64_t dsa_unit(const struct instance *instance);

/* The pieces of all buffers, by buffer, with bytes divided by UNIT (dsa_unit).  Returns
 * their number; the caller frees *FOUND.  */
size_t dsa_pieces_find(const struct instance *instance, int64_t unit, struct dsa_piece **found);

/* The sections of the pieces (lib/place/sections.h), as sections_list has them; *SECTIONS
 * becomes their number.  The caller frees what is returned, and *MEMBER.  */
size_t *dsa_pieces_sections(const struct dsa_piece *piece, size_t pieces, size_t *sections,
                            size_t **member);

/* Calls VISIT once for each two pieces of different buffers that are alive together,
 * found by a sweep over the begins with the list of those still alive.
 * O(n log n + n width).  */
void dsa_pieces_each_pair(const struct dsa_piece *piece, size_t pieces,
                          void (*visit)(void *context, size_t a, size_t b), void *context);

#endif
