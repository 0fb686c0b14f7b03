/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What pictures of plans share: the rectangles of a buffer, and the order of buffers.  */
#ifndef ARENABENCH_HARNESS_IO_DRAW_PIECES_H
#define ARENABENCH_HARNESS_IO_DRAW_PIECES_H

#include <stddef.h>
#include <stdint.h>

struct instance;
struct piece;

/* The rectangles that buffer B covers, each byte of a step once, ascending by their beginnings and
 * in slabs that begin and end together, neighbouring slabs of the same bytes being one.  Returns
 * how many there are; the caller frees *PIECE.  */
size_t draw_pieces(const struct instance *instance, size_t b, struct piece **piece);

/* How many of COUNT rectangles, from PIECE[FIRST] on, are one slab.  */
size_t draw_slab(const struct piece *piece, size_t first, size_t count);

/* Buffer B is drawn in tint B modulo so many (plots/plan.gp, plots/steps.html).  */
enum { DRAW_TINTS = 6 };

/* As the instance has them; the largest first; those that are alive first, first.  Ties: by the
 * other one of the two, then as the instance has them.  */
enum draw_order { DRAW_GIVEN, DRAW_SIZE, DRAW_STEP };

/* The buffers in ORDER; the caller frees it.  */
size_t *draw_order(const struct instance *instance, enum draw_order order);

/* The first and the last step, which differ.  */
void draw_span(const struct instance *instance, int64_t *begin, int64_t *end);

#endif
