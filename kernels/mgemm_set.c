/* All dense tiles of one instruction set.  Compiled once for each.  */
#include <config.h>

#include "kernels/mgemm.h"
#include "kernels/mgemm_list.h"
#include "kernels/mgemm_point.h"
#include "kernels/mgemm_tile.h"

static const struct mgemm_form_traits form_traits[MGEMM_FORMS] = {
    [MGEMM_BLOCKED_1] = {KERNEL_VECTOR, 1, 0},
    [MGEMM_BLOCKED_2] = {KERNEL_VECTOR, 2, 0},
    [MGEMM_BLOCKED_ANY] = {KERNEL_VECTOR, 0, 0},
    [MGEMM_PLANAR_1] = {1, 1, 0},
    [MGEMM_PLANAR_2] = {1, 2, 0},
    [MGEMM_PLANAR_ANY] = {1, 0, 0},
    [MGEMM_KEEP] = {KERNEL_VECTOR, 1, 3},
    [MGEMM_FILTER] = {KERNEL_VECTOR, 1, 3},
};

/* tile_BLOCKED_1_r1_v2_w6: the names are what a profile or objdump shows.  */
#define TILE_NAME(form, rows, vectors, width) tile_##form##_r##rows##_v##vectors##_w##width

#define DEFINE_TILE(form, rows, vectors, width)                                           \
    static void TILE_NAME(form, rows, vectors, width)(const struct mgemm_call *call)      \
    {                                                                                     \
        mgemm_tiles(call, MGEMM_##form, form_traits[MGEMM_##form], rows, vectors, width); \
    }
#define DEFINE_POINT(form, rows, vectors, width)                                     \
    MGEMM_POINT_TILE                                                                 \
    static void TILE_NAME(form, rows, vectors, width)(const struct mgemm_call *call) \
    {                                                                                \
        mgemm_point_tiles(call, vectors, width);                                     \
    }
#define ENTER_TILE(form, rows, vectors, width) \
    .tile[MGEMM_##form][rows - 1][vectors - 1][width - 1] = TILE_NAME(form, rows, vectors, width),

MGEMM_LIST(DEFINE_TILE, DEFINE_POINT)

extern const struct mgemm_set KERNEL_NAME(mgemm_set);
const struct mgemm_set KERNEL_NAME(mgemm_set) = {MGEMM_LIST(ENTER_TILE, ENTER_TILE)};
