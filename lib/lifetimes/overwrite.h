/* SPDX-License-Identifier: GPL-3.0-or-later */
/* MegEngine's choice of overwrites, for networks and for dumps of its own.
 *
 * Source: MegEngine, static_mem_alloc/impl.cpp (init_overwrite_dest); the order
 * of the wishes is that of seq_mem_opt.cpp.  */
#ifndef ARENABENCH_LIB_LIFETIMES_OVERWRITE_H
#define ARENABENCH_LIB_LIFETIMES_OVERWRITE_H

#include <stddef.h>
#include <stdint.h>

/* A stretch of memory in use during the steps [begin, end).  */
struct overwrite_interval {
    int64_t begin, end, size;
    size_t dest;    /* the interval that it overwrites; SIZE_MAX: none */
    int64_t offset; /* where in it */
    size_t src;     /* the interval that overwrites it; SIZE_MAX: none */
};

/* SRC could be written over bytes [offset, offset + its size) of DEST.  */
struct overwrite_wish {
    size_t src, dest;
    int64_t offset;
};

/* Goes through WISH[0..count) in order.  One is granted if SRC begins at the last
 * step of DEST, overwrites nothing yet, and nothing as large or larger overwrites
 * DEST; a smaller SRC that did so then overwrites nothing.  In each INTERVAL, dest
 * and src are SIZE_MAX before.  */
void overwrite_choose(struct overwrite_interval *interval, const struct overwrite_wish *wish,
                      size_t count);

#endif
