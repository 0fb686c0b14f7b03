/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Libraries that are compared with, opened when they are first wanted: a
 * program that never asks for them starts without their threads and memory.
 * Most read environment variables once, when they are opened, so what a plan
 * asks for (instruction set, threads) holds for the process.  */
#ifndef ARENABENCH_KERNELS_PEERS_LIBRARY_H
#define ARENABENCH_KERNELS_PEERS_LIBRARY_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/base/error.h"

/* The functions NAME[0..count) of the shared library FILE, into SYMBOL.  */
bool library_open(const char *file, const char *const *name, size_t count, void **symbol,
                  struct error *error);

#endif
