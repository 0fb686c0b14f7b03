/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The constants of a processor that decide how fast a register tile is, all
 * measured with one thread.  Seconds, so that no clock frequency is needed.  */
#ifndef ARENABENCH_KERNELS_MODEL_MACHINE_H
#define ARENABENCH_KERNELS_MODEL_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

#include "kernels/isa.h"

/* Working sets of 2^MACHINE_SMALLEST bytes and doubles of it.  */
enum { MACHINE_SMALLEST = 13, MACHINE_SIZES = 13 };

struct machine {
    int vector;         /* floats */
    int registers;      /* vectors; a fact of the instruction set */
    bool fused;         /* multiply and add are one instruction: a product needs no register */
    double fma_s;       /* one vector multiply-add, many independent ones under way */
    double latency_s;   /* one that waits for the one before */
    double memory_s;    /* the same with the sum in memory instead of a register */
    double load_s;      /* one vector from the first-level cache, many under way */
    double issue_s;     /* one instruction of a tile, where products are not fused; else 0 */
    double broadcast_s; /* what a broadcast takes beside; likewise */
    /* Of the time that reading from beyond the first-level cache takes longer
     * than from it, the share that multiply-adds do not hide; 0 to 1.  */
    double exposed;
    double call_s;        /* a call of a tile and the loops around it, without the two below */
    double tile_s;        /* a tile's start, loops and end, however small it is */
    double accumulator_s; /* loading and storing one accumulator */
    double channel_s; /* the end of a channel of one tap in a loop over taps; more taps hide it */
    double read_s[MACHINE_SIZES]; /* a byte, read over and over from so large a set; not falling */
};

/* Registers and the like, which nobody can measure; the rest is zero.  */
struct machine machine_known(enum isa isa);

/* Seconds a byte when as many bytes as WORKING_SET are read between one use of
 * it and the next.  Straight lines between the sizes' logarithms.  */
double machine_read(const struct machine *machine, double working_set);

#endif
