/* SPDX-License-Identifier: GPL-3.0-or-later */
/* All dense tiles of one instruction set.  Compiled once for each.  */
#include <config.h>

#include "kernels/mgemm/mgemm_sets.h"
#include "kernels/mgemm/mgemm_list.h"
#include "kernels/mgemm/mgemm_point.h"
#include "kernels/mgemm/mgemm_tile.h"

static const struct mgemm_form_traits form_traits[MGEMM_FORMS] = {
    [MGEMM_BLOCKED_1] = {KERNEL_VECTOR, 1, 0},
    [MGEMM_BLOCKED_2] = {KERNEL_VECTOR, 2, 0},
    [MGEMM_BLOCKED_ANY] = {KERNEL_VECTOR, 0, 0},
    [MGEMM_PLANAR_1] = {1, 1, 0},
    [MGEMM_PLANAR_2] = {1, 2, 0},
    [MGEMM_PLANAR_ANY] = {1, 0, 0},
    [MGEMM_KEEP] = {KERNEL_VECTOR, 1, 3},
    [MGEMM_KEEP_2] = {KERNEL_VECTOR, 2, 3},
    [MGEMM_FILTER] = {KERNEL_VECTOR, 1, 3},
};

/* tile_BLOCKED_1_r1_v2_w6, and others of the tile with more behind that: the names
 * are what a profile or objdump shows.  */
#define TILE_NAME(form, rows, vectors, width) tile_##form##_r##rows##_v##vectors##_w##width
#define PART_NAME(form, rows, vectors, width, part) \
    tile_##form##_r##rows##_v##vectors##_w##width##_##part

#define DEFINE_FUNCTION(name, form, rows, vectors, width, fixed, edge)                    \
    static void name(const struct mgemm_call *call)                                       \
    {                                                                                     \
        struct mgemm_kind kind = {MGEMM_##form, form_traits[MGEMM_##form], MGEMM_##edge}; \
                                                                                          \
        if ((fixed) > 0)                                                                  \
            kind.traits.taps = fixed;                                                     \
        mgemm_tiles(call, kind, rows, vectors, width);                                    \
    }
#define DEFINE_ENTRY(form, rows, vectors, width, ...) \
    static const struct mgemm_tile PART_NAME(form, rows, vectors, width, entry) = {__VA_ARGS__};

/* Loops.  */
#define DEFINE_LOOPS(form, rows, vectors, width)                                                 \
    DEFINE_FUNCTION(TILE_NAME(form, rows, vectors, width), form, rows, vectors, width, 0, EDGES) \
    DEFINE_ENTRY(form, rows, vectors, width, .any = TILE_NAME(form, rows, vectors, width))

/* Blocked input, straight code, with WHOLE_STRAIGHT in front where all taps hit and STRAIGHT at the
 * edges; REST: the edges of the loops that do the other calls.  */
#define DEFINE_EDGES(form, rows, vectors, width, WHOLE_STRAIGHT, STRAIGHT, rest, kept, ...)       \
    WHOLE_STRAIGHT                                                                                \
    DEFINE_FUNCTION(TILE_NAME(form, rows, vectors, width), form, rows, vectors, width, 0, WHOLE)  \
    STRAIGHT                                                                                      \
    DEFINE_FUNCTION(PART_NAME(form, rows, vectors, width, first), form, rows, vectors, width, 0,  \
                    FIRST_PIXEL)                                                                  \
    STRAIGHT                                                                                      \
    DEFINE_FUNCTION(PART_NAME(form, rows, vectors, width, last), form, rows, vectors, width, 0,   \
                    LAST_PIXEL)                                                                   \
    DEFINE_FUNCTION(PART_NAME(form, rows, vectors, width, masks), form, rows, vectors, width, 0,  \
                    rest)                                                                         \
    DEFINE_ENTRY(form, rows, vectors, width, .any = PART_NAME(form, rows, vectors, width, masks), \
                 .blocks[MGEMM_WHOLE] = TILE_NAME(form, rows, vectors, width),                    \
                 .blocks[MGEMM_FIRST_PIXEL] = PART_NAME(form, rows, vectors, width, first),       \
                 .blocks[MGEMM_LAST_PIXEL] = PART_NAME(form, rows, vectors, width, last),         \
                 .window = kept, ##__VA_ARGS__)
#define DEFINE_BLOCKS(form, rows, vectors, width)                                                \
    DEFINE_EDGES(form, rows, vectors, width, MGEMM_STRAIGHT_##vectors, MGEMM_STRAIGHT_##vectors, \
                 MASKS, false)
/* Inputs kept across three taps.  What is in assembly has no function for both ends.  */
#define DEFINE_KEPT(form, rows, vectors, width)                                                 \
    MGEMM_STRAIGHT_KEPT                                                                         \
    DEFINE_FUNCTION(PART_NAME(form, rows, vectors, width, both), form, rows, vectors, width, 0, \
                    BOTH_PIXELS)                                                                \
    DEFINE_EDGES(                                                                               \
        form, rows, vectors, width, MGEMM_STRAIGHT_WHOLE, MGEMM_STRAIGHT_KEPT, EDGES, true,     \
        .blocks[MGEMM_BOTH_PIXELS] =                                                            \
            MGEMM_IS_TALL(vectors, width) ? NULL : PART_NAME(form, rows, vectors, width, both))

/* Planar input, straight code for some filters.  */
#define DEFINE_SIDES(form, rows, vectors, width, STRAIGHT)                                       \
    DEFINE_FUNCTION(TILE_NAME(form, rows, vectors, width), form, rows, vectors, width, 0, EDGES) \
    STRAIGHT                                                                                     \
    DEFINE_FUNCTION(PART_NAME(form, rows, vectors, width, taps3), form, rows, vectors, width, 3, \
                    WHOLE)                                                                       \
    STRAIGHT                                                                                     \
    DEFINE_FUNCTION(PART_NAME(form, rows, vectors, width, taps7), form, rows, vectors, width, 7, \
                    WHOLE)                                                                       \
    DEFINE_ENTRY(form, rows, vectors, width, .any = TILE_NAME(form, rows, vectors, width),       \
                 .taps3 = PART_NAME(form, rows, vectors, width, taps3),                          \
                 .taps7 = PART_NAME(form, rows, vectors, width, taps7),                          \
                 .window = MGEMM_IS_TALL(vectors, width))
#define DEFINE_PLANES(form, rows, vectors, width) \
    DEFINE_SIDES(form, rows, vectors, width, MGEMM_STRAIGHT_##vectors)

#define DEFINE_POINT_FUNCTION(name, straight, vectors, width) \
    static void name(const struct mgemm_call *call)           \
    {                                                         \
        mgemm_point_tiles(call, straight, vectors, width);    \
    }
#define DEFINE_POINT(form, rows, vectors, width)                                        \
    DEFINE_POINT_FUNCTION(TILE_NAME(form, rows, vectors, width), false, vectors, width) \
    DEFINE_ENTRY(form, rows, vectors, width, .any = TILE_NAME(form, rows, vectors, width))
#define DEFINE_LANES(form, rows, vectors, width, STRAIGHT)                                      \
    DEFINE_POINT_FUNCTION(PART_NAME(form, rows, vectors, width, odd), false, vectors, width)    \
    STRAIGHT                                                                                    \
    DEFINE_POINT_FUNCTION(TILE_NAME(form, rows, vectors, width), true, vectors, width)          \
    DEFINE_ENTRY(form, rows, vectors, width, .any = PART_NAME(form, rows, vectors, width, odd), \
                 .blocks[MGEMM_WHOLE] = TILE_NAME(form, rows, vectors, width))
#define DEFINE_POINT_STRAIGHT(form, rows, vectors, width) \
    DEFINE_LANES(form, rows, vectors, width, MGEMM_STRAIGHT_##vectors)

MGEMM_LIST(DEFINE_BLOCKS, DEFINE_LOOPS, DEFINE_PLANES, DEFINE_POINT, DEFINE_KEPT,
           DEFINE_POINT_STRAIGHT)

#define ENTER(form, rows, vectors, width)                   \
    .tile[MGEMM_##form][rows - 1][vectors - 1][width - 1] = \
        &PART_NAME(form, rows, vectors, width, entry),

extern const struct mgemm_set KERNEL_NAME(mgemm_set);
const struct mgemm_set KERNEL_NAME(mgemm_set) = {
    MGEMM_LIST(ENTER, ENTER, ENTER, ENTER, ENTER, ENTER)};
