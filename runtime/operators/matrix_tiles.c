/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sums stay in registers: 12 of 16 with a tile of 6 x 2 vectors, 24 of 32 with one of 12 x 2.  */
#include <config.h>

#include "runtime/operators/matrix_tiles.h"

#include "runtime/operators/vectors.h"

#define REAL float
#define TARGET
#define VECTOR 16
#define ROWS 6
#define TILE(name) name##_16_f32
#include "runtime/operators/matrix_tile.h"
#ifdef HAVE_X86_KERNELS
#define TARGET VECTORS_32
#define VECTOR 32
#define ROWS 6
#define TILE(name) name##_32_f32
#include "runtime/operators/matrix_tile.h"
#define TARGET VECTORS_64
#define VECTOR 64
#define ROWS 12
#define TILE(name) name##_64_f32
#include "runtime/operators/matrix_tile.h"
#endif
#undef REAL
#define REAL double
#define TARGET
#define VECTOR 16
#define ROWS 6
#define TILE(name) name##_16_f64
#include "runtime/operators/matrix_tile.h"
#ifdef HAVE_X86_KERNELS
#define TARGET VECTORS_32
#define VECTOR 32
#define ROWS 6
#define TILE(name) name##_32_f64
#include "runtime/operators/matrix_tile.h"
#define TARGET VECTORS_64
#define VECTOR 64
#define ROWS 12
#define TILE(name) name##_64_f64
#include "runtime/operators/matrix_tile.h"
#endif

static const struct matrix_tile_f32 tiles_f32[] = {
    {6, 8, run_16_f32},
#ifdef HAVE_X86_KERNELS
    {6, 16, run_32_f32},
    {12, 32, run_64_f32},
#endif
};
static const struct matrix_tile_f64 tiles_f64[] = {
    {6, 4, run_16_f64},
#ifdef HAVE_X86_KERNELS
    {6, 8, run_32_f64},
    {12, 16, run_64_f64},
#endif
};

int matrix_tiles(void)
{
    return vector_sets();
}

const struct matrix_tile_f32 *matrix_tile_f32(int which)
{
    return &tiles_f32[which];
}

const struct matrix_tile_f64 *matrix_tile_f64(int which)
{
    return &tiles_f64[which];
}
