/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The replay of a network with loops: runs it, iteration by iteration, on a
 * real arena.  Part of lib/judge/verify.h, which says more.  */
#ifndef ARENABENCH_LIB_JUDGE_LOOP_REPLAY_H
#define ARENABENCH_LIB_JUDGE_LOOP_REPLAY_H

#include <stdbool.h>

#include "lib/base/error.h"
#include "lib/judge/verify.h"

struct instance;
struct plan;

/* Runs all iterations of the loops of INSTANCE, which has a loop layout, finding
 * every value through its multi-view tensor; copies what the treatment copies;
 * and checks every byte that is read against what the network means, which is
 * worked out apart from any memory.  Loops that a condition may end are run
 * with several numbers of iterations, and branches so that each body has its
 * turn.  KIND, when not NULL, says how: REPLAY_NONE where it would be too much
 * work.  */
bool loop_replay(const struct instance *instance, const struct plan *plan, enum replay_kind *kind,
                 struct error *error);

#endif
