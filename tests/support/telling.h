/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Outputs of runs in which a difference would show.  */
#ifndef ARENABENCH_TESTS_SUPPORT_TELLING_H
#define ARENABENCH_TESTS_SUPPORT_TELLING_H

#include <stdbool.h>

struct network;
struct run_memory;

/* Whether the outputs of f32 say something: finite numbers that are not all the same.  */
bool telling_outputs(const struct network *network, const struct run_memory *memory);

#endif
